import { dropOldest } from '../drop-oldest.ts'
import type { AgentEvent } from '../events/agent-event.ts'
import { isFailedCall } from './failed-call.ts'

/** How often a tool was called. */
export interface ToolCalls {
  readonly total: number
  /** `isFailedCall`. */
  readonly failed: number
  /** Total of the known durations; null if none is known. */
  readonly durationMs: number | null
  /** Calls of unknown duration. */
  readonly unknownDurations: number
}

/** What one event adds. `durationMs`: of the call that a result completes, if known. */
type Counted = Pick<ToolCalls, 'total' | 'failed' | 'durationMs'>

/** How a call ended. `tool`: the result's tool name; only results of todo tools have one. */
export interface CallEnd {
  readonly tool: string | undefined
  readonly failed: boolean
  readonly durationMs: number | undefined
}

/** The id of a call, or its row in an index. */
type CallId = string | number

/** Limit of open calls, and of completed ones kept to detect repeated results. Above it, the oldest half is dropped. */
const maxCalls = 100_000
const maxTools = 1000
const maxToolName = 120
const further = 'further tools'

const nothing: Counted = { total: 0, failed: 0, durationMs: null }

type Counts = { -readonly [K in keyof ToolCalls]: ToolCalls[K] }

/** Counts calls in log order, for stats, reports and the summary. The call of a todo tool counts at its result. */
export class CallCounts {
  private readonly tools = new Map<string, Counts>()
  private readonly open = new Map<CallId, Counts>()
  /** Completed calls, with the line of their first result; -1 if irrelevant. */
  private readonly done = new Map<CallId, number>()
  private total = 0
  private failed = 0

  /** Returns what the event adds. */
  add(event: AgentEvent): Counted {
    if (event.type === 'tool.started') return this.started(event.toolId, event.toolName)
    if (event.type === 'todo_list') this.onTodoList(event.todoId, event.source?.line)
    if (event.type !== 'tool.completed') return nothing
    const { toolId, toolName: tool, durationMs } = event
    return this.completed(toolId, { tool, failed: isFailedCall(event), durationMs }, event.source?.line)
  }

  started(id: CallId, tool: string): Counted {
    this.open.set(id, this.call(tool))
    if (this.open.size > maxCalls) dropOldest(this.open, maxCalls / 2)
    // A reused id is a new call.
    this.done.delete(id)
    return { total: 1, failed: 0, durationMs: null }
  }

  /** The first result of a call counts; later ones repeat it. `line`: of the result, if ids may be reused. */
  completed(id: CallId, { tool, failed, durationMs }: CallEnd, line = -1): Counted {
    const open = this.open.get(id)
    if (this.done.has(id) || (open === undefined && tool === undefined)) return nothing
    const counts = open ?? this.call(tool ?? '')
    this.open.delete(id)
    this.done.set(id, line)
    if (this.done.size > maxCalls) dropOldest(this.done, maxCalls / 2)
    if (failed) {
      counts.failed++
      this.failed++
    }
    if (durationMs !== undefined) {
      counts.unknownDurations--
      counts.durationMs = (counts.durationMs ?? 0) + durationMs
    }
    return { total: open === undefined ? 1 : 0, failed: failed ? 1 : 0, durationMs: durationMs ?? null }
  }

  /** A list on its result's line restores that of a rejected call. Any other is a new call; its id may be reused. */
  private onTodoList(id: string, line = -1): void {
    if (this.done.get(id) !== line) this.done.delete(id)
  }

  /** By number of calls, descending; ties by name. */
  get byTool(): readonly (ToolCalls & { readonly tool: string })[] {
    const tools = [...this.tools].map(([tool, counts]) => ({ tool, ...counts }))
    return tools.toSorted((a, b) => b.total - a.total || (a.tool < b.tool ? -1 : 1))
  }

  get all(): Pick<ToolCalls, 'total' | 'failed'> {
    return { total: this.total, failed: this.failed }
  }

  private call(toolName: string): Counts {
    const tool = toolName.slice(0, maxToolName)
    const name = this.tools.has(tool) || this.tools.size < maxTools ? tool : further
    const counts = this.tools.get(name) ?? { total: 0, failed: 0, durationMs: null, unknownDurations: 0 }
    this.tools.set(name, counts)
    counts.total++
    counts.unknownDurations++
    this.total++
    return counts
  }
}
