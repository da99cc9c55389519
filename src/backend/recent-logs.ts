import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { RecentLog } from '#contract/methods.ts'
import { writeWhole } from './whole-file.ts'

const maxRecent = 30

const RecentFile = z.object({ version: z.literal(1), recent: z.array(RecentLog) })

/** The logs that were open last, remembered in the state folder. A file that cannot be read or understood counts as empty. */
export class RecentLogs {
  readonly #file: string
  #recent: Promise<RecentLog[]> | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.#file = join(folder, 'recent-logs.json')
  }

  /** Latest first, with the sizes the files have now. */
  async list(): Promise<RecentLog[]> {
    const recent = await this.#load()
    return await Promise.all(recent.map(async (log) => ({ ...log, bytes: await sizeOf(log.path) })))
  }

  /** Puts a log at the top, in place of what was known of it. Failing to write is not worth an error: it is only memory. */
  async remember(log: RecentLog): Promise<void> {
    await this.#change((recent) => [log, ...recent.filter((known) => known.path !== log.path)].slice(0, maxRecent))
  }

  /** Forgets all. */
  async clear(): Promise<void> {
    await this.#change(() => [])
  }

  async #change(change: (recent: RecentLog[]) => RecentLog[]): Promise<void> {
    this.#recent = this.#load().then(change)
    this.#writing = this.#writing.then(() => this.#write()).catch(() => {})
    await this.#writing
  }

  #load(): Promise<RecentLog[]> {
    this.#recent ??= readRecent(this.#file)
    return this.#recent
  }

  async #write(): Promise<void> {
    const recent = await this.#load()
    await writeWhole(this.#file, JSON.stringify({ version: 1, recent }, null, 2), { makesFolder: true })
  }
}

async function readRecent(file: string): Promise<RecentLog[]> {
  try {
    const parsed = RecentFile.safeParse(JSON.parse(await readFile(file, 'utf8')))
    return parsed.success ? parsed.data.recent.slice(0, maxRecent) : []
  } catch {
    return []
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch {
    return null
  }
}
