import { useCallback, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
/** What was chosen where the browser keeps nothing. */
const chosen = new Map<string, string>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A choice of the person that every row is shown by, kept from one start to the next. `values`: what it may be, the usual one first. */
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
        // A page that was opened from a file may keep nothing.
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
