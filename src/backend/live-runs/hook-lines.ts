import { type HookResult, hookResult } from '#core/bridge/hook-result.ts'
import { decodeRecord } from '#core/formats/decode-line.ts'
import { isFiniteNumber, isJsonObject } from '#core/json.ts'
import { type Line, LineSplitter } from '#core/lines/line-splitter.ts'
import type { GrowingFile } from './growing-file.ts'

/** What one line of a run's hooks tells. */
export interface HookLine {
  /** null: nothing that Playhead understands. */
  readonly hook: HookResult | null
  /** How long the recording was when the hook ran; 0 where the line does not say. */
  readonly stdoutBytes: number
  /** Where the line ends in its file. */
  readonly end: number
}

const chunkBytes = 1 << 18
const utf8 = new TextDecoder()

/** Reads the file to which the agent's hook appends its results, a line each: a few at a time, in order. */
export class HookLines {
  readonly #file: GrowingFile
  readonly #splitter = new LineSplitter((line) => this.#take(line))
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes)
  #waiting: HookLine[] = []
  #read = 0

  constructor(file: GrowingFile) {
    this.#file = file
  }

  /** The next line; null: there is none so far. */
  async first(): Promise<HookLine | null> {
    while (this.#waiting.length === 0) {
      const bytes = await this.#file.read(this.#chunk, this.#read)
      if (bytes.length === 0) return null
      this.#read += bytes.length
      this.#splitter.push(bytes)
    }
    return this.#waiting[0] ?? null
  }

  /** The first line is done with. */
  shift(): void {
    this.#waiting.shift()
  }

  #take({ offset, length, bytes }: Line): void {
    // A line end of one byte: Playhead writes this file.
    const end = offset + length + 1
    const parsed = bytes === null ? null : decodeRecord(utf8.decode(bytes), 'lines')
    const said = parsed?.ok === true && isJsonObject(parsed.value) ? parsed.value : {}
    const at = said['stdoutBytes']
    this.#waiting.push({ hook: hookResult(said['hook'] ?? null), stdoutBytes: isFiniteNumber(at) ? at : 0, end })
  }
}
