import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { QueryKey } from '#core/query/query-keys.ts'
import { workFromNow } from '../../content/sliced-work.ts'
import type { ValueCounting, ValueCounts } from './query-values.ts'

/** What the values of keys are counted in. */
export interface CountedRows {
  /** Null: the values of this key are not counted. */
  readonly start: (key: QueryKey) => ValueCounting | null
  /** Other rows are counted anew at once. */
  readonly of: unknown
  /** Another version of the same rows is counted once the count that goes on is done. */
  readonly version: unknown
}

/** The rows of the values of a key, which are counted in slices while it is asked for. Null until then. */
export function useValueCounts(key: QueryKey | null, rows: CountedRows | undefined): ValueCounts {
  const name = key?.name
  const { of, version } = rows ?? {}
  const [last, setLast] = useState<{ name: string; of: unknown; version: unknown; counts: ValueCounts } | null>(null)
  const running = useRef<{ name: string; of: unknown; stop: () => void } | null>(null)
  // Before the page is painted: what takes no longer than a slice is there at once.
  useLayoutEffect(() => {
    const isOf = (count: { name: string; of: unknown } | null) => count?.name === name && count?.of === of
    if (isOf(running.current)) return
    running.current?.stop()
    running.current = null
    if (isOf(last) && last?.version === version) return
    const counting = key === null ? null : rows?.start(key)
    if (name === undefined || !counting) return
    const run = { name, of, stop: () => {} }
    running.current = run
    run.stop = workFromNow(counting.step, () => {
      running.current = null
      setLast({ name, of, version, counts: counting.counts() })
    })
  })
  useEffect(() => () => running.current?.stop(), [])
  return last !== null && last.name === name ? last.counts : null
}
