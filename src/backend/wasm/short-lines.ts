import { isUtf8 } from 'node:buffer'
import type { TextsToCut } from '#core/formats/log-format.ts'
import { cutCode, longestName, nameBytes, namesAt, slack, traits, traitsAt } from './cut-code.ts'
import { utf8Text } from './utf8-text.ts'

/** Of WebAssembly memory. */
const pageBytes = 1 << 16

const mostBytes = 1 << 20

interface CutExports {
  readonly memory: WebAssembly.Memory
  run(at: number, to: number, out: number): number
}

/** Lines as JSON texts whose long strings are cut where a format allows it: several times faster to read than the whole. */
export class ShortLines {
  private readonly exports: CutExports
  /** Where the bytes of the lines lie. */
  private readonly linesAt: number
  private memory: Buffer
  /** Of the text given last. */
  isCut = false
  isAscii = false

  constructor({ names, wholeAt }: TextsToCut) {
    this.linesAt = namesAt + nameBytes * (names.length + 1)
    const module = new WebAssembly.Module(cutCode(Math.ceil(this.linesAt / pageBytes)))
    this.exports = new WebAssembly.Instance(module).exports as CutExports
    this.memory = Buffer.from(this.exports.memory.buffer)
    this.setTraits('"\\/bfnrt', traits.shortEscape)
    this.setTraits('u', traits.unicodeEscape)
    this.setTraits('0123456789abcdefABCDEF', traits.hexDigit)
    // What an escape stands for is not told by its first byte.
    this.setTraits(`\\${wholeAt}`, traits.wholeText)
    for (const [index, name] of names.entries()) this.setName(namesAt + nameBytes * index, name)
  }

  /** The line's text, `isCut` or whole; null where something is wrong with it, or it is too long. */
  textOf(line: Uint8Array): string | null {
    const bytes = this.cut(line)
    if (bytes === null) return null
    return this.isAscii
      ? this.memory.toString('latin1', bytes.byteOffset, bytes.byteOffset + bytes.length)
      : utf8Text(bytes)
  }

  /** The bytes of that text, valid until the next line is cut. */
  cut(bytes: Uint8Array): Uint8Array | null {
    if (bytes.length > mostBytes || !isUtf8(bytes)) return null
    const to = this.linesAt + bytes.length
    const out = to + slack
    if (out + bytes.length + slack > this.memory.length) this.grow(out + bytes.length + slack)
    this.memory.set(bytes, this.linesAt)
    const written = this.exports.run(this.linesAt, to, out)
    if (written < 0) return null
    const end = written >> 1
    this.isCut = end - out < bytes.length
    this.isAscii = (written & 1) === 0
    return this.memory.subarray(out, end)
  }

  private setTraits(characters: string, trait: number): void {
    for (const character of characters) {
      const at = traitsAt + character.charCodeAt(0)
      this.memory[at] = (this.memory[at] ?? 0) | trait
    }
  }

  private setName(at: number, name: string): void {
    if (name === '' || name.length > longestName) throw new Error(`a name of ${name.length} characters`)
    this.memory.write(`${name}"`, at, 'latin1')
    this.memory.fill(0xff, at + nameBytes / 2, at + nameBytes / 2 + name.length + 1)
  }

  private grow(bytes: number): void {
    const { memory } = this.exports
    memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / pageBytes))
    this.memory = Buffer.from(memory.buffer)
  }
}
