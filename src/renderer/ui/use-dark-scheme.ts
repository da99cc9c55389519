import { useSyncExternalStore } from 'react'

export function useDarkScheme(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

const query = '(prefers-color-scheme: dark)'

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}
