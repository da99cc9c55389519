import type { DiffLayout } from '../../content/diff-rows.ts'
import { useRemembered } from './use-remembered.ts'

export const diffLayouts = ['split', 'unified'] as const
export const diffLayoutNames: Readonly<Record<DiffLayout, string>> = { split: 'Side by side', unified: 'Unified' }

/** The person's choice of diff layout. A narrow inspector always shows the two sides below each other. */
export function useDiffLayout(): readonly [DiffLayout, (layout: DiffLayout) => void] {
  return useRemembered('playhead.diff', diffLayouts)
}
