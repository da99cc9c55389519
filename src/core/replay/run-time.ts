import type { AgentEvent } from '../events/agent-event.ts'
import { rowKindOf, rowKinds } from '../index/row-kind.ts'
import { TurnStarts } from './turns.ts'

/** How long a run was, in ms. */
export interface RunTimes {
  /** From the first to the last time that its records state. */
  readonly wallMs: number
  /** What is left of it without the waiting. */
  readonly activeMs: number
  /** For the person: from the last event of a turn to the next prompt, and while a question was open. */
  readonly waitingMs: number
}

/** Tools that ask the person something: Claude Code, Codex and Gemini CLI. */
const asking: ReadonlySet<string> = new Set([
  ...['AskUserQuestion', 'ExitPlanMode'],
  'request_user_input',
  ...['ask_user', 'exit_plan_mode']
])

/** Questions that are open at once. */
const maxOpen = 100

/** Measures a run while its events come, in log order. */
export class RunTime {
  readonly #starts = new TurnStarts()
  readonly #questions = new Set<string>()
  #first = Infinity
  #last = -Infinity
  /** Of the main agent's last event before. */
  #lastAct: number | null = null
  #waitingMs = 0

  add(event: AgentEvent): void {
    const begins = event.trackId === undefined && this.#starts.next(rowKinds.indexOf(rowKindOf(event)))
    this.#ask(event)
    if ((event.timestampFrom ?? 'record') !== 'record' || event.timestamp === 0) return
    const at = event.timestamp
    this.#first = Math.min(this.#first, at)
    this.#last = Math.max(this.#last, at)
    if (event.trackId !== undefined) return
    if (begins && this.#lastAct !== null) this.#waitingMs += Math.max(0, at - this.#lastAct)
    this.#lastAct = at
  }

  /** Null where the log does not state two times. */
  get times(): RunTimes | null {
    const wallMs = this.#last - this.#first
    if (!(wallMs > 0)) return null
    // Times go back in real logs: then a wait may count twice.
    const waitingMs = Math.min(wallMs, this.#waitingMs)
    return { wallMs, activeMs: wallMs - waitingMs, waitingMs }
  }

  #ask(event: AgentEvent): void {
    if (event.type === 'tool.started' && asking.has(event.toolName) && this.#questions.size < maxOpen) {
      this.#questions.add(event.toolId)
    }
    if (event.type !== 'tool.completed' || !this.#questions.delete(event.toolId)) return
    this.#waitingMs += event.durationMs ?? 0
  }
}
