import { useCallback, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
/** Choices if the browser stores nothing. */
const chosen = new Map<string, string>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A choice for all rows, stored across restarts. `values`: the possible ones, the default first. */
export function useRemembered<T extends string>(
  key: string,
  values: readonly [T, ...T[]]
): readonly [T, (value: T) => void] {
  const kept = useSyncExternalStore(subscribe, () => chosen.get(key) ?? stored(key))
  const value = values.find((each) => each === kept) ?? values[0]
  const choose = useCallback(
    (next: T) => {
      chosen.set(key, next)
      try {
        localStorage.setItem(key, next)
      } catch {
        // A page opened from a file may have no storage.
      }
      for (const listener of listeners) listener()
    },
    [key]
  )
  return [value, choose]
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
