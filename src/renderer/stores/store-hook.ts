import { type StoreApi, useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'

/** Reads a store in a component: `useApp((app) => app.active)`, `useApp('active', 'logs')`. */
export interface StoreHook<State, Name extends keyof State> {
  <T>(selector: (state: State) => T): T
  <Chosen extends Name>(...names: Chosen[]): Pick<State, Chosen>
}

export function storeHook<State, Name extends keyof State = keyof State>(
  useApi: () => StoreApi<State>
): StoreHook<State, Name> {
  return function useState<T>(...asked: readonly Name[] | readonly [(state: State) => T]) {
    const [first] = asked
    const isSelector = typeof first === 'function'
    const pick = useShallow((state: State) => Object.fromEntries(asked.map((name) => [name, state[name as Name]])))
    return useStore<StoreApi<State>, unknown>(useApi(), isSelector ? first : pick)
  } as StoreHook<State, Name>
}
