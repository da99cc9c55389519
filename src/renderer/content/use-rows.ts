import { useEffect, useMemo, useReducer, useState } from 'react'
import { workInSlices } from './sliced-work.ts'
import type { TextRows } from './text-rows.ts'

/** What is found out before anything is drawn, so that a text of an ordinary size is there at once, in characters. */
const firstRead = 32_768
/** What is found out in one step after that. */
const nextRead = 16_384
/** While a long text is read, its box says how far that is, with this pause between, in ms. */
const tellingPause = 200

/**
 * The rows of a text, which are found in slices: the component is drawn again when there are more. `make`: a memoized function. When a text
 * has grown, its rows as they were are given until there are as many again, so that nobody who reads them loses the place.
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
        if (!rows.done && now - told < tellingPause) return
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
