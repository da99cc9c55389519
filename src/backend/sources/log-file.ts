import { constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { HostError } from '#contract/methods.ts'
import { type FileFacts, factsOf } from './file-facts.ts'
import type { ChunkRange, LogSource } from './log-source.ts'
import { readAt } from './read-at.ts'

/** One read of a source. */
const defaultChunk = 1 << 20

/** A log that is stored as it is. */
export class LogFile implements LogSource {
  /** Absolute, links resolved. */
  readonly path: string
  readonly given: string
  readonly name: string
  readonly packed = false
  readonly opened: FileFacts
  readonly #handle: FileHandle

  private constructor(path: string, given: string, opened: FileFacts, handle: FileHandle) {
    this.path = path
    this.given = given
    this.name = basename(path)
    this.opened = opened
    this.#handle = handle
  }

  /** Opens a regular file. Throws a `HostError` that says what is wrong with `path` and what to do next. */
  static async open(path: string): Promise<LogFile> {
    const shown = resolve(path)
    let handle: FileHandle | undefined
    try {
      // Looked at before it is opened: opening a device may do something, opening a pipe waits for its writer.
      refuseIrregular(shown, await stat(shown))
      handle = await open(shown, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
      const stats = await handle.stat({ bigint: true })
      refuseIrregular(shown, stats)
      return new LogFile(await realpath(shown), shown, factsOf(stats), handle)
    } catch (error) {
      await handle?.close()
      throw fileError(shown, error)
    }
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size
  }

  async modified(): Promise<number> {
    return (await this.#handle.stat()).mtimeMs
  }

  async facts(): Promise<FileFacts> {
    return factsOf(await this.#handle.stat({ bigint: true }))
  }

  async read(offset: number, length: number): Promise<Buffer> {
    return await readAt(this.#handle, offset, length)
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
      const { bytesRead } = await this.#handle.read(buffer, 0, Math.min(buffer.length, to - at), at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  descriptor(): number {
    return this.#handle.fd
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
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

/** A failure of the file system in words for people. */
export function fileError(path: string, error: unknown): HostError {
  if (error instanceof HostError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new HostError('not-found', `${path} does not exist; check the path`)
    case 'EACCES':
    case 'EPERM':
      return new HostError('no-permission', `${path} may not be read; check its permissions`)
    case 'EISDIR':
      return new HostError('not-a-file', `${path} is a directory; give the log file inside it`)
    case 'ELOOP':
      return new HostError('not-found', `${path} is a link that leads back to itself; give the file it should lead to`)
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return new HostError('not-found', 'the path is not one a file can have; check it')
    case 'EMFILE':
    case 'ENFILE':
      return new HostError('unavailable', `${path} cannot be opened: too many files are open; close some logs`)
  }
  return new HostError('unavailable', `${path} cannot be read (${String(code ?? error)})`)
}
