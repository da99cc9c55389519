import { dropOldest } from '../drop-oldest.ts'
import type { Call } from './call.ts'
import { ownText } from './own-text.ts'

/** Limit of open calls; above, the oldest half is forgotten. */
const maxCalls = 1000

interface Open {
  readonly call: Call
  /** A later prompt or result was given to its caller, so it can go on. */
  answered: boolean
  /** Its caller said or called something after that. */
  left: boolean
}

/**
 * Calls without a result so far. Calls of one message are open at the same time, so a caller has gone on only if it was
 * given something after the call, and then acted.
 */
export class OpenCalls {
  private readonly calls = new Map<number, Open>()

  /** The calls whose caller went on, in log order. */
  get left(): readonly { readonly seq: number; readonly tool: string; readonly about: string }[] {
    return [...this.calls.values()].flatMap(({ call: { seq, tool, about }, left }) =>
      left ? [{ seq, tool, about: ownText(about) }] : []
    )
  }

  add(call: Call): void {
    this.calls.set(call.seq, { call, answered: false, left: false })
    if (this.calls.size > maxCalls) dropOldest(this.calls, maxCalls / 2)
  }

  delete({ seq }: Call): void {
    this.calls.delete(seq)
  }

  /** A track was given a prompt or a result. */
  answer(track: string): void {
    if (this.calls.size === 0) return
    for (const open of this.calls.values()) if (open.call.track === track) open.answered = true
  }

  /** A track said or called something, as event `seq`. */
  act(track: string, seq: number): void {
    if (this.calls.size === 0) return
    for (const open of this.calls.values()) {
      if (open.answered && open.call.track === track && open.call.seq < seq) open.left = true
    }
  }
}
