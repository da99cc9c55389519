import { dropOldest } from '../drop-oldest.ts'

/** What became different for the clock of a run's calls. */
export type CallChange =
  /** `trackId`: the call that started the subagent, whose call this is; null: the main agent's. */
  | { readonly kind: 'started'; readonly tool: string; readonly trackId: string | null }
  | { readonly kind: 'over'; readonly tool: string }
  /** A person is asked. `tool` null: not about a call that is named. */
  | { readonly kind: 'asked'; readonly request: string; readonly tool: string | null }
  | { readonly kind: 'decided'; readonly request: string }

/** A call that takes longer than it may. */
export interface LateCall {
  readonly tool: string
  readonly elapsedMs: number
}

interface Call {
  readonly trackId: string | null
  ranMs: number
  /** Null: it waits for a person. */
  sinceMs: number | null
}

/** Limits; the oldest are dropped. */
const maxCalls = 10_000
const maxAsks = 1000
const maxIdLength = 1000

/**
 * Measures how long the calls of a run take. It has no clock: each moment is told, in ms of a clock that is never set. While a person is
 * asked about a call, its time stands, and so does that of the calls whose subagents it belongs to.
 */
export class ToolClock {
  readonly #calls = new Map<string, Call>()
  readonly #asks = new Map<string, string | null>()

  take(change: CallChange, nowMs: number): void {
    switch (change.kind) {
      case 'started':
        if (change.tool.length > maxIdLength || this.#calls.has(change.tool)) return
        this.#calls.set(change.tool, { trackId: change.trackId, ranMs: 0, sinceMs: nowMs })
        dropOldest(this.#calls, this.#calls.size - maxCalls)
        if (this.#asks.size > 0) this.#pause(nowMs)
        return
      case 'over':
        this.#calls.delete(change.tool)
        return
      case 'asked':
        this.#asks.set(change.request, change.tool)
        dropOldest(this.#asks, this.#asks.size - maxAsks)
        this.#pause(nowMs)
        return
      case 'decided':
        if (this.#asks.delete(change.request)) this.#pause(nowMs)
    }
  }

  /** When the next call is late; null: none will be. */
  wakeAtMs(limitMs: number): number | null {
    let wakeAtMs: number | null = null
    for (const { ranMs, sinceMs } of this.#calls.values()) {
      if (sinceMs === null) continue
      const lateAtMs = sinceMs + limitMs - ranMs
      if (wakeAtMs === null || lateAtMs < wakeAtMs) wakeAtMs = lateAtMs
    }
    return wakeAtMs
  }

  /** Takes out the calls that are late, the oldest first. */
  late(limitMs: number, nowMs: number): readonly LateCall[] {
    const late: LateCall[] = []
    for (const [tool, { ranMs, sinceMs }] of this.#calls) {
      const elapsedMs = sinceMs === null ? 0 : ranMs + nowMs - sinceMs
      if (elapsedMs < limitMs) continue
      this.#calls.delete(tool)
      late.push({ tool, elapsedMs: Math.round(elapsedMs) })
    }
    return late
  }

  /** Stops the time of the calls that wait for a person, and lets that of the others go on. */
  #pause(nowMs: number): void {
    const waiting = this.#waiting()
    for (const [tool, call] of this.#calls) {
      const waits = waiting.has(tool)
      if (waits === (call.sinceMs === null)) continue
      if (call.sinceMs !== null) call.ranMs += nowMs - call.sinceMs
      call.sinceMs = waits ? null : nowMs
    }
  }

  #waiting(): ReadonlySet<string> {
    const waiting = new Set<string>()
    for (const tool of this.#asks.values()) {
      // Not about a named call, as a question of a server of the main agent: any of its calls may be the one that waits.
      if (tool === null) for (const [id, { trackId }] of this.#calls) if (trackId === null) waiting.add(id)
      for (let id = tool; id !== null && !waiting.has(id); id = this.#calls.get(id)?.trackId ?? null) waiting.add(id)
    }
    return waiting
  }
}
