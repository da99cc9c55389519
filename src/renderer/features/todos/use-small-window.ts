import { useSyncExternalStore } from 'react'

/** As in the style sheets. */
const query = '(max-width: 1100px), (max-height: 760px)'

/** Whether the window is small, so that less important parts are collapsed. */
export function useSmallWindow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}
