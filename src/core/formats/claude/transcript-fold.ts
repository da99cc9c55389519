import type { Fold, FoldContext, FoldResult, LinePosition } from '../log-format.ts'
import type { Step, TranscriptDecoded } from './decoded.ts'
import { ClaudeFold } from './fold.ts'
import { SubagentTracks } from './subagent-tracks.ts'

const endings = new Set(['end_turn', 'stop_sequence', 'max_tokens', 'refusal'])

/** Puts a transcript in order: sessions, subagents, and the ends of turns, which have no record of their own (formats.md 4.5). */
export class TranscriptFold implements Fold<TranscriptDecoded> {
  readonly #fold: ClaudeFold
  readonly #tracks = new SubagentTracks()
  readonly #turn: TurnOfTranscript
  readonly #sessions = new Set<string>()

  constructor(context: FoldContext) {
    this.#fold = new ClaudeFold(context)
    this.#turn = new TurnOfTranscript(this.#fold)
  }

  add(at: LinePosition, decoded: TranscriptDecoded): FoldResult {
    if (!this.#fold.begin(at, decoded)) return this.#fold.take()
    this.#startSession(decoded)
    const track = this.#tracks.trackOf(decoded.origin)
    this.#turn.next(decoded, track)
    for (const step of decoded.steps) this.#step(step, decoded, track)
    return this.#fold.take(track)
  }

  /** A transcript may stop anywhere; what was not said is not made up. */
  end(): FoldResult {
    return this.#fold.take()
  }

  /** At the first line of a session that has something to say: the bookkeeping before it knows neither folder nor version. */
  #startSession({ sessionId, cwd, version, drafts }: TranscriptDecoded): void {
    if (sessionId === undefined || this.#sessions.has(sessionId)) return
    if (cwd === undefined && version === undefined && drafts.length === 0) return
    this.#turn.sessionEnds()
    this.#sessions.add(sessionId)
    this.#fold.make(
      {
        type: 'session.started',
        ...(cwd === undefined ? undefined : { cwd }),
        ...(version === undefined ? undefined : { version })
      },
      undefined
    )
  }

  #step(step: Step, decoded: TranscriptDecoded, track: string | undefined): void {
    if (step.kind === 'agent-call') this.#tracks.call(step.id, step.promptHash)
    if (step.kind === 'result' && step.agentId !== undefined) this.#tracks.answered(step.id, step.agentId)
    if (track === undefined) {
      if (step.kind === 'interrupt') {
        this.#turn.end('cancelled')
        return
      }
      if (step.kind === 'turn-end') {
        this.#turn.endsAt(step.body, decoded)
        return
      }
      if (step.kind === 'prompt') this.#turn.prompt()
    }
    this.#fold.step(step, decoded, track)
  }
}

/** The main agent's turn: exactly one `turn.completed` each, from whichever sign comes first. */
class TurnOfTranscript {
  readonly #fold: ClaudeFold
  #open = false
  /** The agent has done something since the last prompt. */
  #answered = false
  /** The last thing the agent said was an API error. */
  #failed = false
  /** A response with a final stop reason; more lines of the same message may follow it. */
  #ending: { messageId: string | undefined } | null = null

  constructor(fold: ClaudeFold) {
    this.#fold = fold
  }

  /** A line begins: the response before it may be over, and this one may go on with it. */
  next({ message, steps, drafts, meta }: TranscriptDecoded, track: string | undefined): void {
    const said = track === undefined ? message : undefined
    const ending = this.#ending
    if (ending !== null && (said?.id === undefined || said.id !== ending.messageId)) {
      this.#ending = null
      // A line which is itself the end of the turn says more about it.
      // After a word of the harness (a cut-off stream, a stop hook) the agent goes on with the same turn.
      if (!meta && !steps.some((step) => step.kind === 'turn-end' || step.kind === 'interrupt')) this.#close()
    }
    if (track !== undefined || drafts.length + steps.length === 0) return
    if (said !== undefined) {
      this.#open = true
      this.#answered = true
      this.#failed = said.isError
      this.#ending = endings.has(said.stopReason ?? '') ? { messageId: said.id } : null
    } else if (steps.some((step) => step.kind === 'result')) {
      this.#open = true
      this.#answered = true
    }
  }

  /** A genuine user prompt: the turn before it is over, if the agent did anything in it. */
  prompt(): void {
    if (this.#answered) this.#close()
    this.#open = true
  }

  /** Another session goes on in the same file. */
  sessionEnds(): void {
    if (this.#answered) this.#close()
  }

  end(finishReason: 'cancelled'): void {
    if (this.#open) this.#fold.make({ type: 'turn.completed', finishReason }, undefined)
    this.#reset()
  }

  /** The turn ends with the draft at `body`, unless it already has. */
  endsAt(body: number, decoded: TranscriptDecoded): void {
    if (this.#open) this.#fold.emit(decoded, body, undefined)
    this.#reset()
  }

  #close(): void {
    if (this.#open) {
      this.#fold.make({ type: 'turn.completed', finishReason: this.#failed ? 'error' : 'done' }, undefined)
    }
    this.#reset()
  }

  #reset(): void {
    this.#open = false
    this.#answered = false
    this.#failed = false
    this.#ending = null
  }
}
