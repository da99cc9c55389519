import { type FileHandle, open, readdir, rm, stat, utimes } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { WholeFile } from '../whole-file.ts'
import { isDiskFull, systemCode, writeFailure } from '../write-failure.ts'

/** Total size of the folder; the least recently used files are removed first. */
const maxBytes = 4 * 2 ** 30
/** Age of a temporary file whose writer has died. */
const abandonedAfterMs = 600_000
const temporary = '.tmp'

/** The folder for data that can be made again. `PLAYHEAD_CACHE_DIR` overrides the platform's location. */
export function cacheFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform
): string {
  const given = env['PLAYHEAD_CACHE_DIR']
  if (given) return given
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'Playhead')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'Playhead', 'Cache')
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'playhead')
}

/** A cache of files: errors only make files missing. */
export class CacheFolder {
  readonly #path: string
  readonly #maxBytes: number
  readonly #problem: (sentence: string) => void

  /** `maxBytes`: total size. `problem` reports a write error, a sentence with the file's name. */
  constructor(path: string, most = maxBytes, problem: (sentence: string) => void = () => {}) {
    this.#path = path
    this.#maxBytes = most
    this.#problem = problem
  }

  /** Writes a file atomically. False on an error, or above half of the total size; an earlier file stays. */
  async write(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<boolean> {
    try {
      await this.#write(join(this.#path, name), chunks)
    } catch (error) {
      // A folder without write permission is the user's choice.
      if (isDiskFull(error) || systemCode(error) === 'EIO')
        this.#problem(writeFailure(join(this.#path, name), error).message)
      // Remains of a dead process may have filled the disk.
      await this.#tidy(name).catch(() => {})
      return false
    }
    await this.#tidy(name).catch(() => {})
    return true
  }

  /** Null: no such file. */
  async open(name: string): Promise<FileHandle | null> {
    const path = join(this.#path, name)
    try {
      const file = await open(path, 'r')
      const now = new Date()
      // mtime is the time of the last use.
      await utimes(path, now, now).catch(() => {})
      return file
    } catch {
      return null
    }
  }

  async #write(path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const file = await WholeFile.open(path, { makesFolder: true })
    try {
      let written = 0
      for await (const chunk of chunks) {
        written += chunk.length
        if (written > this.#maxBytes / 2) throw new RangeError('too large to be kept')
        await file.write(chunk)
      }
      await file.finish()
    } catch (error) {
      await file.discard()
      throw error
    }
  }

  /** Removes remains of dead processes, and the least recently used files above the limit. */
  async #tidy(kept: string): Promise<void> {
    const files: { path: string; bytes: number; usedAt: number }[] = []
    for (const name of await readdir(this.#path)) {
      const path = join(this.#path, name)
      const facts = await stat(path).catch(() => null)
      if (!facts?.isFile() || name === kept) continue
      if (!name.endsWith(temporary)) files.push({ path, bytes: facts.size, usedAt: facts.mtimeMs })
      else if (Date.now() - facts.mtimeMs > abandonedAfterMs) await rm(path, { force: true })
    }
    let total = (await stat(join(this.#path, kept))).size + files.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { path, bytes } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= this.#maxBytes) return
      await rm(path, { force: true })
      total -= bytes
    }
  }
}
