import { closeSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs'
import type { FileFacts } from '../../sources/file-facts.ts'
import { trigramNumbers } from './trigrams.ts'

/** The beginning of the file; another number where anything of it means something else. */
const magic = 'PLTG0001'
const fixedBytes = 16

/** A log as it was when its trigrams were noted. */
export interface IndexedLog {
  readonly path: string
  /** What the system said of the file: where it says anything else, the log is another one. */
  readonly facts: string
  readonly bytes: number
  /** Where its blocks begin, and the column of each; a block ends where the next one begins. */
  readonly blocks: readonly (readonly [from: number, column: number])[]
}

/** Which trigrams stand in which blocks: a row for each trigram, in it a bit for each column. No text of any log. */
export interface SegmentContent {
  readonly logs: readonly IndexedLog[]
  /** A multiple of 8. */
  readonly columns: number
  readonly rows: Uint8Array
}

export function factsText({ device, inode, born, bytes, modified, changed }: FileFacts): string {
  return [device, inode, born, bytes, modified, changed].join(' ')
}

/** Writes a file, whole or not at all. Throws the system's error. */
export function writeSegment(path: string, { logs, columns, rows }: SegmentContent): void {
  const head = Buffer.from(JSON.stringify(logs))
  const fixed = Buffer.alloc(fixedBytes)
  fixed.write(magic)
  fixed.writeUInt32LE(head.length, 8)
  fixed.writeUInt32LE(columns, 12)
  const temporary = `${path}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    for (const part of [fixed, rows, head]) for (let at = 0; at < part.length;) at += writeSync(file, part, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}

/** A file of the index. */
export class IndexSegment {
  readonly name: string
  readonly logs: readonly IndexedLog[]
  readonly #path: string
  readonly #rowBytes: number

  private constructor(name: string, path: string, logs: readonly IndexedLog[], rowBytes: number) {
    this.name = name
    this.logs = logs
    this.#path = path
    this.#rowBytes = rowBytes
  }

  /** null where it is not whole, or of another time. */
  static open(name: string, path: string): IndexSegment | null {
    try {
      return withFile(path, (file) => {
        const fixed = read(file, 0, fixedBytes)
        if (fixed.toString('latin1', 0, 8) !== magic) return null
        const rowBytes = fixed.readUInt32LE(12) / 8
        const head = read(file, fixedBytes + trigramNumbers * rowBytes, fixed.readUInt32LE(8))
        return new IndexSegment(name, path, JSON.parse(head.toString()) as IndexedLog[], rowBytes)
      })
    } catch {
      return null
    }
  }

  /** The columns in which a query may be found, a bit each; null where the file can no longer be read. */
  candidates(needed: readonly (readonly (readonly number[])[])[]): Uint8Array | null {
    try {
      return withFile(this.#path, (file) => {
        const any = new Uint8Array(this.#rowBytes)
        for (const places of needed) {
          const all = new Uint8Array(this.#rowBytes).fill(0xff)
          for (const numbers of places) {
            const one = new Uint8Array(this.#rowBytes)
            for (const number of numbers) merge(one, read(file, fixedBytes + number * this.#rowBytes, this.#rowBytes))
            for (let i = 0; i < all.length; i++) all[i]! &= one[i] ?? 0
          }
          merge(any, all)
        }
        return any
      })
    } catch {
      return null
    }
  }
}

function merge(into: Uint8Array, more: Uint8Array): void {
  for (let i = 0; i < into.length; i++) into[i]! |= more[i] ?? 0
}

function withFile<T>(path: string, work: (file: number) => T): T {
  const file = openSync(path, 'r')
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
}

/** Throws where there is less. */
function read(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  for (let filled = 0; filled < length;) {
    const more = readSync(file, bytes, filled, length - filled, at + filled)
    if (more === 0) throw new Error('the file ends')
    filled += more
  }
  return bytes
}
