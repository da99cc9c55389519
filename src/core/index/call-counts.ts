import { dropOldest } from '../drop-oldest.ts'
import type { AgentEvent } from '../events/agent-event.ts'

/** How often a tool was called. */
export interface ToolCalls {
  readonly total: number
  /** Calls that were answered with an error. */
  readonly failed: number
  /** Of the calls whose duration is known, together; null where that is none. */
  readonly durationMs: number | null
  /** Calls whose duration the log does not tell. */
  readonly unknownDurations: number
}

/** Calls that are open at once; of more the oldest are counted, and not what came of them. */
const maxOpen = 100_000
const maxTools = 1000
const further = 'further tools'

interface Counts {
  total: number
  failed: number
  durationMs: number | null
  known: number
}

/** Counts the calls of a run while its events come, in log order. The call of a todo tool counts when it is answered. */
export class CallCounts {
  readonly #tools = new Map<string, Counts>()
  readonly #open = new Map<string, string>()
  readonly #todoCalls = new Set<string>()

  add(event: AgentEvent): void {
    if (event.type === 'tool.started') {
      this.#of(event.toolName).total++
      this.#open.set(event.toolId, event.toolName)
      if (this.#open.size > maxOpen) dropOldest(this.#open, maxOpen / 2)
    } else if (event.type === 'tool.completed') this.#answered(event)
  }

  /** The tool called most first. */
  get byTool(): readonly (ToolCalls & { readonly tool: string })[] {
    const tools = [...this.#tools].map(([tool, { known, ...counts }]) => ({
      tool,
      ...counts,
      unknownDurations: counts.total - known
    }))
    return tools.toSorted((a, b) => b.total - a.total)
  }

  get all(): Pick<ToolCalls, 'total' | 'failed'> {
    let total = 0
    let failed = 0
    for (const counts of this.#tools.values()) {
      total += counts.total
      failed += counts.failed
    }
    return { total, failed }
  }

  /** The first result of a call counts; others repeat it. */
  #answered(event: Extract<AgentEvent, { type: 'tool.completed' }>): void {
    const tool = this.#open.get(event.toolId) ?? event.toolName
    if (tool === undefined) return
    const isTodo = !this.#open.delete(event.toolId)
    if (isTodo && this.#todoCalls.has(event.toolId)) return
    const counts = this.#of(tool)
    if (isTodo) counts.total++
    if (isTodo && this.#todoCalls.size < maxOpen) this.#todoCalls.add(event.toolId)
    if (event.error !== undefined) counts.failed++
    if (event.durationMs === undefined) return
    counts.known++
    counts.durationMs = (counts.durationMs ?? 0) + event.durationMs
  }

  #of(tool: string): Counts {
    const name = this.#tools.has(tool) || this.#tools.size < maxTools ? tool : further
    let counts = this.#tools.get(name)
    if (counts === undefined) this.#tools.set(name, (counts = { total: 0, failed: 0, durationMs: null, known: 0 }))
    return counts
  }
}
