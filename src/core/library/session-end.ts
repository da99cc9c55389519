import type { AgentEvent, TurnCompleted } from '../events/agent-event.ts'
import type { SessionFormat } from '../formats/log-store.ts'
import { rowKindOf } from '../index/row-kind.ts'

/** The end of a session's last turn. `open`: no end, which others are told as `interrupted` unless the session is live. `empty`: no prompt or work. */
export type EndOfSession = 'done' | 'error' | 'interrupted' | 'open' | 'empty'

/** `answered`: the last event is a message of the agent. */
type State = EndOfSession | 'answered'

const ends: Record<TurnCompleted['finishReason'], State> = {
  done: 'done',
  error: 'error',
  timeout: 'error',
  cancelled: 'interrupted'
}

/** Limit of open calls. */
const maxOpen = 1000

/** Detects how a session ends, from its own agent's events in log order. */
export class SessionEnd {
  readonly #ends: SessionFormat['ends']
  readonly #open = new Set<string>()
  #state: State = 'empty'

  constructor(ends: SessionFormat['ends']) {
    this.#ends = ends
  }

  add(event: AgentEvent): void {
    switch (event.type) {
      case 'turn.completed':
        if (this.#ends === 'guessed' && event.finishReason === 'done' && this.#state !== 'answered') return
        this.#state = ends[event.finishReason]
        this.#open.clear()
        return
      case 'tool.started':
        if (this.#open.size < maxOpen) this.#open.add(event.toolId)
        this.#state = 'open'
        return
      case 'tool.completed':
        this.#open.delete(event.toolId)
        this.#onWork()
        return
      case 'todo_list':
        this.#onWork()
        return
      case 'error':
        // A line that is not JSON is not an error of the run.
        if (event.code !== 'JSONL_PARSE_ERROR') this.#state = 'error'
        return
      case 'text':
        this.#onText(event)
    }
  }

  get end(): EndOfSession {
    if (this.#state !== 'answered') return this.#state
    return this.#ends === undefined ? 'open' : 'done'
  }

  /** What a log alone says: nobody goes on with one that just ends, as far as it tells. */
  get state(): Exclude<EndOfSession, 'open'> {
    return this.end === 'open' ? 'interrupted' : this.end
  }

  #onText(event: AgentEvent & { type: 'text' }): void {
    switch (rowKindOf(event)) {
      case 'prompt':
        // The program handles `/exit` and `/model`, the shell `!ls`.
        if (isCommand(event.text)) this.#state = this.#state === 'empty' ? 'done' : this.#state
        else {
          this.#open.clear()
          this.#state = 'open'
        }
        return
      case 'assistant':
      case 'result-text':
        this.#state = this.#open.size === 0 ? 'answered' : 'open'
        return
      case 'reasoning':
        this.#onWork()
    }
  }

  /** Pending work of an ended turn is still written, so it reopens only an answered one. */
  #onWork(): void {
    if (this.#state === 'empty' || this.#state === 'answered') this.#state = 'open'
  }
}

function isCommand(text: string): boolean {
  return text.startsWith('!') || /^\/[\w:.-]+(?:\s|$)/.test(text)
}
