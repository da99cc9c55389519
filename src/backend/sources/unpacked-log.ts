import { Decompress } from 'fzstd'
import { tmpdir } from 'node:os'
import { HostError } from '#contract/host-error.ts'
import { diskSpace, type LookAtDisk } from '../disk-space.ts'
import type { FileFacts } from './file-facts.ts'
import type { LogFile } from './log-file.ts'
import type { ChunkRange, LogSource, SharedFile } from './log-source.ts'
import { ZstdError, ZstdFrames } from './zstd-frames.ts'
import { TemporaryFile } from './temporary-file.ts'

/** What is unpacked at a time: enough to tell a format by. */
const stepBytes = 1 << 18
const packedBytes = 1 << 15
/** How much of a compressed log is unpacked: a few bytes can stand for gigabytes. */
interface UnpackLimits {
  /** The text at most. */
  readonly bytes: number
  /** The text at most, in bytes for each compressed one, once it has more than `anywayBytes`. */
  readonly ratio: number
  readonly anywayBytes: number
  /** Of the temporary folder's file system so much stays free, or a tenth of all it has where that is less. */
  readonly freeBytes: number
}

/** Real logs of all agents, packed as well as zstd can (`-19 --long`), reach 98; a gigabyte of line feeds 32,000. */
const usualLimits: UnpackLimits = {
  bytes: 8 * 2 ** 30,
  ratio: 500,
  anywayBytes: 16 * 2 ** 20,
  freeBytes: 128 * 2 ** 20
}
/** The free space is looked at again after so much more text. */
const roomStepBytes = 1 << 24

/**
 * A log stored as Zstandard (Codex packs old ones). It is unpacked as far as it is asked for, into a private temporary copy, so that
 * single lines can be read again. The copy has no name: it goes when it is closed, however the process ends.
 */
export class UnpackedLog implements LogSource {
  readonly path: string
  readonly given: string
  readonly name: string
  readonly packed = true
  readonly opened: FileFacts
  readonly #file: LogFile
  readonly #limits: UnpackLimits
  readonly #look: LookAtDisk
  readonly #blocks: AsyncGenerator<Uint8Array>
  #copy: TemporaryFile | null = null
  #packedRead = 0
  #length = 0
  /** There was room for so much. */
  #roomTo = 0
  /** Everything is unpacked, or nothing more can be. */
  #ended = false
  #failure: HostError | null = null
  #step: Promise<void> = Promise.resolve()
  #closed = false

  /** `file`: begins as Zstandard streams do; closed with this. */
  constructor(file: LogFile, limits: Partial<UnpackLimits> = {}, look: LookAtDisk = diskSpace) {
    this.#look = look
    this.path = file.path
    this.given = file.given
    this.opened = file.opened
    this.name = file.name
    this.#file = file
    this.#limits = { ...usualLimits, ...limits }
    this.#blocks = this.#unpack()
  }

  async size(): Promise<number> {
    if (this.#ended) return this.#length
    const packed = await this.#file.size()
    // What is left is taken to be as compressible as what was read.
    const read = Math.max(this.#packedRead, Math.min(packed, packedBytes))
    return Math.round((this.#length * packed) / read) || packed
  }

  modified(): Promise<number> {
    return this.#file.modified()
  }

  facts(): Promise<FileFacts> {
    return this.#file.facts()
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.#length - offset))
    return this.#copy === null ? Buffer.alloc(0) : await this.#copy.read(offset, wanted)
  }

  async *chunks({
    from = 0,
    to = Infinity,
    chunkBytes = stepBytes,
    memory
  }: ChunkRange = {}): AsyncGenerator<Uint8Array> {
    for (let at = from; at < to;) {
      if (at >= this.#length) {
        if (this.#failure) throw this.#failure
        if (this.#ended || this.#closed) return
        await this.#unpackMore()
        continue
      }
      const bytes = await this.read(at, Math.min(chunkBytes, to - at))
      if (bytes.length === 0) return
      at += bytes.length
      const place = await memory?.()
      if (place === null) return
      place?.set(bytes)
      yield place?.subarray(0, bytes.length) ?? bytes
    }
  }

  shared(): SharedFile | null {
    return this.#copy === null ? null : { descriptor: this.#copy.descriptor }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#step
    await this.#copy?.close()
    await this.#file.close()
  }

  /** Unpacks the next piece; several readers may ask at once. */
  #unpackMore(): Promise<void> {
    this.#step = this.#step.then(() => this.#unpackStep())
    return this.#step
  }

  async #unpackStep(): Promise<void> {
    if (this.#ended || this.#closed) return
    try {
      const { done, value } = await this.#blocks.next()
      if (done === true) this.#ended = true
      else await this.#append(value)
    } catch (error) {
      this.#failure = this.#failureOf(error)
      this.#ended = true
    }
  }

  async #append(bytes: Uint8Array): Promise<void> {
    const { bytes: most, ratio, anywayBytes } = this.#limits
    const byRatio = Math.max(anywayBytes, ratio * (await this.#file.size()))
    const limit = Math.min(most, byRatio)
    await this.#takeRoom(this.#length + bytes.length)
    const room = limit - this.#length
    this.#copy ??= await TemporaryFile.create('unpacked')
    await this.#copy.write(bytes.subarray(0, room), this.#length)
    this.#length += Math.min(bytes.length, room)
    if (bytes.length <= room) return
    const what = byRatio < most ? `more than ${ratio} times its size` : `more than ${sizeText(most)}`
    throw new HostError(
      'unavailable',
      `${this.path} unpacks to ${what}, so only its first ${sizeText(limit)} are read. To see all of it, unpack it with zstd -d and open that file`
    )
  }

  /** Throws where the text would leave too little room for everything else in the temporary folder. */
  async #takeRoom(bytes: number): Promise<void> {
    if (bytes <= this.#roomTo) return
    const disk = await this.#look(tmpdir())
    const kept = disk === null ? 0 : Math.min(this.#limits.freeBytes, disk.total / 10)
    if (disk !== null && disk.free - (bytes - this.#length) < kept) throw noRoom(this.path)
    this.#roomTo = bytes + roomStepBytes
  }

  /** The text, about `stepBytes` at a time. What was unpacked before the damage is given before that is thrown. */
  async *#unpack(): AsyncGenerator<Uint8Array> {
    let blocks: Uint8Array[] = []
    let length = 0
    const take = (): Uint8Array => {
      const bytes = Buffer.concat(blocks, length)
      blocks = []
      length = 0
      return bytes
    }
    const decoder = new Decompress((block) => {
      blocks.push(block)
      length += block.length
    })
    const pieces: Uint8Array[] = []
    const frames = new ZstdFrames((piece) => pieces.push(piece))
    let damage: unknown
    try {
      for (;;) {
        const packed = await this.#file.read(this.#packedRead, packedBytes)
        if (packed.length === 0) break
        try {
          frames.push(packed)
        } catch (error) {
          damage = error
        }
        for (const piece of pieces.splice(0)) {
          decoder.push(piece)
          if (length >= stepBytes) yield take()
        }
        this.#packedRead += packed.length
        if (damage !== undefined) throw damage
      }
      frames.end()
      decoder.push(new Uint8Array(0), true)
    } catch (error) {
      damage = error
    }
    if (length > 0) yield take()
    if (damage !== undefined) throw damage
  }

  #failureOf(error: unknown): HostError {
    if (error instanceof HostError) return error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      return noRoom(this.path)
    }
    // The decoder's errors have numbers for codes, those of the system have words.
    if (typeof code === 'string') return new HostError('unavailable', `${this.path} cannot be unpacked (${code})`)
    const what = error instanceof ZstdError ? error.message : 'its compressed data are damaged'
    return new HostError(
      'unavailable',
      `${this.path} cannot be unpacked further: ${what}. The part before that is shown. To see more, unpack the file with zstd`
    )
  }
}

function noRoom(path: string): HostError {
  return new HostError(
    'unavailable',
    `There is too little space in ${tmpdir()} to unpack ${path} further. The part unpacked so far is shown. Free some space, or set TMPDIR to another folder`
  )
}

function sizeText(bytes: number): string {
  return bytes < 2 ** 30 ? `${Math.round(bytes / 2 ** 20)} MiB` : `${Math.round(bytes / 2 ** 30)} GiB`
}
