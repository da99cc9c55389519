import { useEffect, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'

export type RowDetail = Result<'log.event'>

/** A row's detail, or loading, or an error. */
export type DetailState =
  | { readonly kind: 'ready'; readonly detail: RowDetail }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string; readonly retry: () => void }

/** Characters of a string that are loaded with the row, and the maximum per answer. */
export const firstLimit = 64_000
export const largestLimit = 4_000_000

/** How long the previous row stays visible while the next is read: a fast answer must not flash. */
const keepPreviousMs = 150
/** Retries and their delay for a row that may just have been taken back. */
export const maxRetries = 5
export const retryAfterMs = 300

/** A number that changes when row `row` may have changed; above 0 if the row is not final. */
export function useRowRevision(row: number): number {
  return useLog((log) => (row < log.settledRows ? -log.status.generation : log.replacements + 1))
}

interface Loaded {
  readonly row: number
  readonly limit: number
  readonly detail: RowDetail | null
  readonly error: string | null
}

/** The event or record at `row`, its strings cut at `limit` characters. Only the latest row is requested. */
export function useRowDetail(row: number, limit: number, revision: number): DetailState {
  const { host, id } = useLogParts()
  const pair = useLog((log) => log.columns.pairOf[row] ?? -1)
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [lateFor, setLateFor] = useState(-1)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    if (row < 0) return
    let wanted = true
    const late = setTimeout(() => setLateFor(row), keepPreviousMs)
    let again: ReturnType<typeof setTimeout> | undefined
    const load = async (retries: number) => {
      try {
        const detail = await host.call('log.event', { log: id, row, limit })
        if (wanted) setLoaded({ row, limit, detail, error: null })
      } catch (error) {
        if (!wanted) return
        if (revision > 0 && retries < maxRetries) {
          again = setTimeout(() => void load(retries + 1), retryAfterMs)
          return
        }
        setLoaded({ row, limit, detail: null, error: messageOf(error) })
      }
      clearTimeout(late)
    }
    // Wait one frame: of the rows that a drag passes, only the last is requested.
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
