import { useSyncExternalStore } from 'react'

/** As the style sheets have it. */
const query = '(max-width: 1100px), (max-height: 760px)'

/** Whether there is little room, so that what is not looked at is folded. */
export function useSmallWindow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}
