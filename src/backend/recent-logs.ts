import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { RecentLog } from '#contract/methods.ts'
import { withFileLock } from './file-lock.ts'
import type { RememberReason } from './remembered-logs.ts'
import { systemPath } from './sources/system-path.ts'
import { writeWhole } from './whole-file.ts'
import { stateWriteFailure } from './write-failure.ts'

const maxRecent = 30

const RecentFile = z.object({ version: z.literal(1), recent: z.array(RecentLog) })

type Change = (recent: RecentLog[]) => RecentLog[]

/** The logs opened last, in a file that several processes change under a lock. An invalid file counts as empty. */
export class RecentLogs {
  readonly #file: string
  /** Changes that could not be written yet. */
  #unwritten: Change[] = []
  #changing: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.#file = join(folder, 'recent-logs.json')
  }

  /** Latest first, with current file sizes. */
  async list(): Promise<RecentLog[]> {
    await this.#changing
    const written = await readRecent(this.#file).catch(() => [])
    return await Promise.all(this.#changed(written).map(async (log) => ({ ...log, bytes: await sizeOf(log.path) })))
  }

  /** An opened log moves to the top, a grown one stays. If writing fails, rejects and keeps the change in memory. */
  async remember(log: RecentLog, why: RememberReason): Promise<void> {
    const others = (recent: RecentLog[]): RecentLog[] => recent.filter((known) => known.path !== log.path)
    await this.#change((recent) =>
      why === 'opened'
        ? [log, ...others(recent)].slice(0, maxRecent)
        : recent.map((known) => (known.path === log.path ? { ...log, openedAt: known.openedAt } : known))
    )
  }

  /** Rejects like `remember`. */
  async clear(): Promise<void> {
    await this.#change(() => [])
  }

  async #change(change: Change): Promise<void> {
    const changed = this.#changing.then(() => withFileLock(this.#file, () => this.#changeFile(change)))
    this.#changing = changed.catch(() => {})
    await changed
  }

  async #changeFile(change: Change): Promise<void> {
    this.#unwritten = [...this.#unwritten, change].slice(-maxRecent)
    try {
      // An unreadable file is not overwritten.
      const recent = this.#changed(await readRecent(this.#file))
      await writeWhole(this.#file, JSON.stringify({ version: 1, recent }, null, 2), { makesFolder: true })
      this.#unwritten = []
    } catch (error) {
      // The next change writes them too.
      throw stateWriteFailure(dirname(this.#file), this.#file, error)
    }
  }

  #changed(recent: RecentLog[]): RecentLog[] {
    return this.#unwritten.reduce((changed, change) => change(changed), recent)
  }
}

/** Rejects if the file exists and cannot be read. */
async function readRecent(file: string): Promise<RecentLog[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  try {
    const parsed = RecentFile.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data.recent.slice(0, maxRecent) : []
  } catch {
    return []
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(await systemPath(path))).size
  } catch {
    return null
  }
}
