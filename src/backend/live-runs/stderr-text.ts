import type { GrowingFile } from './growing-file.ts'

const chunkBytes = 1 << 16

/** Reads standard error as text without splitting characters. */
export class StderrText {
  readonly #file: GrowingFile
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes)
  #consumed: number

  /** `consumed`: bytes of whole characters read before. */
  constructor(file: GrowingFile, consumed: number) {
    this.#file = file
    this.#consumed = consumed
  }

  get consumed(): number {
    return this.#consumed
  }

  /** The next text up to the byte `to`, else null. At the end an incomplete character is returned as it is. */
  async next(isOver: boolean, to = Infinity): Promise<string | null> {
    const bytes = await this.#file.read(this.#chunk.subarray(0, to - this.#consumed), this.#consumed)
    const isAll = this.#consumed + bytes.length === to || (isOver && bytes.length < chunkBytes)
    const whole = bytes.subarray(0, isAll ? bytes.length : wholeCharacters(bytes))
    if (whole.length === 0) return null
    this.#consumed += whole.length
    return whole.toString()
  }
}

/** Bytes before a character that may be incomplete. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte < 0xc0) continue
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return back < wanted ? bytes.length - back : bytes.length
  }
  return bytes.length
}
