import { Column } from '../../column.ts'
import type { LinePosition } from '../log-format.ts'

/** A log may be written so that all its uuids meet in one place: a line that finds none free this far on is not remembered. */
const maxProbes = 256
/** Most logs are short. */
const chunkBits = 9

/**
 * Where each line with a `uuid` stands, by the uuid's `textHash`: what tells a copy from its original, and finds the lines that a
 * later one takes back. A line costs about 40 bytes.
 */
export class KnownLines {
  /** Row + 1 by hash; 0 is free. Never more than half full. */
  #slots = new Int32Array(1 << 6)
  readonly #hashes = new Column('float64', chunkBits)
  readonly #files = new Column('uint32', chunkBits)
  readonly #lines = new Column('uint32', chunkBits)
  readonly #offsets = new Column('float64', chunkBits)
  readonly #lengths = new Column('uint32', chunkBits)
  readonly #fileNames: (string | undefined)[] = []
  readonly #fileNumbers = new Map<string | undefined, number>()

  /** The row of a line: lines are numbered as they are added. -1 where it is not known. */
  find(hash: number): number {
    return (this.#slots[this.#slotOf(hash)] ?? 0) - 1
  }

  /** Remembers a line and gives its row; -1 where there is no room for it, null where it is known. */
  meet(hash: number, at: LinePosition): number | null {
    if (this.#hashes.length * 2 >= this.#slots.length) this.#grow()
    const slot = this.#slotOf(hash)
    if (slot === -1) return -1
    if (this.#slots[slot] !== 0) return null
    this.#hashes.push(hash)
    this.#files.push(this.#fileOf(at.file))
    this.#lines.push(at.line)
    this.#offsets.push(at.offset)
    this.#lengths.push(at.length)
    this.#slots[slot] = this.#hashes.length
    return this.#hashes.length - 1
  }

  positionOf(row: number): LinePosition {
    const line = this.#lines.at(row)
    const offset = this.#offsets.at(row)
    const length = this.#lengths.at(row)
    const file = this.#fileNames[this.#files.at(row)]
    return file === undefined ? { line, offset, length } : { file, line, offset, length }
  }

  /** The slot that holds the hash, else the free one where it belongs; -1 if there is neither within reach. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1
    const mixed = Math.imul((hash | 0) ^ Math.imul(hash / 0x100000000, 0x27d4eb2f), 0x9e3779b1)
    let slot = (mixed ^ (mixed >>> 15)) & mask
    for (let probes = 0; probes < maxProbes; probes += 1) {
      const row = this.#slots[slot] ?? 0
      if (row === 0 || this.#hashes.at(row - 1) === hash) return slot
      slot = (slot + 1) & mask
    }
    return -1
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (let row = 0; row < this.#hashes.length; row += 1) {
      const slot = this.#slotOf(this.#hashes.at(row))
      if (slot !== -1) this.#slots[slot] = row + 1
    }
  }

  #fileOf(name: string | undefined): number {
    let number = this.#fileNumbers.get(name)
    if (number === undefined) this.#fileNumbers.set(name, (number = this.#fileNames.push(name) - 1))
    return number
  }
}
