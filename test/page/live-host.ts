import { HostError } from '#contract/host-error.ts'
import type { LogStatus } from '#contract/methods.ts'
import { type CannedRow, statusOf, testHandlers, type TestHost, testHost } from './host.ts'

/** A test host whose log grows, shrinks to what is final, and starts over. */
export interface LiveHost extends TestHost {
  /** The log as it is now. */
  readonly now: { readonly rows: readonly CannedRow[]; readonly status: LogStatus }
  /** What was asked for of the columns: first row and count of each page. */
  readonly pages: readonly (readonly [from: number, count: number])[]
  /** Pages that are asked for from now on are read, but come when the function is called that this gives. */
  holdPages(): () => void
  /**
   * The log goes on: the rows that were not final are taken back, `added` come in their place, and `ending` after them, which
   * are not final. The status says so, with `changes` of it.
   */
  grow(added: readonly CannedRow[], ending?: readonly CannedRow[], changes?: Partial<LogStatus>): void
  /** The page hears of it with what is told next. */
  growInSilence(added: readonly CannedRow[], ending?: readonly CannedRow[]): void
  /** The file became another one. */
  startOver(rows: readonly CannedRow[], note: string | null): void
  startOverInSilence(rows: readonly CannedRow[], note: string | null): void
  /** The same log as it is told now. */
  tell(changes: Partial<LogStatus>): void
}

/** `ending`: rows after the first ones that are not final. */
export function liveHost(first: readonly CannedRow[], ending: readonly CannedRow[] = []): LiveHost {
  /** Changed in place: the canned host answers from it. */
  const rows = [...first, ...ending]
  const pages: [number, number][] = []
  let settled = first.length
  let held = Promise.resolve()
  let status = { ...statusOf(rows), ...settledOf(rows, settled) }
  const canned = testHandlers(rows, status)
  const served = testHost(rows, status, {
    'log.list': async () => ({ logs: [status] }),
    'log.status': async () => status,
    'log.open': async () => status,
    'log.rows': async (params) => {
      const absent = params.rows.find((row) => row >= rows.length)
      if (absent !== undefined) throw new HostError('bad-params', `There is no row ${absent}.`)
      return await canned['log.rows'](params)
    },
    'log.columns': async (params) => {
      pages.push([params.from, params.count])
      const page = await canned['log.columns'](params)
      await held
      return page
    }
  })

  function replace(from: number, added: readonly CannedRow[], ended: readonly CannedRow[]): void {
    rows.splice(from, Infinity, ...added, ...ended)
    settled = from + added.length
    const { log, generation, generationNote, fileState } = status
    const kept = { log, generation, generationNote, fileState, grownAt: (status.grownAt ?? 0) + 1 }
    status = { ...statusOf(rows), ...settledOf(rows, settled), ...kept }
  }

  function tell(changes: Partial<LogStatus>): void {
    status = { ...status, ...changes }
    served.progress(status)
    served.queryAgain()
  }

  function startOverInSilence(next: readonly CannedRow[], generationNote: string | null): void {
    status = { ...status, generation: status.generation + 1, generationNote }
    replace(0, next, [])
  }

  return {
    ...served,
    get now() {
      return { rows, status }
    },
    pages,
    holdPages() {
      let release = () => {}
      held = new Promise((resolve) => (release = resolve))
      return () => release()
    },
    grow(added, ended = [], changes = {}) {
      replace(settled, added, ended)
      tell(changes)
    },
    growInSilence: (added, ended = []) => replace(settled, added, ended),
    startOver(next, note) {
      startOverInSilence(next, note)
      tell({})
    },
    startOverInSilence,
    tell
  }
}

function settledOf(rows: readonly CannedRow[], settled: number): Pick<LogStatus, 'settled'> {
  const { rows: count, events, todoSnapshots } = statusOf(rows.slice(0, settled))
  return { settled: { rows: count, events, todoSnapshots } }
}
