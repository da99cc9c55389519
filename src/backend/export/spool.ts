import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Column } from '#core/column.ts'
import { writeFailure } from '../write-failure.ts'

const bufferBytes = 4 << 20

/** Pieces of text that are read again later, in any order. Those that do not fit a buffer go to a temporary file of the owner. */
export class Spool {
  readonly #buffer = Buffer.allocUnsafeSlow(bufferBytes)
  readonly #offsets = new Column('float64')
  readonly #path = join(tmpdir(), `playhead-${process.pid}-${randomBytes(6).toString('hex')}`)
  #file = -1
  /** Bytes in the file; those in the buffer follow them. */
  #written = 0
  #filled = 0

  /** Returns the number of the piece. Throws a `HostError` if the disk is full. */
  add(text: string): number {
    this.#offsets.push(this.#written + this.#filled)
    const bytes = Buffer.from(text)
    if (this.#filled + bytes.length > bufferBytes) this.#empty()
    if (bytes.length > bufferBytes) this.#write(bytes)
    else {
      this.#buffer.set(bytes, this.#filled)
      this.#filled += bytes.length
    }
    return this.#offsets.length - 1
  }

  read(piece: number): Buffer {
    const from = this.#offsets.at(piece)
    const to = piece + 1 < this.#offsets.length ? this.#offsets.at(piece + 1) : this.#written + this.#filled
    if (from >= this.#written) return this.#buffer.subarray(from - this.#written, to - this.#written)
    const bytes = Buffer.allocUnsafe(to - from)
    for (let read = 0; read < bytes.length;) {
      const count = readSync(this.#file, bytes, read, bytes.length - read, from + read)
      if (count === 0) throw new TypeError('a spooled piece is missing')
      read += count
    }
    return bytes
  }

  close(): void {
    if (this.#file < 0) return
    closeSync(this.#file)
    this.#file = -1
    rmSync(this.#path, { force: true })
  }

  #empty(): void {
    this.#write(this.#buffer.subarray(0, this.#filled))
    this.#filled = 0
  }

  #write(bytes: Uint8Array): void {
    try {
      if (this.#file < 0) this.#file = openSync(this.#path, 'wx+', 0o600)
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at)
    } catch (error) {
      throw writeFailure(this.#path, error)
    }
    this.#written += bytes.length
  }
}
