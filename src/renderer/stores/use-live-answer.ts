import { useEffect, useSyncExternalStore } from 'react'
import type { Listeners } from './listeners.ts'
import { useLog } from './log-store.ts'

/** Data about a log that is loaded while it is watched, and again when the log grows. */
interface Live {
  readonly changes: Listeners
  readonly watch: () => () => void
  readonly onGrown: () => void
}

/** Loads it while the component is shown, which renders again with each change. */
export function useLiveAnswer<Data extends Live>(data: Data): Data {
  const rows = useLog((log) => log.status.rows)
  const replacements = useLog((log) => log.replacements)
  useSyncExternalStore(data.changes.subscribe, data.changes.getVersion)
  useEffect(() => data.watch(), [data])
  useEffect(() => data.onGrown(), [data, rows, replacements])
  return data
}
