import { closeSync, openSync, writeSync } from 'node:fs'
import type { AskNote } from '#core/dialogue/ask-note.ts'
import type { SentNote } from '#core/dialogue/sent-note.ts'
import { openFailure } from './recording-files.ts'

/** Writes `dialogue.jsonl`. Each note is in the file when `add` returns, so that none is lost if Playhead is killed. */
export class DialogueFile {
  readonly #descriptor: number

  /** Throws a `HostError` if the file exists or cannot be created. */
  constructor(path: string) {
    try {
      this.#descriptor = openSync(path, 'ax', 0o600)
    } catch (error) {
      throw openFailure(path, error)
    }
  }

  /** Throws a system error, such as a full disk. */
  add(notes: readonly (AskNote | SentNote)[]): void {
    const bytes = Buffer.from(notes.map((note) => `${JSON.stringify(note)}\n`).join(''))
    for (let done = 0; done < bytes.length;) done += writeSync(this.#descriptor, bytes, done)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
