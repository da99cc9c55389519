import { closeSync, openSync, readSync } from 'node:fs'
import * as z from 'zod'
import type { FileFacts } from '../../sources/file-facts.ts'
import { writeWholeNow } from '../../whole-file.ts'
import { trigramNumbers } from './trigrams.ts'

/** Begins the file; changes with the format. */
const magic = 'PLTG0001'
const fixedBytes = 16

const IndexedLog = z.object({
  path: z.string(),
  /** The file's metadata when it was indexed (`factsText`): with other metadata the entry is invalid. */
  facts: z.string(),
  bytes: z.number(),
  /** Offset and column of each block; a block ends where the next begins. */
  blocks: z.array(z.tuple([z.int().min(0), z.int().min(0)]))
})
/** A log with its blocks. */
export type IndexedLog = z.infer<typeof IndexedLog>

/** Blocks by trigram: a row for each trigram, with a bit for each column. Contains no text of a log. */
export interface SegmentContent {
  readonly logs: readonly IndexedLog[]
  /** A multiple of 8. */
  readonly columns: number
  readonly rows: Uint8Array
}

export function factsText({ device, inode, born, bytes, modified, changed }: FileFacts): string {
  return [device, inode, born, bytes, modified, changed].join(' ')
}

/** Writes a segment atomically. Throws a `HostError`. */
export function writeSegment(path: string, { logs, columns, rows }: SegmentContent): void {
  const head = Buffer.from(JSON.stringify(logs))
  const fixed = Buffer.alloc(fixedBytes)
  fixed.write(magic)
  fixed.writeUInt32LE(head.length, 8)
  fixed.writeUInt32LE(columns, 12)
  writeWholeNow(path, [fixed, rows, head])
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

  /** Null: incomplete, or of another version. */
  static open(name: string, path: string): IndexSegment | null {
    try {
      return withFile(path, (file) => {
        const fixed = read(file, 0, fixedBytes)
        if (fixed.toString('latin1', 0, 8) !== magic) return null
        const rowBytes = fixed.readUInt32LE(12) / 8
        const head = read(file, fixedBytes + trigramNumbers * rowBytes, fixed.readUInt32LE(8))
        return new IndexSegment(name, path, z.array(IndexedLog).parse(JSON.parse(head.toString())), rowBytes)
      })
    } catch {
      return null
    }
  }

  /** A bit for each column in which a query may match; null: unreadable. */
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

/** Throws at the end of the file. */
function read(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  for (let filled = 0; filled < length;) {
    const more = readSync(file, bytes, filled, length - filled, at + filled)
    if (more === 0) throw new Error('the file ends')
    filled += more
  }
  return bytes
}
