import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { type GlobSegment, matchesName, type PathGlob } from '#core/library/path-glob.ts'
import { systemPath } from '../sources/system-path.ts'
import { groupedText } from '#core/measure-text.ts'

/** Patterns that visit more files and folders are refused: the walk would take minutes. */
const maxLookedAt = 10_000

export interface GlobFile {
  readonly path: string
  /** Ms since the epoch. */
  readonly modifiedAt: number
}

export interface GlobOptions {
  /** The base of relative patterns. */
  readonly folder: string
  readonly ignoresCase: boolean
  /** Limit of visited files and folders; absent: 10,000. */
  readonly most?: number
}

/** The regular files of a pattern, newest first. Throws a `HostError` at the limit, and as `systemPath` does. */
export async function filesOfGlob({ folder, segments }: PathGlob, options: GlobOptions): Promise<GlobFile[]> {
  const walk = new Walk(options)
  await walk.into(resolve(options.folder, folder), segments)
  return walk.files.toSorted((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1))
}

class Walk {
  readonly #files = new Map<string, GlobFile>()
  readonly #options: GlobOptions
  /** Visited folders with the rest of the pattern: two `**` reach a folder by many ways. */
  readonly #been = new Set<string>()
  #lookedAt = 0

  constructor(options: GlobOptions) {
    this.#options = options
  }

  get files(): GlobFile[] {
    return [...this.#files.values()]
  }

  async into(folder: string, segments: readonly GlobSegment[]): Promise<void> {
    const [segment, ...rest] = segments
    if (segment === undefined) return
    const key = `${segments.length} ${segment.kind} ${folder}`
    if (this.#been.has(key)) return
    this.#been.add(key)
    if (segment.kind === 'name') return await this.#take(join(folder, segment.name), rest)
    if (segment.kind === 'folders') return await this.#anyDepth(folder, rest)
    for (const { name } of await this.#entries(folder)) {
      if (matchesName(segment, name, this.#options.ignoresCase)) await this.#take(join(folder, name), rest)
    }
  }

  async #anyDepth(folder: string, rest: readonly GlobSegment[]): Promise<void> {
    // A final `**` means all files below.
    const here: readonly GlobSegment[] = rest.length === 0 ? [{ kind: 'names', parts: [{ kind: 'any' }] }] : rest
    await this.into(folder, here)
    for (const entry of await this.#entries(folder)) {
      // Links to folders may form a cycle, and hidden folders are not meant.
      if (entry.isDirectory() && !entry.name.startsWith('.'))
        await this.into(join(folder, entry.name), [{ kind: 'folders' }, ...rest])
    }
  }

  async #take(path: string, rest: readonly GlobSegment[]): Promise<void> {
    if (rest.length > 0) return await this.into(path, rest)
    this.#count(1)
    const stats = await stat(await systemPath(path)).catch(() => null)
    if (stats?.isFile() === true) this.#files.set(path, { path, modifiedAt: stats.mtimeMs })
  }

  async #entries(folder: string): Promise<Dirent[]> {
    const entries = await readdir(await systemPath(folder), { withFileTypes: true }).catch(() => [])
    this.#count(entries.length)
    return entries
  }

  #count(more: number): void {
    const { most = maxLookedAt } = this.#options
    this.#lookedAt += more
    if (this.#lookedAt <= most) return
    throw new HostError(
      'bad-params',
      `the pattern matches more than ${groupedText(most)} files and folders; start it with a folder closer to the logs`
    )
  }
}
