import { dropOldest } from '../drop-oldest.ts'
import type { Ask } from './ask.ts'

/** Asks that are open in one run at once. */
export const mostOpenAsks = 64
/** Ids of asks that are over, remembered to tell a late answer from a wrong one. */
const mostRemembered = 1000

/** An ask with the time of the host's clock at which it came. */
interface OpenAsk {
  readonly ask: Ask
  readonly sinceMs: number
}

/** The asks of one run: each is opened once, and taken out once. */
export class OpenAsks {
  readonly #open = new Map<string, OpenAsk>()
  readonly #over = new Set<string>()
  #list: readonly Ask[] = []

  /** Oldest first. */
  get list(): readonly Ask[] {
    return this.#list
  }

  get isFull(): boolean {
    return this.#open.size >= mostOpenAsks
  }

  isOver(id: string): boolean {
    return this.#over.has(id)
  }

  open(ask: Ask, sinceMs: number): void {
    this.#open.set(ask.id, { ask, sinceMs })
    this.#list = [...this.#list, ask]
  }

  /** Takes an ask out; undefined: it is not open. */
  take(id: string): Ask | undefined {
    const found = this.#open.get(id)
    if (found === undefined) return undefined
    this.#open.delete(id)
    this.#list = this.#list.filter((ask) => ask.id !== id)
    this.over(id)
    return found.ask
  }

  /** Remembers an id that no ask may have again. */
  over(id: string): void {
    this.#over.add(id)
    if (this.#over.size > mostRemembered) dropOldest(this.#over, 1)
  }

  /** Those opened at `sinceMs` or before. */
  openSince(sinceMs: number): readonly Ask[] {
    return [...this.#open.values()].filter((open) => open.sinceMs <= sinceMs).map((open) => open.ask)
  }

  /** When the oldest came; null: none is open. */
  get oldestMs(): number | null {
    for (const open of this.#open.values()) return open.sinceMs
    return null
  }
}
