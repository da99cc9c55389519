import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { RecentLog } from '#contract/methods.ts'
import { withFileLock } from './file-lock.ts'
import type { Remembering } from './remembered-logs.ts'
import { systemPath } from './sources/system-path.ts'
import { writeWhole } from './whole-file.ts'
import { stateWriteFailure } from './write-failure.ts'

const maxRecent = 30

const RecentFile = z.object({ version: z.literal(1), recent: z.array(RecentLog) })

type Change = (recent: RecentLog[]) => RecentLog[]

/**
 * The logs that were open last, remembered in the state folder. Several programs of Playhead share the file: each change is made to what stands
 * there, under a lock. A file that cannot be understood counts as empty.
 */
export class RecentLogs {
  readonly #file: string
  /** Changes that could not be written so far. */
  #unwritten: Change[] = []
  #changing: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.#file = join(folder, 'recent-logs.json')
  }

  /** Latest first, with the sizes the files have now. */
  async list(): Promise<RecentLog[]> {
    await this.#changing
    const written = await readRecent(this.#file).catch(() => [])
    return await Promise.all(this.#changed(written).map(async (log) => ({ ...log, bytes: await sizeOf(log.path) })))
  }

  /**
   * Puts a log that was opened at the top, in place of what was known of it; of one that has grown, only what is known changes, and nothing where it
   * was forgotten. Rejects with a sentence where that cannot be written; it lasts until Playhead is closed.
   */
  async remember(log: RecentLog, why: Remembering): Promise<void> {
    const others = (recent: RecentLog[]): RecentLog[] => recent.filter((known) => known.path !== log.path)
    await this.#change((recent) =>
      why === 'opened'
        ? [log, ...others(recent)].slice(0, maxRecent)
        : recent.map((known) => (known.path === log.path ? { ...log, openedAt: known.openedAt } : known))
    )
  }

  /** Forgets all. Rejects as `remember` does. */
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
      // What cannot be read is not written over.
      const recent = this.#changed(await readRecent(this.#file))
      await writeWhole(this.#file, JSON.stringify({ version: 1, recent }, null, 2), { makesFolder: true })
      this.#unwritten = []
    } catch (error) {
      // They are tried again with the next change, and last until Playhead is closed.
      throw stateWriteFailure(dirname(this.#file), this.#file, error)
    }
  }

  #changed(recent: RecentLog[]): RecentLog[] {
    return this.#unwritten.reduce((changed, change) => change(changed), recent)
  }
}

/** Rejects where there is something that cannot be read. */
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
