import { useEffect, useState } from 'react'
import type { Result } from '#contract/methods.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'

export type RowDetail = Result<'log.event'>

/** What the page has of a row: its detail, that it is on its way, or why it cannot be had. */
export type DetailState =
  | { readonly kind: 'ready'; readonly detail: RowDetail }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string; readonly retry: () => void }

/** Characters of a string that come with the row, and the most that come in one answer; more of a text comes piece by piece. */
export const firstLimit = 64_000
export const largestLimit = 4_000_000

/** How long the row before stays on screen while the next one is read, in ms: a quick answer must not flash. */
const patience = 150
/** A row that may just have been taken back is asked for again: so often, and after so many ms. */
export const mostRetries = 5
export const retryPause = 300

/** Changes when row `row` may be another one than it was; above 0 where it is not final. */
export function useRowRevision(row: number): number {
  return useLog((log) => (row < log.settledRows ? -log.status.generation : log.replacements + 1))
}

interface Loaded {
  readonly row: number
  readonly limit: number
  readonly detail: RowDetail | null
  readonly error: string | null
}

/**
 * The event or record at `row`, its strings cut at `limit`. While the playhead is dragged one row is asked for at a time,
 * the latest next; until it is there the one before is shown for a moment. Read again when `revision` changes, or the call has
 * another result.
 */
export function useRowDetail(row: number, limit: number, revision: number): DetailState {
  const { host, id } = useLogParts()
  const pair = useLog((log) => log.columns.pairOf[row] ?? -1)
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [lateFor, setLateFor] = useState(-1)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    if (row < 0) return
    let wanted = true
    const late = setTimeout(() => setLateFor(row), patience)
    let again: ReturnType<typeof setTimeout> | undefined
    const load = async (retries: number) => {
      try {
        const detail = await host.call('log.event', { log: id, row, limit })
        if (wanted) setLoaded({ row, limit, detail, error: null })
      } catch (error) {
        if (!wanted) return
        if (revision > 0 && retries < mostRetries) {
          again = setTimeout(() => void load(retries + 1), retryPause)
          return
        }
        setLoaded({ row, limit, detail: null, error: error instanceof Error ? error.message : String(error) })
      }
      clearTimeout(late)
    }
    // One frame's wait: of the rows a drag passes in it only the last is asked for.
    const frame = requestAnimationFrame(() => void load(0))
    return () => {
      wanted = false
      clearTimeout(late)
      clearTimeout(again)
      cancelAnimationFrame(frame)
    }
  }, [host, id, row, limit, revision, pair, attempt])

  if (loaded === null) return { kind: 'loading' }
  if (loaded.row === row && loaded.error !== null) {
    return { kind: 'failed', message: loaded.error, retry: () => setAttempt(attempt + 1) }
  }
  if (loaded.detail === null || (loaded.row !== row && lateFor === row)) return { kind: 'loading' }
  return { kind: 'ready', detail: loaded.detail }
}
