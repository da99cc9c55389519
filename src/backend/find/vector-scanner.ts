import type { Pattern } from '#queries/find/pattern.ts'
import { countBytes, fittingBytes, type Scanner } from '#queries/find/scanner.ts'
import scanModule from './scan.wat'

/** A page of WebAssembly memory. */
const pageBytes = 1 << 16

const vectorBytes = 16
/** Bytes that the module may read beyond the window. */
const slack = 4 * vectorBytes

/** Offsets of a pattern in memory, as in `scan.wat`; its bytes and masks follow. */
const patternHeader = { length: 0, first: 4, second: 8, padded: 12, end: 16 } as const

interface ScanExports {
  readonly memory: WebAssembly.Memory
  run(at: number, to: number, pattern: number): number
}

/** A WebAssembly scanner, many times faster than JavaScript. */
export class VectorScanner implements Scanner {
  window: Buffer = Buffer.alloc(0)
  readonly #patterns: readonly Pattern[]
  readonly #exports: ScanExports
  /** By pattern. */
  readonly #addresses: number[] = []
  /** Address of the window. */
  readonly #start: number

  constructor(patterns: readonly Pattern[], windowBytes: number) {
    this.#exports = new WebAssembly.Instance(scanModule).exports as ScanExports
    this.#patterns = patterns
    let address = 0
    for (const pattern of patterns) {
      this.#addresses.push(address)
      address += patternHeader.end + 2 * paddedLength(pattern)
    }
    this.#start = address
    this.grow(windowBytes)
    patterns.forEach((pattern, i) => this.#place(pattern, this.#addresses[i] ?? 0))
  }

  grow(windowBytes: number): void {
    const { memory } = this.#exports
    const missing = this.#start + windowBytes + slack - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
    this.window = Buffer.from(memory.buffer, this.#start, windowBytes)
  }

  tune(sample: Uint8Array): void {
    const counts = countBytes(sample)
    this.#patterns.forEach((pattern, i) => {
      const places = Array.from({ length: pattern.bytes.length }, (_, place) => place)
      const often = fittingBytes(pattern, counts)
      const [first = 0, second = first] = places.sort((a, b) => (often[a] ?? 0) - (often[b] ?? 0))
      this.#write(this.#addresses[i] ?? 0, { first, second })
    })
  }

  next(pattern: number, from: number, to: number): number {
    const found = this.#exports.run(this.#start + from, this.#start + to, this.#addresses[pattern] ?? 0)
    return found < 0 ? -1 : found - this.#start
  }

  #place(pattern: Pattern, address: number): void {
    const padded = paddedLength(pattern)
    const memory = new Uint8Array(this.#exports.memory.buffer)
    memory.set(pattern.bytes, address + patternHeader.end)
    memory.set(pattern.masks, address + patternHeader.end + padded)
    this.#write(address, { length: pattern.bytes.length, first: 0, second: pattern.bytes.length - 1, padded })
  }

  #write(address: number, header: Partial<Record<keyof typeof patternHeader, number>>): void {
    const memory = new DataView(this.#exports.memory.buffer)
    for (const [name, value] of Object.entries(header)) {
      memory.setInt32(address + patternHeader[name as keyof typeof patternHeader], value, true)
    }
  }
}

function paddedLength({ bytes }: Pattern): number {
  return Math.ceil(bytes.length / vectorBytes) * vectorBytes
}
