import { useEffect, useMemo, useReducer } from 'react'
import { workInSlices } from './sliced-work.ts'
import type { TextRows } from './text-rows.ts'

/** What is found out before anything is drawn, so that a text of an ordinary size is there at once, in characters. */
const firstRead = 32_768
/** What is found out in one task after that. */
const nextRead = 262_144
/** The page hears of new rows so many times while it waits, and then less and less often. */
const firstTellings = 4

/** The rows of a text, which are found in slices: the component is drawn again when there are more. `make`: a memoized function. */
export function useRows<Rows extends TextRows>(make: () => Rows): Rows {
  const rows = useMemo(() => {
    const made = make()
    made.read(firstRead)
    return made
  }, [make])
  const [, tell] = useReducer((version: number) => version + 1, 0)
  useEffect(() => {
    if (rows.done) return
    let slices = 0
    return workInSlices(() => {
      rows.read(nextRead)
      slices++
      if (rows.done || slices < firstTellings || slices % 8 === 0) tell()
      return rows.done
    })
  }, [rows])
  return rows
}
