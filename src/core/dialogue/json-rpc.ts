import { dropOldest } from '../drop-oldest.ts'
import type { JsonValue } from '../json.ts'

export type RpcId = string | number

/** The id of a request; null: it has none that can be answered. */
export function rpcId(id: JsonValue | undefined): RpcId | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** Requests without an answer that are remembered. */
const mostOpen = 1000

/** Requests of one side that wait for their answer, with what each is about. */
export class RpcRequests<About> {
  readonly #open = new Map<number, About>()
  #next = 1

  /** The id of a new request. */
  next(about: About): number {
    this.#open.set(this.#next, about)
    if (this.#open.size > mostOpen) dropOldest(this.#open, 1)
    return this.#next++
  }

  /** What an answer is about; undefined: it answers nothing, or was given before. */
  answered(id: JsonValue | undefined): About | undefined {
    if (typeof id !== 'number') return undefined
    const about = this.#open.get(id)
    this.#open.delete(id)
    return about
  }
}
