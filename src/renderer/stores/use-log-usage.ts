import { useEffect, useId, useSyncExternalStore } from 'react'
import type { Usage } from '#contract/methods.ts'
import { useLog, useLogParts } from './log-store.ts'
import type { RowRange } from './range-usages.ts'

/** The tokens of a range of rows, as far as loaded; null if the log states none. */
export function useUsage({ of, from, to }: RowRange): Usage | null {
  const owner = useId()
  const { usages } = useLogParts()
  const usage = useSyncExternalStore(usages.changes.subscribe, () => usages.get({ of, from, to }))
  useEffect(() => {
    usages.request(owner, [{ of, from, to }])
    return () => usages.request(owner, [])
  }, [usages, owner, of, from, to])
  return usage ?? null
}

/** The tokens of the log so far. */
export function useLogUsage(): Usage | null {
  const to = useLog((log) => log.status.rows)
  return useUsage({ of: 'log', from: 0, to })
}
