import { useRemembered } from './use-remembered.ts'

export const rawLayouts = ['pretty', 'written', 'bytes'] as const
type RawLayout = (typeof rawLayouts)[number]

/** The person's choice of layout for the bytes of a line. */
export function useRawLayout(): readonly [RawLayout, (layout: RawLayout) => void] {
  return useRemembered('playhead.raw', rawLayouts)
}
