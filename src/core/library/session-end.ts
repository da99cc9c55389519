import type { AgentEvent, TurnCompleted } from '../events/agent-event.ts'
import type { SessionTeller } from '../formats/log-store.ts'
import { rowKindOf } from '../index/row-kind.ts'

/** Whether the last turn of a session has an end. `open`: it has none. `empty`: nothing was asked or done. */
export type EndOfSession = 'done' | 'error' | 'interrupted' | 'open' | 'empty'

/** `said`: the agent has said something, and nothing came after it. */
type State = EndOfSession | 'said'

const ends: Record<TurnCompleted['finishReason'], State> = {
  done: 'done',
  error: 'error',
  timeout: 'error',
  cancelled: 'interrupted'
}

/** Calls that are open at once. */
const maxOpen = 1000

/** How a session ends, told while the events of its own agent come, in log order. */
export class SessionEnd {
  readonly #ends: SessionTeller['ends']
  readonly #open = new Set<string>()
  #state: State = 'empty'

  constructor(ends: SessionTeller['ends']) {
    this.#ends = ends
  }

  add(event: AgentEvent): void {
    switch (event.type) {
      case 'turn.completed':
        if (this.#ends === 'guessed' && event.finishReason === 'done' && this.#state !== 'said') return
        this.#state = ends[event.finishReason]
        this.#open.clear()
        return
      case 'tool.started':
        if (this.#open.size < maxOpen) this.#open.add(event.toolId)
        this.#state = 'open'
        return
      case 'tool.completed':
        this.#open.delete(event.toolId)
        this.#goesOn()
        return
      case 'todo_list':
        this.#goesOn()
        return
      case 'error':
        // A line that is no JSON says nothing of the run.
        if (event.code !== 'JSONL_PARSE_ERROR') this.#state = 'error'
        return
      case 'text':
        this.#said(event)
    }
  }

  get end(): EndOfSession {
    if (this.#state !== 'said') return this.#state
    return this.#ends === undefined ? 'open' : 'done'
  }

  #said(event: AgentEvent & { type: 'text' }): void {
    switch (rowKindOf(event)) {
      case 'prompt':
        // `/exit` and `/model` are answered by the program, and `!ls` by the shell.
        if (isCommand(event.text)) this.#state = this.#state === 'empty' ? 'done' : this.#state
        else {
          this.#open.clear()
          this.#state = 'open'
        }
        return
      case 'assistant':
      case 'result-text':
        this.#state = this.#open.size === 0 ? 'said' : 'open'
        return
      case 'reasoning':
        this.#goesOn()
    }
  }

  /** What was under way when a turn was ended is still written. */
  #goesOn(): void {
    if (this.#state === 'empty' || this.#state === 'said') this.#state = 'open'
  }
}

function isCommand(text: string): boolean {
  return text.startsWith('!') || /^\/[\w:.-]+(?:\s|$)/.test(text)
}
