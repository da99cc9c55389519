import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RecentLog } from '#contract/methods.ts'
import type { RememberReason } from './remembered-logs.ts'
import { systemPath } from './sources/system-path.ts'
import { listOf, StateFile } from './state-file.ts'

const maxRecent = 30

type Change = (recent: RecentLog[]) => RecentLog[]

/** The logs opened last, in a file that several processes change. */
export class RecentLogs {
  readonly #file: StateFile<{ recent: RecentLog[] }>
  /** Changes that could not be written yet. */
  #unwritten: Change[] = []
  #changing: Promise<void> = Promise.resolve()

  constructor(folder: string, problem?: (message: string) => void) {
    this.#file = new StateFile(join(folder, 'recent-logs.json'), {
      // Members of newer versions stay.
      ...{ members: { recent: listOf(RecentLog.loose()) }, instead: 'the list of recent logs is empty', problem }
    })
  }

  /** Latest first, with current file sizes. */
  async list(): Promise<RecentLog[]> {
    await this.#changing
    const written = await this.#file.read().catch(() => ({ recent: [] }))
    return await Promise.all(this.#changed(written).map(async (log) => ({ ...log, bytes: await sizeOf(log.path) })))
  }

  /** An opened log moves to the top, a grown one stays. If writing fails, rejects and keeps the change in memory. */
  async remember(log: RecentLog, why: RememberReason): Promise<void> {
    await this.#change((recent) => {
      const before = recent.find((known) => known.path === log.path)
      const others = recent.filter((known) => known !== before)
      if (why === 'opened') return [{ ...before, ...log }, ...others].slice(0, maxRecent)
      return recent.map((known) => (known === before ? { ...known, ...log, openedAt: known.openedAt } : known))
    })
  }

  /** Rejects like `remember`. */
  async clear(): Promise<void> {
    await this.#change(() => [])
  }

  async #change(change: Change): Promise<void> {
    const changed = this.#changing.then(async () => {
      // If this fails, the next change writes them too.
      this.#unwritten = [...this.#unwritten, change].slice(-maxRecent)
      await this.#file.change((written) => ({ recent: this.#changed(written) }))
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
