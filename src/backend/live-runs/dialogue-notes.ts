import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { messageOf } from '#contract/host-error.ts'
import type { DialogueNote } from '#core/bridge/dialogue-note.ts'
import { type AskNote, noteOfAsk, noteOfWithdrawal } from '#core/dialogue/ask-note.ts'
import type { DialogueStep } from '#core/dialogue/dialogue.ts'
import type { SentNote } from '#core/dialogue/sent-note.ts'
import { addHostNotes } from './host-notes.ts'
import { openFailure } from './recording-files.ts'
import type { RunFiles } from './run-folder.ts'
import type { SessionLogFile } from './session-log-file.ts'

export interface DialogueNotesOptions {
  readonly files: Pick<RunFiles, 'dialogue' | 'hooks'>
  /** The file of standard output. */
  readonly printed: string
  /** Finds the agent's own log, of which the recording is a copy; null: the recording is what is printed. */
  readonly ownLog: SessionLogFile | null
  readonly now: () => number
  /** `dialogue.jsonl` cannot be written, for example because the disk is full. The end of a sentence. */
  readonly failed: (why: string) => void
  /** A sentence for the operator of the host. */
  readonly problem: (message: string) => void
}

export interface SentLine {
  readonly line: string
  readonly by: SentNote['by']
  readonly secret: boolean
}

/**
 * What is written of a conversation: the lines sent and the asks in `dialogue.jsonl`, and for the stream of the run what changed, each
 * with its place in the recording. A note is in its file when its method returns, so that none is lost if Playhead is killed.
 */
export class DialogueNotes {
  readonly #options: DialogueNotesOptions
  readonly #file: number
  /** Bytes of what was printed up to the end of the last record. */
  readBytes = 0
  /** The agent's own log. */
  #log: string | null = null

  /** Creates `dialogue.jsonl`. Throws a `HostError` if it exists or cannot be created. */
  constructor(options: DialogueNotesOptions) {
    this.#options = options
    const { dialogue } = options.files
    try {
      this.#file = openSync(dialogue, 'ax', 0o600)
    } catch (error) {
      throw openFailure(dialogue, error)
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  /** Looks for the agent's own log until it is there. */
  async findLog(session: string | null): Promise<void> {
    const { ownLog } = this.#options
    if (ownLog === null || session === null || this.#log !== null) return
    // The feed says it if a log cannot be read.
    this.#log = await ownLog.find(session).catch(() => null)
  }

  /** Lines that are about to be sent. False: they cannot be noted. */
  sent(lines: readonly SentLine[]): boolean {
    const [at, after] = [this.#options.now(), bytesOf(this.#options.printed)]
    return this.#add(lines.map(({ line, by, secret }) => ({ at, after, by, sent: secret ? null : line })))
  }

  /** For the rows of a run whose recording does not have what the agent asks. */
  asks(steps: readonly DialogueStep[]): void {
    if (this.#options.ownLog === null) return
    const at = this.#options.now()
    const notes = steps.flatMap((step): AskNote[] => {
      if (step.do !== 'tell') return []
      if (step.change.kind === 'asked') return [noteOfAsk(at, step.change.ask)]
      const isWithdrawn = step.change.kind === 'decided' && step.change.decision === 'withdrawn'
      return isWithdrawn ? [noteOfWithdrawal(at, step.change.ask)] : []
    })
    this.#add(notes)
  }

  /** For the stream of the run, in order with what the agent printed before. */
  changes(notes: readonly DialogueNote[]): void {
    if (notes.length === 0) return
    try {
      addHostNotes(this.#options.files.hooks, this.#before, notes)
    } catch (error) {
      this.#options.problem(`The stream of an interactive run lacks answers and turns: ${messageOf(error)}`)
    }
  }

  /** Bytes of the recording that precede what happens now; 0: not known. */
  get #before(): number {
    if (this.#options.ownLog === null) return this.readBytes
    // The agent saves before it prints. The copy may be behind.
    return this.#log === null ? 0 : bytesOf(this.#log)
  }

  #add(notes: readonly (AskNote | SentNote)[]): boolean {
    const bytes = Buffer.from(notes.map((note) => `${JSON.stringify(note)}\n`).join(''))
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done)
      return true
    } catch (error) {
      this.#options.failed(`${this.#options.files.dialogue} could not be written (${messageOf(error)})`)
      return false
    }
  }
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
