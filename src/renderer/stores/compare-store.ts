import { createStore, type StoreApi } from 'zustand'
import { messageOf } from '#contract/host-error.ts'
import type { Host, LogStatus } from '#contract/methods.ts'
import { Comparison, type Side } from './comparison.ts'
import type { LogStore } from './log-store.ts'

/** Two open logs; A is the baseline. */
export type ComparedLogs = Readonly<Record<Side, string>>

/** The comparison of two open logs. The page has one. */
export interface CompareState {
  /** Null: nothing is compared. */
  readonly logs: ComparedLogs | null
  /** Bytes read while the logs are compared; null: they are not. */
  readonly progress: { readonly read: number; readonly all: number } | null
  readonly error: string | null
  /** The last answer. It stays while the logs are compared again, because one has grown. */
  readonly comparison: Comparison | null
  /** The row at the playhead of both logs; -1 for none. */
  readonly row: number
  /** Whether rows without a difference are on one line. */
  readonly foldsEqual: boolean
  /** First rows of folds that a person opened. */
  readonly opened: ReadonlySet<number>

  /** `keepsPlace`: the playheads stay; else they go to the first difference. */
  compare(logs: ComparedLogs, keepsPlace: boolean): void
  /** Compares the same logs again, after an error. */
  again(): void
  end(): void
  swap(): void
  /** Moves the playheads of both logs to a row. */
  select(row: number): void
  /** Of a moved step: goes to the row of its equal in the other session. */
  selectOther(row: number): void
  /** The playhead of one log was moved to an event: the other one follows. */
  follow(side: Side, seq: number): void
  /** Goes to the next difference; false if there is none. */
  step(direction: 1 | -1): boolean
  setFoldsEqual(folds: boolean): void
  openFold(row: number): void
}

export type CompareStore = StoreApi<CompareState>

/** A log that grows is compared again after this time without growth, in ms. */
const restMs = 1500

const nothing = { progress: null, error: null, comparison: null, row: -1, opened: new Set<number>() } as const

/** `storeOf`: the store of an open log. */
export function createCompareStore(host: Host, storeOf: (log: string) => LogStore | undefined): CompareStore {
  return createStore<CompareState>((set, get) => {
    /** Answers of earlier calls are ignored. */
    let calls = 0
    let keepsPlace = false
    let rest: ReturnType<typeof setTimeout> | undefined
    /** By log: where its playhead was put, so that `follow` tells other moves from these. `waits`: its rows are not loaded yet. */
    const placed = new Map<string, { readonly seq: number; waits: boolean }>()
    const compared = new Map<string, string>()

    host.on('compare.progress', ({ a, b, read, all }) => {
      const { logs, progress } = get()
      if (progress !== null && logs?.a === a && logs.b === b) set({ progress: { read, all } })
    })
    host.on('log.progress', (status) => {
      const { logs, progress } = get()
      if (logs === null || (status.log !== logs.a && status.log !== logs.b)) return
      if (status.phase !== 'done' || compared.get(status.log) === versionOf(status)) return
      clearTimeout(rest)
      if (progress === null) rest = setTimeout(() => void run(), restMs)
    })

    async function run(): Promise<void> {
      const { logs } = get()
      if (logs === null) return
      const call = ++calls
      clearTimeout(rest)
      set({ progress: { read: 0, all: 0 }, error: null })
      try {
        for (const log of [logs.a, logs.b]) compared.set(log, versionOf(storeOf(log)?.getState().status))
        const comparison = new Comparison(await host.call('compare.logs', { ...logs }))
        if (call !== calls) return
        const former = get().comparison
        const at = former === null ? -1 : former.eventAt('b', get().row)
        set({ comparison, progress: null, ...(former === null ? undefined : { row: comparison.rowOfEvent('b', at) }) })
        if (former !== null || followPlayhead(logs)) return
        // The first difference is what a person looks for.
        get().select(Math.max(0, comparison.nextDifference(-1, 1)))
      } catch (error) {
        if (call === calls) set({ progress: null, error: messageOf(error) })
      }
    }

    /** False if neither playhead is to be kept. */
    function followPlayhead(logs: ComparedLogs): boolean {
      const kept = (['b', 'a'] as const).find((side) => keepsPlace && storeOf(logs[side])?.getState().moved === true)
      if (kept === undefined) return false
      get().follow(kept, storeOf(logs[kept])?.getState().seq ?? -1)
      return true
    }

    function put(side: Side, seq: number): void {
      const log = get().logs?.[side]
      const store = log === undefined ? undefined : storeOf(log)
      if (log === undefined || store === undefined || seq < 0) return
      const place = { seq, waits: true }
      placed.set(log, place)
      const { loading, playhead } = store.parts
      loading.begin()
      loading.whenLoaded(() => {
        if (placed.get(log) !== place) return
        place.waits = false
        playhead.placeEvent(seq)
      })
    }

    return {
      logs: null,
      ...nothing,
      foldsEqual: true,

      compare(logs, keeps) {
        const { logs: former } = get()
        if (former !== null && former.a === logs.a && former.b === logs.b) return
        get().end()
        keepsPlace = keeps
        set({ logs })
        storeOf(logs.a)?.parts.loading.begin()
        void run()
      },
      again: () => void run(),
      end() {
        const { logs, progress } = get()
        calls++
        clearTimeout(rest)
        placed.clear()
        set({ logs: null, ...nothing })
        // An error changes nothing: nobody waits for the answer.
        if (logs !== null && progress !== null) host.call('compare.end', { ...logs }).catch(() => {})
      },
      swap() {
        const { logs, comparison } = get()
        if (logs === null || comparison === null) return
        set({ logs: { a: logs.b, b: logs.a }, comparison: comparison.swapped })
      },
      select(row) {
        const { comparison } = get()
        if (comparison === null || row < 0 || row >= comparison.rows) return
        set({ row })
        for (const side of ['a', 'b'] as const) put(side, comparison.eventAt(side, row))
      },
      selectOther(row) {
        const { comparison, select } = get()
        const other = comparison?.otherAt(row) ?? -1
        if (comparison === null || other < 0) return
        select(comparison.rowOfEvent(comparison.seqAt('a', row) < 0 ? 'a' : 'b', other))
      },
      follow(side, seq) {
        const { logs, comparison } = get()
        if (logs === null || comparison === null || seq < 0) return
        const place = placed.get(logs[side])
        if (place !== undefined && (place.waits || place.seq === seq)) return
        placed.set(logs[side], { seq, waits: false })
        if (comparison.rows === 0) return
        // Before the first step there is no row.
        const row = Math.max(0, comparison.rowOfEvent(side, seq))
        set({ row })
        const other = side === 'a' ? 'b' : 'a'
        put(other, comparison.eventAt(other, row))
      },
      step(direction) {
        const { comparison, row, select } = get()
        const next = comparison?.nextDifference(row, direction) ?? -1
        if (next >= 0) select(next)
        return next >= 0
      },
      setFoldsEqual: (foldsEqual) => set({ foldsEqual, opened: new Set() }),
      openFold: (row) => set({ opened: new Set(get().opened).add(row) })
    }
  })
}

function versionOf(status: Pick<LogStatus, 'generation' | 'events'> | undefined): string {
  return status === undefined ? '' : `${status.generation} ${status.events}`
}
