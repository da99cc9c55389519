import { pipeline } from 'node:stream/promises'
import { createDeflateRaw, crc32 } from 'node:zlib'
import { HostError } from '#contract/host-error.ts'
import type { Output } from './output.ts'

/** Sizes and places in a zip archive have 32 bits, unless it is written in a form that not every program reads. */
export const maxZipBytes = 0xffffffff

/** What the directory at the end of the archive says of a file. */
interface Entry {
  readonly name: Buffer
  readonly offset: number
  readonly crc: number
  readonly packed: number
  readonly size: number
}

const version = 20
/** The sizes follow the bytes, and the name is UTF-8. */
const flags = 0x0808
const deflated = 8
/** 1980-01-01: the same files give the same archive. */
const noDate = 0x21

/** Writes a zip archive, a file after the other, whose sizes need not be known before. */
export class ZipArchive {
  readonly #output: Output
  readonly #entries: Entry[] = []
  #written = 0

  constructor(output: Output) {
    this.#output = output
  }

  /** `name`: with the folders it is in, divided by `/`. */
  async add(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const entry = { name: Buffer.from(name), offset: this.#written, crc: 0, packed: 0, size: 0 }
    this.#write([four(0x04034b50), two(version), ...common(entry), two(0)], entry.name)
    async function* read(): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        entry.crc = crc32(chunk, entry.crc)
        entry.size += chunk.length
        // A chunk is valid until the next one is asked for, and a stream asks early.
        yield Uint8Array.from(chunk)
      }
    }
    await pipeline(read(), createDeflateRaw(), async (packed: AsyncIterable<Buffer>) => {
      for await (const bytes of packed) {
        entry.packed += bytes.length
        this.#write([], bytes)
        if (Math.max(entry.size, this.#written) > maxZipBytes) throw tooMuch()
        await this.#output.flush()
      }
    })
    this.#write([four(0x08074b50), four(entry.crc), four(entry.packed), four(entry.size)])
    this.#entries.push(entry)
  }

  /** Writes the directory. */
  async end(): Promise<void> {
    const start = this.#written
    for (const entry of this.#entries) {
      const attributes = [two(0), two(0), two(0), two(0), four(0), four(entry.offset)]
      this.#write([four(0x02014b50), two(version), two(version), ...common(entry), ...attributes], entry.name)
    }
    const count = two(this.#entries.length)
    const directory = [four(this.#written - start), four(start)]
    if (this.#written > maxZipBytes) throw tooMuch()
    this.#write([four(0x06054b50), two(0), two(0), count, count, ...directory, two(0)])
    await this.#output.flush()
  }

  #write(fields: readonly Buffer[], bytes: Uint8Array = new Uint8Array()): void {
    for (const piece of [...fields, bytes]) {
      this.#output.bytes(piece)
      this.#written += piece.length
    }
  }
}

/** What both the header of a file and its line in the directory say. In the header crc and sizes are still 0. */
function common({ name, crc, packed, size }: Entry): Buffer[] {
  return [...[flags, deflated, 0, noDate].map(two), ...[crc, packed, size].map(four), two(name.length)]
}

function two(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function four(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export function tooMuch(): HostError {
  return new HostError(
    'unavailable',
    'This session has more than 4 GB, too much for one zip file. Export some of its turns, or copy the files themselves.'
  )
}
