import { terminalSafeText } from '#core/terminal-safe-text.ts'
import jsonStringModule from './json-string.wat'

/** Of WebAssembly memory. */
const pageBytes = 1 << 16
/** Of a longer text so many UTF-16 units are written at a time. */
const unitsAtOnce = 1 << 15
/** Bytes of such a unit, and the most it becomes: `\u0000`. */
const unitBytes = 2
const mostOfUnit = 6
/** What the module may read and write beyond a text and what becomes of it, in bytes. */
const slack = 32
const quote = 0x22

const asciiUnits = 128
/** Bytes of the escape of a unit in the table. */
const escapeBytes = 16

const textAt = asciiUnits * escapeBytes
const outAt = textAt + unitsAtOnce * unitBytes + slack
const pages = Math.ceil((outAt + unitsAtOnce * mostOfUnit + 2 + slack) / pageBytes)

interface JsonStringExports {
  readonly memory: WebAssembly.Memory
  run(at: number, to: number, out: number): number
}

/**
 * Gives what `JSON.stringify` and then `terminalSafeText` make of a string, in UTF-8: in several parts where it is long, each valid until
 * the next. Several times faster than to make a string of it first.
 */
export function jsonString(text: string, give: (bytes: Uint8Array) => void): void {
  writer ??= new JsonStringWriter()
  writer.write(text, give)
}

/** One for each thread. */
let writer: JsonStringWriter | null = null

class JsonStringWriter {
  private readonly run: JsonStringExports['run']
  private readonly memory: Buffer

  constructor() {
    const { memory, run } = new WebAssembly.Instance(jsonStringModule).exports as JsonStringExports
    this.run = run
    memory.grow(pages - memory.buffer.byteLength / pageBytes)
    this.memory = Buffer.from(memory.buffer)
    this.memory.set(escapeTable())
    this.memory[outAt] = quote
  }

  write(text: string, give: (bytes: Uint8Array) => void): void {
    let at = 0
    do {
      const to = partEnd(text, at)
      const length = this.memory.write(to - at === text.length ? text : text.slice(at, to), textAt, 'utf16le')
      let end = this.run(textAt, textAt + length, outAt + 1)
      if (to === text.length) this.memory[end++] = quote
      give(this.memory.subarray(at === 0 ? outAt : outAt + 1, end))
      at = to
    } while (at < text.length)
  }
}

/** As the module wants it at the beginning of its memory. */
function escapeTable(): Uint8Array {
  const table = new Uint8Array(asciiUnits * escapeBytes)
  for (let unit = 0; unit < asciiUnits; unit++) {
    const escape = terminalSafeText(JSON.stringify(String.fromCharCode(unit))).slice(1, -1)
    if (escape.length === 1) continue
    table.set(new TextEncoder().encode(escape), unit * escapeBytes)
    table[(unit + 1) * escapeBytes - 1] = escape.length
  }
  return table
}

/** A pair of surrogates is one character. */
function partEnd(text: string, from: number): number {
  const to = from + unitsAtOnce
  if (to >= text.length) return text.length
  return isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}
