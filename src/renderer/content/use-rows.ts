import { useEffect, useMemo, useReducer, useState } from 'react'
import { workInSlices } from './sliced-work.ts'
import type { TextRows } from './text-rows.ts'

/** Characters read before the first render, so that an ordinary text is complete at once. */
const firstRead = 32_768
/** Characters read per later step. */
const nextRead = 16_384
/** Interval of progress updates while a long text is read, in ms. */
const updateEveryMs = 200

/**
 * The rows of a text, read in slices; the component renders again for new rows. `make`: memoized. When a text grows,
 * the old rows are returned until as many new ones exist, so that the scroll position is kept.
 */
export function useRows<Rows extends TextRows>(make: () => Rows): Rows {
  const rows = useMemo(() => {
    const made = make()
    made.read(firstRead)
    return made
  }, [make])
  const [, tell] = useReducer((version: number) => version + 1, 0)
  useEffect(() => {
    if (rows.done) return
    let told = 0
    return workInSlices(
      () => {
        rows.read(nextRead)
        return rows.done
      },
      () => {
        const now = performance.now()
        if (!rows.done && now - told < updateEveryMs) return
        told = now
        tell()
      }
    )
  }, [rows])
  const [given, setGiven] = useState(rows)
  if (given === rows) return rows
  const waits = !rows.done && rows.count < given.count && rows.text.startsWith(given.text)
  if (waits) return given
  setGiven(rows)
  return rows
}
