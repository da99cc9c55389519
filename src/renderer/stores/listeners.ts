/** Listeners for changes of data that grows in place. Fits `useSyncExternalStore`. */
export class Listeners {
  readonly #listeners = new Set<() => void>()
  /** Number of changes. */
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
