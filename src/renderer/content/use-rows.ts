import { useEffect, useMemo, useReducer, useState } from 'react'
import { workInSlices } from './sliced-work.ts'
import type { TextRows } from './text-rows.ts'

/** Characters read before the first render, so that an ordinary text is complete at once. */
const firstRead = 32_768
/** Characters read per later step. */
const nextRead = 16_384
/** Interval of progress updates while a long text is read, in ms. */
const updateEveryMs = 200

/** The rows of a text, read in slices. `make`: memoized. The rows of a grown text stay until new ones exist. */
export function useRows<Rows extends TextRows>(make: () => Rows): Rows {
  const rows = useMemo(() => {
    const made = make()
    made.read(firstRead)
    return made
  }, [make])
  const [, update] = useReducer((version: number) => version + 1, 0)
  useEffect(() => {
    if (rows.done) return
    let updatedAt = 0
    return workInSlices(
      () => {
        rows.read(nextRead)
        return rows.done
      },
      () => {
        const now = performance.now()
        if (!rows.done && now - updatedAt < updateEveryMs) return
        updatedAt = now
        update()
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
