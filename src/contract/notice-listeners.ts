import { type Notice, type NoticeName, notices } from './methods.ts'

type Listener<N extends NoticeName> = (payload: Notice<N>) => void

/** The listeners of a host's notices. */
export class NoticeListeners {
  readonly #listeners = Object.fromEntries(Object.keys(notices).map((name) => [name, new Set()])) as unknown as {
    readonly [N in NoticeName]: Set<Listener<N>>
  }

  /** Returns a function that removes the listener. */
  on<N extends NoticeName>(name: N, listener: Listener<N>): () => void {
    const listeners: Set<Listener<N>> = this.#listeners[name]
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  emit<N extends NoticeName>(name: N, payload: Notice<N>): void {
    for (const listener of [...this.#listeners[name]]) listener(payload)
  }
}
