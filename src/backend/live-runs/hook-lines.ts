import { DialogueNote } from '#core/bridge/dialogue-note.ts'
import { type HookResult, hookResult } from '#core/formats/claude/hook-result.ts'
import { decodeRecord } from '#core/formats/decode-line.ts'
import { isFiniteNumber, isJsonObject } from '#core/json.ts'
import { type Line, LineSplitter } from '#core/lines/line-splitter.ts'
import type { GrowingFile } from './growing-file.ts'

/** A line of `hooks.jsonl`. */
export interface HookLine {
  /** Null: not understood. */
  readonly hook: HookResult | null
  /** From the host of an interactive run; null: from the hook. */
  readonly dialogue: DialogueNote | null
  /** Size of the recording when the hook ran; 0: unknown. */
  readonly stdoutBytes: number
  /** Offset behind the line. */
  readonly end: number
}

const chunkBytes = 1 << 18
const utf8 = new TextDecoder()

/** Reads `hooks.jsonl`, which the agent's hook and the host of an interactive run append to, line by line. */
export class HookLines {
  readonly #file: GrowingFile
  readonly #splitter = new LineSplitter((line) => this.#onLine(line))
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes)
  #waiting: HookLine[] = []
  #read = 0

  constructor(file: GrowingFile) {
    this.#file = file
  }

  /** The next line; null: none yet. */
  async first(): Promise<HookLine | null> {
    while (this.#waiting.length === 0) {
      const bytes = await this.#file.read(this.#chunk, this.#read)
      if (bytes.length === 0) return null
      this.#read += bytes.length
      this.#splitter.push(bytes)
    }
    return this.#waiting[0] ?? null
  }

  /** Removes the first line. */
  shift(): void {
    this.#waiting.shift()
  }

  #onLine({ offset, length, bytes }: Line): void {
    // Playhead writes this file with one-byte line ends.
    const end = offset + length + 1
    const parsed = bytes === null ? null : decodeRecord(utf8.decode(bytes), 'lines')
    const said = parsed?.ok === true && isJsonObject(parsed.value) ? parsed.value : {}
    const at = said['stdoutBytes']
    const dialogue = DialogueNote.safeParse(said['dialogue']).data ?? null
    const hook = hookResult(said['hook'] ?? null)
    this.#waiting.push({ hook, dialogue, stdoutBytes: isFiniteNumber(at) ? at : 0, end })
  }
}
