import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** What may be in the folder at most; what was used longest ago goes first. */
const mostBytes = 4 * 2 ** 30
/** A file under a temporary name that nobody has written to for so long, in ms, was left behind by a process that died. */
const abandonedAfter = 600_000
const temporary = '.part'

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
  readonly #mostBytes: number

  /** `most`: bytes of all files together. */
  constructor(path: string, most = mostBytes) {
    this.#path = path
    this.#mostBytes = most
  }

  /**
   * Writes a file, whole or not at all: it stands under its name only once all of it is on the disk. False where that fails, or where it
   * would be more than half of what the folder may hold; the one that was there before is gone then.
   */
  async write(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<boolean> {
    const path = join(this.#path, name)
    const part = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}${temporary}`
    try {
      await mkdir(this.#path, { recursive: true, mode: 0o700 })
      await this.#writePart(part, chunks)
      await rename(part, path)
      await this.#tidy(name)
      return true
    } catch {
      await rm(part, { force: true }).catch(() => {})
      await this.remove(name)
      // What a dead process left may be why there is no room.
      await this.#tidy(name).catch(() => {})
      return false
    }
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

  async remove(name: string): Promise<void> {
    await rm(join(this.#path, name), { force: true }).catch(() => {})
  }

  async #writePart(path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const file = await open(path, 'wx', 0o600)
    try {
      let written = 0
      for await (const chunk of chunks) {
        written += chunk.length
        if (written > this.#mostBytes / 2) throw new RangeError('too large to be kept')
        await writeAll(file, chunk)
      }
      await file.sync()
    } finally {
      await file.close()
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
      if (total <= this.#mostBytes) return
      await rm(path, { force: true })
      total -= bytes
    }
  }
}

/** One call of the system may write less than it is given. */
async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at)
    at += bytesWritten
  }
}
