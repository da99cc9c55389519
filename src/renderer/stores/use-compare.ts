import { useApp } from './app-store.ts'
import type { Comparison, Side } from './comparison.ts'
import { type LogStore, useLogParts } from './log-store.ts'
import { storeHook } from './store-hook.ts'
import { useLayout } from './use-layout.ts'

export type ComparedStores = Readonly<Record<Side, LogStore>>

/** The comparison of two logs, of which the page has one. */
export const useCompare = storeHook(function useStore() {
  return useApp((app) => app.compare)
})

/** Whether the log is one of the two that are compared. */
export function useIsCompared(): boolean {
  const { id } = useLogParts()
  return useCompare(({ logs }) => logs !== null && (logs.a === id || logs.b === id))
}

/** The stores of the logs that are compared; null if one of them was closed. */
export function useComparedStores(): ComparedStores | null {
  const { logs } = useCompare('logs')
  const a = useApp((app) => app.logStores.get(logs?.a ?? ''))
  const b = useApp((app) => app.logStores.get(logs?.b ?? ''))
  return a === undefined || b === undefined ? null : { a, b }
}

/** What the view of the comparison shows; null if another view is shown, or nothing is compared yet. */
export function useShownComparison(): { readonly comparison: Comparison; readonly stores: ComparedStores } | null {
  const isCompared = useIsCompared()
  const view = useLayout((layout) => layout.view)
  const stores = useComparedStores()
  const { comparison } = useCompare('comparison')
  return isCompared && view === 'compare' && stores !== null && comparison !== null ? { comparison, stores } : null
}
