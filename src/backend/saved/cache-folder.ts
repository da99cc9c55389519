import { type FileHandle, open, readdir, rm, stat, utimes } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { WholeFile } from '../whole-file.ts'
import { isDiskFull, systemCode, writeFailure } from '../write-failure.ts'

/** What may be in the folder at most; what was used longest ago goes first. */
const maxBytes = 4 * 2 ** 30
/** A file under a temporary name that nobody has written to for so long, in ms, was left behind by a process that died. */
const abandonedAfter = 600_000
const temporary = '.tmp'

/** Where Playhead keeps what it can make anew. `PLAYHEAD_CACHE_DIR` overrides the platform's own place. */
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

/** Files that can be made anew: nothing that happens to them is an error, they are not there then. */
export class CacheFolder {
  readonly #path: string
  readonly #maxBytes: number
  readonly #problem: (sentence: string) => void

  /** `most`: bytes of all files together. `problem`: hears, once each, a sentence with the name of a file that the disk did not take. */
  constructor(path: string, most = maxBytes, problem: (sentence: string) => void = () => {}) {
    this.#path = path
    this.#maxBytes = most
    this.#problem = problem
  }

  /**
   * Writes a file, whole or not at all: it stands under its name only once all of it is on the disk. False where that fails, or where it
   * would be more than half of what the folder may hold; the one that was there before stays then.
   */
  async write(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<boolean> {
    try {
      await this.#write(join(this.#path, name), chunks)
    } catch (error) {
      // A folder that may not be written to is a person's own choice.
      if (isDiskFull(error) || systemCode(error) === 'EIO')
        this.#problem(writeFailure(join(this.#path, name), error).message)
      // What a dead process left may be why there is no room.
      await this.#tidy(name).catch(() => {})
      return false
    }
    await this.#tidy(name).catch(() => {})
    return true
  }

  /** The file, open for reading; null where there is none. */
  async open(name: string): Promise<FileHandle | null> {
    const path = join(this.#path, name)
    try {
      const file = await open(path, 'r')
      const now = new Date()
      // When it was used last.
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

  /** Removes what dead processes left, and what was used longest ago where there is too much. */
  async #tidy(kept: string): Promise<void> {
    const files: { path: string; bytes: number; usedAt: number }[] = []
    for (const name of await readdir(this.#path)) {
      const path = join(this.#path, name)
      const facts = await stat(path).catch(() => null)
      if (!facts?.isFile() || name === kept) continue
      if (!name.endsWith(temporary)) files.push({ path, bytes: facts.size, usedAt: facts.mtimeMs })
      else if (Date.now() - facts.mtimeMs > abandonedAfter) await rm(path, { force: true })
    }
    let total = (await stat(join(this.#path, kept))).size + files.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { path, bytes } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= this.#maxBytes) return
      await rm(path, { force: true })
      total -= bytes
    }
  }
}
