import { Decompress } from 'fzstd'
import { tmpdir } from 'node:os'
import { HostError } from '#contract/host-error.ts'
import { diskSpace, type LookAtDisk } from '../disk-space.ts'
import type { FileFacts } from './file-facts.ts'
import type { LogFile } from './log-file.ts'
import type { ChunkRange, LogSource, SharedFile } from './log-source.ts'
import { ZstdError, ZstdFrames } from './zstd-frames.ts'
import { TemporaryFile } from './temporary-file.ts'

/** Text that is unpacked at a time; enough to detect a format. */
const stepBytes = 1 << 18
const packedBytes = 1 << 15
/** Limits of unpacking: a few bytes may expand to gigabytes. */
interface UnpackLimits {
  /** Maximum size of the text. */
  readonly bytes: number
  /** Maximum ratio of text to compressed bytes, for texts above `ratioFromBytes`. */
  readonly ratio: number
  readonly ratioFromBytes: number
  /** Space to leave in the temporary folder's file system, or a tenth of its size if that is less. */
  readonly freeBytes: number
}

/** Real logs of all agents, packed with `zstd -19 --long`, have ratios up to 98; a gigabyte of line feeds 32,000. */
const defaultLimits: UnpackLimits = {
  bytes: 8 * 2 ** 30,
  ratio: 500,
  ratioFromBytes: 16 * 2 ** 20,
  freeBytes: 128 * 2 ** 20
}
/** Free space is checked after each of these steps. */
const spaceStepBytes = 1 << 24

/** A Zstandard log, unpacked on demand into an unlinked temporary file, from which lines can be read again. */
export class UnpackedLog implements LogSource {
  readonly path: string
  readonly given: string
  readonly name: string
  readonly packed = true
  readonly opened: FileFacts
  readonly #file: LogFile
  readonly #limits: UnpackLimits
  readonly #diskSpace: LookAtDisk
  readonly #blocks: AsyncGenerator<Uint8Array>
  #copy: TemporaryFile | null = null
  #packedRead = 0
  #length = 0
  /** Space was checked up to this size. */
  #checkedTo = 0
  /** Unpacking is complete or has failed. */
  #ended = false
  #failure: HostError | null = null
  #step: Promise<void> = Promise.resolve()
  #closed = false

  /** `file` begins with a Zstandard frame, and is closed with this. */
  constructor(file: LogFile, limits: Partial<UnpackLimits> = {}, space: LookAtDisk = diskSpace) {
    this.#diskSpace = space
    this.path = file.path
    this.given = file.given
    this.opened = file.opened
    this.name = file.name
    this.#file = file
    this.#limits = { ...defaultLimits, ...limits }
    this.#blocks = this.#unpack()
  }

  async size(): Promise<number> {
    if (this.#ended) return this.#length
    const packed = await this.#file.size()
    // Assumes the same ratio for the rest.
    const read = Math.max(this.#packedRead, Math.min(packed, packedBytes))
    return Math.round((this.#length * packed) / read) || packed
  }

  modified(): Promise<number> {
    return this.#file.modified()
  }

  get watched(): readonly string[] {
    return this.#file.watched
  }

  current(): Promise<FileFacts> {
    return this.#file.current()
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

  /** Unpacks the next step; several readers may call it. */
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
    const { bytes: maxBytes, ratio, ratioFromBytes } = this.#limits
    const byRatio = Math.max(ratioFromBytes, ratio * (await this.#file.size()))
    const limit = Math.min(maxBytes, byRatio)
    await this.#checkSpace(this.#length + bytes.length)
    const room = limit - this.#length
    this.#copy ??= await TemporaryFile.create('unpacked')
    await this.#copy.write(bytes.subarray(0, room), this.#length)
    this.#length += Math.min(bytes.length, room)
    if (bytes.length <= room) return
    const what = byRatio < maxBytes ? `more than ${ratio} times its size` : `more than ${sizeText(maxBytes)}`
    throw new HostError(
      'unavailable',
      `${this.path} unpacks to ${what}, so only its first ${sizeText(limit)} are read. To see all of it, unpack it with zstd -d and open that file`
    )
  }

  /** Throws if the text would leave too little space in the temporary folder. */
  async #checkSpace(bytes: number): Promise<void> {
    if (bytes <= this.#checkedTo) return
    const disk = await this.#diskSpace(tmpdir())
    const reserved = disk === null ? 0 : Math.min(this.#limits.freeBytes, disk.total / 10)
    if (disk !== null && disk.free - (bytes - this.#length) < reserved) throw noRoom(this.path)
    this.#checkedTo = bytes + spaceStepBytes
  }

  /** The text in steps of about `stepBytes`. Yields what precedes an error before throwing it. */
  async *#unpack(): AsyncGenerator<Uint8Array> {
    let blocks: Uint8Array[] = []
    let length = 0
    const flush = (): Uint8Array => {
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
          if (length >= stepBytes) yield flush()
        }
        this.#packedRead += packed.length
        if (damage !== undefined) throw damage
      }
      frames.end()
      decoder.push(new Uint8Array(0), true)
    } catch (error) {
      damage = error
    }
    if (length > 0) yield flush()
    if (damage !== undefined) throw damage
  }

  #failureOf(error: unknown): HostError {
    if (error instanceof HostError) return error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      return noRoom(this.path)
    }
    // Error codes of the decoder are numbers, those of the system are strings.
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
