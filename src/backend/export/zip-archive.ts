import { pipeline } from 'node:stream/promises'
import { createDeflateRaw, crc32 } from 'node:zlib'
import { HostError } from '#contract/host-error.ts'
import type { Output } from './output.ts'

/** The limit of 32 bits; not every program reads ZIP64. */
export const maxZipBytes = 0xffffffff

/** An entry of the central directory. */
interface Entry {
  readonly name: Buffer
  readonly offset: number
  readonly crc: number
  readonly packed: number
  readonly size: number
}

const version = 20
/** Sizes after the data, names in UTF-8. */
const flags = 0x0808
const deflated = 8
/** 1980-01-01, so that archives are reproducible. */
const noDate = 0x21

/** Writes a zip archive of files of unknown sizes. */
export class ZipArchive {
  readonly #output: Output
  readonly #entries: Entry[] = []
  #written = 0

  constructor(output: Output) {
    this.#output = output
  }

  /** `name`: the path, separated by `/`. */
  async add(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const entry = { name: Buffer.from(name), offset: this.#written, crc: 0, packed: 0, size: 0 }
    this.#write([four(0x04034b50), two(version), ...common(entry), two(0)], entry.name)
    async function* read(): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        entry.crc = crc32(chunk, entry.crc)
        entry.size += chunk.length
        // Chunks are reused, and streams read ahead.
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

  /** Writes the central directory. */
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

/** The fields of both local header and directory entry. In the header crc and sizes are 0. */
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
