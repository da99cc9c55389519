/** Who wants to know that something grown in place has changed. Fits `useSyncExternalStore`. */
export class Listeners {
  readonly #listeners = new Set<() => void>()
  /** Counts the changes. */
  version = 0

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getVersion = (): number => this.version

  notify(): void {
    this.version++
    for (const listener of this.#listeners) listener()
  }
}
