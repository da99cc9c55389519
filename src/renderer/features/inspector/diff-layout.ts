import type { DiffLayout } from '../../content/diff-rows.ts'
import { useRemembered } from './use-remembered.ts'

export const diffLayouts = ['split', 'unified'] as const
export const diffLayoutNames: Readonly<Record<DiffLayout, string>> = { split: 'Side by side', unified: 'Unified' }

/** How the person wants to see changes; where there is no room for two sides they stand under each other all the same. */
export function useDiffLayout(): readonly [DiffLayout, (layout: DiffLayout) => void] {
  return useRemembered('playhead.diff', diffLayouts)
}
