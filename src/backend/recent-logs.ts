import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { RecentLog } from '#contract/methods.ts'
import type { RememberReason } from './remembered-logs.ts'
import { systemPath } from './sources/system-path.ts'
import { StateFile } from './state-file.ts'

const maxRecent = 30

const RecentFile = z.object({ version: z.literal(1), recent: z.array(RecentLog) })

type Change = (recent: RecentLog[]) => RecentLog[]

/** The logs opened last, in a file that several processes change. An invalid file counts as empty. */
export class RecentLogs {
  readonly #file: StateFile<z.infer<typeof RecentFile>>
  /** Changes that could not be written yet. */
  #unwritten: Change[] = []
  #changing: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.#file = new StateFile(join(folder, 'recent-logs.json'), RecentFile, { version: 1, recent: [] })
  }

  /** Latest first, with current file sizes. */
  async list(): Promise<RecentLog[]> {
    await this.#changing
    const written = await this.#file.read().catch(() => ({ recent: [] }))
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
    const changed = this.#changing.then(async () => {
      // If this fails, the next change writes them too.
      this.#unwritten = [...this.#unwritten, change].slice(-maxRecent)
      await this.#file.change((written) => ({ version: 1, recent: this.#changed(written) }))
      this.#unwritten = []
    })
    this.#changing = changed.catch(() => {})
    await changed
  }

  #changed({ recent }: { readonly recent: RecentLog[] }): RecentLog[] {
    return this.#unwritten.reduce((changed, change) => change(changed), recent.slice(0, maxRecent))
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(await systemPath(path))).size
  } catch {
    return null
  }
}
