import { dropOldest } from '../drop-oldest.ts'
import type { AgentEvent, ToolCompleted } from '../events/agent-event.ts'
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

/** Of all tools, or what one event adds to that. */
type Counted = Pick<ToolCalls, 'total' | 'failed'>

/** Calls that are open at once, and answered ones that are told again; of more the oldest are forgotten. */
const maxCalls = 100_000
const maxTools = 1000
const maxToolName = 120
const further = 'further tools'

const nothing: Counted = { total: 0, failed: 0 }

type Counts = { -readonly [K in keyof ToolCalls]: ToolCalls[K] }

/**
 * Counts the calls of a run while its events come, in log order: the one count that stats and reports show. The call of a todo tool counts
 * when it is answered. Ids are those of events, which no two parts of a run share (`stamp`).
 */
export class CallCounts {
  readonly #tools = new Map<string, Counts>()
  readonly #open = new Map<string, Counts>()
  readonly #answered = new Set<string>()
  #total = 0
  #failed = 0

  /** Gives what the event adds. */
  add(event: AgentEvent): Counted {
    if (event.type === 'tool.completed') return this.#answer(event)
    if (event.type !== 'tool.started') return nothing
    this.#open.set(event.toolId, this.#call(event.toolName))
    if (this.#open.size > maxCalls) dropOldest(this.#open, maxCalls / 2)
    // An id that is used again is that of another call.
    this.#answered.delete(event.toolId)
    return { total: 1, failed: 0 }
  }

  /** The tool called most first, those called as often by name. */
  get byTool(): readonly (ToolCalls & { readonly tool: string })[] {
    const tools = [...this.#tools].map(([tool, counts]) => ({ tool, ...counts }))
    return tools.toSorted((a, b) => b.total - a.total || (a.tool < b.tool ? -1 : 1))
  }

  get all(): Counted {
    return { total: this.#total, failed: this.#failed }
  }

  /** The first result of a call counts; others repeat it. */
  #answer(event: ToolCompleted): Counted {
    const { toolId, toolName, durationMs } = event
    const open = this.#open.get(toolId)
    if (this.#answered.has(toolId) || (open === undefined && toolName === undefined)) return nothing
    const counts = open ?? this.#call(toolName ?? '')
    this.#open.delete(toolId)
    this.#answered.add(toolId)
    if (this.#answered.size > maxCalls) dropOldest(this.#answered, maxCalls / 2)
    const failed = isFailedCall(event) ? 1 : 0
    counts.failed += failed
    this.#failed += failed
    if (durationMs !== undefined) {
      counts.unknownDurations--
      counts.durationMs = (counts.durationMs ?? 0) + durationMs
    }
    return { total: open === undefined ? 1 : 0, failed }
  }

  #call(toolName: string): Counts {
    const tool = toolName.slice(0, maxToolName)
    const name = this.#tools.has(tool) || this.#tools.size < maxTools ? tool : further
    const counts = this.#tools.get(name) ?? { total: 0, failed: 0, durationMs: null, unknownDurations: 0 }
    this.#tools.set(name, counts)
    counts.total++
    counts.unknownDurations++
    this.#total++
    return counts
  }
}
