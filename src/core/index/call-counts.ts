import { dropOldest } from '../drop-oldest.ts'
import type { AgentEvent } from '../events/agent-event.ts'
import { isFailedCall } from './failed-call.ts'

/** How often a tool was called. */
export interface ToolCalls {
  readonly total: number
  /** `isFailedCall`. */
  readonly failed: number
  /** Of the calls whose duration is known, together; null where that is none. */
  readonly durationMs: number | null
  /** Calls whose duration the log does not tell. */
  readonly unknownDurations: number
}

/** What one event adds. `durationMs`: of the call that it answers, where that is known. */
type Counted = Pick<ToolCalls, 'total' | 'failed' | 'durationMs'>

/** How a call ended. `tool`: as the result names it, which only those of todo tools do. */
export interface CallEnd {
  readonly tool: string | undefined
  readonly failed: boolean
  readonly durationMs: number | undefined
}

/** What calls are told apart by: ids, or the rows of an index. */
type CallId = string | number

/** Calls that are open at once, and answered ones that are told again; of more the oldest are forgotten. */
const maxCalls = 100_000
const maxTools = 1000
const maxToolName = 120
const further = 'further tools'

const nothing: Counted = { total: 0, failed: 0, durationMs: null }

type Counts = { -readonly [K in keyof ToolCalls]: ToolCalls[K] }

/**
 * Counts the calls of a run while its events come, in log order: the one count that stats, reports and the summary show. The call of a todo tool counts
 * when it is answered. Ids are those of events, which no two parts of a run share (`stamp`).
 */
export class CallCounts {
  private readonly tools = new Map<string, Counts>()
  private readonly open = new Map<CallId, Counts>()
  /** Answered calls, with the line of their first result; -1 where it does not matter. */
  private readonly done = new Map<CallId, number>()
  private total = 0
  private failed = 0

  /** Gives what the event adds. */
  add(event: AgentEvent): Counted {
    if (event.type === 'tool.started') return this.called(event.toolId, event.toolName)
    if (event.type === 'todo_list') this.listed(event.todoId, event.source?.line)
    if (event.type !== 'tool.completed') return nothing
    const { toolId, toolName: tool, durationMs } = event
    return this.answered(toolId, { tool, failed: isFailedCall(event), durationMs }, event.source?.line)
  }

  /** A tool was called. */
  called(id: CallId, tool: string): Counted {
    this.open.set(id, this.call(tool))
    if (this.open.size > maxCalls) dropOldest(this.open, maxCalls / 2)
    // An id that is used again is that of another call.
    this.done.delete(id)
    return { total: 1, failed: 0, durationMs: null }
  }

  /** A call was answered. The first result of a call counts; others repeat it. `line`: where, of ids that may be used again. */
  answered(id: CallId, { tool, failed, durationMs }: CallEnd, line = -1): Counted {
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

  /** A todo list that an answer states, as a rejected call's does, is no call; any other is, and its id may have been used before. */
  private listed(id: string, line = -1): void {
    if (this.done.get(id) !== line) this.done.delete(id)
  }

  /** The tool called most first, those called as often by name. */
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
