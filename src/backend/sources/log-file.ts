import { constants } from 'node:fs'
import { access, type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { HostError, messageOf } from '#contract/host-error.ts'
import type { DescriptorPool } from './descriptor-pool.ts'
import { type FileFacts, factsAt, factsOf, isStillFile } from './file-facts.ts'
import type { ChunkRange, LogSource, SharedFile } from './log-source.ts'
import { readAt } from './read-at.ts'
import { systemPath } from './system-path.ts'

/** Bytes of a read. */
const defaultChunk = 1 << 20

/** A file in a pool, open only during reads. */
interface Pooled {
  readonly pool: DescriptorPool
  readonly owner: object
}

/** An uncompressed log. */
export class LogFile implements LogSource {
  /** Absolute, links resolved. */
  readonly path: string
  readonly given: string
  readonly name: string
  readonly packed = false
  readonly opened: FileFacts
  /** `path` for system calls: bytes if the name is not UTF-8. */
  readonly #system: string | Buffer
  readonly #handle: FileHandle | Pooled
  /** The last known metadata. */
  #seen: FileFacts

  private constructor(system: Buffer, given: string, opened: FileFacts, handle: FileHandle | Pooled) {
    this.path = system.toString()
    this.#system = Buffer.from(this.path).equals(system) ? this.path : system
    this.given = given
    this.name = basename(this.path)
    this.opened = opened
    this.#handle = handle
    this.#seen = opened
  }

  /** Opens a regular file. With `pool` only during reads, which reject if it was replaced. Throws a `HostError`. */
  static async open(path: string, pool?: DescriptorPool): Promise<LogFile> {
    const shown = resolve(path)
    try {
      // Checked before opening: opening a device may have effects, and opening a pipe waits for its writer.
      refuseIrregular(shown, await stat(await systemPath(shown)))
      if (pool === undefined) return await LogFile.#from(shown, await openToRead(await systemPath(shown)))
      const owner = {}
      const opened = await pool.use(
        owner,
        async () => await openToRead(await systemPath(shown)),
        async (handle) => await LogFile.#from(shown, handle, { pool, owner }).catch((error: unknown) => error)
      )
      if (opened instanceof LogFile) return opened
      await pool.close(owner)
      throw opened
    } catch (error) {
      throw fileError(shown, error)
    }
  }

  static async #from(shown: string, handle: FileHandle, pooled?: Pooled): Promise<LogFile> {
    try {
      const stats = await handle.stat({ bigint: true })
      refuseIrregular(shown, stats)
      const system = await realpath(await systemPath(shown), { encoding: 'buffer' })
      return new LogFile(system, shown, factsOf(stats), pooled ?? handle)
    } catch (error) {
      if (pooled === undefined) await handle.close()
      throw error
    }
  }

  async size(): Promise<number> {
    return (await this.#currentFacts()).bytes
  }

  async modified(): Promise<number> {
    return Number((await this.#currentFacts()).modified / 1_000_000n)
  }

  async facts(): Promise<FileFacts> {
    return await this.#with(async (handle) => factsOf(await handle.stat({ bigint: true })))
  }

  get watched(): readonly string[] {
    return [this.given, this.path]
  }

  async current(): Promise<FileFacts> {
    const facts = await factsAt(this.given)
    await access(await systemPath(this.given), constants.R_OK)
    return facts
  }

  async read(offset: number, length: number): Promise<Buffer> {
    return await this.#with(async (handle) => await readAt(handle, offset, length).catch(this.#refuse))
  }

  async *chunks({
    from = 0,
    to = Infinity,
    chunkBytes = defaultChunk,
    memory
  }: ChunkRange = {}): AsyncGenerator<Uint8Array> {
    const own = memory === undefined ? Buffer.allocUnsafeSlow(chunkBytes) : null
    for (let at = from; at < to;) {
      const buffer = memory === undefined ? own : await memory()
      if (buffer === null) return
      const length = Math.min(buffer.length, to - at)
      const { bytesRead } = await this.#with((handle) => handle.read(buffer, 0, length, at).catch(this.#refuse))
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  shared(): SharedFile {
    if (!('pool' in this.#handle)) return { descriptor: this.#handle.fd }
    return { path: this.#system, opened: this.opened }
  }

  async close(): Promise<void> {
    if ('pool' in this.#handle) await this.#handle.pool.close(this.#handle.owner)
    else await this.#handle.close()
  }

  /** A file can open and still not be read: `/proc/self/mem` and a failing disk give `EIO`. */
  readonly #refuse = (error: unknown): never => {
    throw fileError(this.path, error)
  }

  async #with<T>(work: (handle: FileHandle) => Promise<T>): Promise<T> {
    if (!('pool' in this.#handle)) return await work(this.#handle)
    return await this.#handle.pool.use(this.#handle.owner, async () => await this.#openAgain(), work)
  }

  async #openAgain(): Promise<FileHandle> {
    const handle = await openToRead(this.#system)
    try {
      if (isStillFile(factsOf(await handle.stat({ bigint: true })), this.opened)) return handle
      throw new HostError('unavailable', `another file replaced ${this.path}`)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Metadata without opening a pooled file; the last known if it is gone. */
  async #currentFacts(): Promise<FileFacts> {
    if (!('pool' in this.#handle)) return await this.facts()
    const facts = await factsAt(this.path).catch(() => null)
    if (facts !== null && isStillFile(facts, this.opened)) this.#seen = facts
    return this.#seen
  }
}

async function openToRead(path: string | Buffer): Promise<FileHandle> {
  return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
}

function refuseIrregular(path: string, stats: { isFile(): boolean; isDirectory(): boolean }): void {
  if (stats.isFile()) return
  throw new HostError(
    'not-a-file',
    stats.isDirectory()
      ? `${path} is a directory; give the log file inside it`
      : `${path} is a pipe or a device; copy it into a regular file first`
  )
}

/** A file system error as a message for the user. */
export function fileError(path: string, error: unknown): HostError {
  if (error instanceof HostError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new HostError('not-found', `${path} does not exist; check the path`)
    case 'EACCES':
    case 'EPERM':
      return new HostError('no-permission', `${path} cannot be read; check its permissions`)
    case 'EISDIR':
      return new HostError('not-a-file', `${path} is a directory; give the log file inside it`)
    case 'ELOOP':
      return new HostError('not-found', `${path} is a link to itself; give the path of the file`)
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return new HostError('not-found', 'the path is not valid; check it')
    case 'EMFILE':
    case 'ENFILE':
      return new HostError(
        'unavailable',
        `${path} cannot be opened: too many files are open; close some logs, or allow more with ulimit -n`
      )
  }
  return new HostError('unavailable', `${path} cannot be read (${typeof code === 'string' ? code : messageOf(error)})`)
}
