import { useStore } from 'zustand'
import { useApp } from './app-store.ts'
import type { LayoutState } from './layout-store.ts'

/** How the page is laid out, which is the same for all logs. */
export function useLayout<T>(selector: (state: LayoutState) => T): T {
  return useStore(
    useApp((app) => app.layout),
    selector
  )
}
