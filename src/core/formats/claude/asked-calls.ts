import type { Decision } from '../../dialogue/permission-text.ts'
import { dropOldest } from '../../drop-oldest.ts'
import type { AskStep } from './decoded.ts'

/** More are not open at once. */
const mostAsks = 1000
const mostCalls = 1000

export interface AskedCall {
  readonly callId: string | undefined
  readonly of: AskStep['of']
  readonly trackId: string | undefined
}

/** Asks that wait for an answer, by the ids of their requests, and the tracks of calls that may be asked about. */
export class AskedCalls {
  private readonly asks = new Map<string, AskedCall>()
  private readonly tracks = new Map<string, string>()

  /** A call of a subagent. */
  called(callId: string, trackId: string): void {
    this.tracks.set(callId, trackId)
    dropOldest(this.tracks, this.tracks.size - mostCalls)
  }

  open({ request, callId, of }: AskStep): AskedCall {
    const ask = { callId, of, trackId: callId === undefined ? undefined : this.tracks.get(callId) }
    this.asks.set(request, ask)
    dropOldest(this.asks, this.asks.size - mostAsks)
    return ask
  }

  /** Null if it is not open any more. */
  close(request: string): AskedCall | null {
    const ask = this.asks.get(request) ?? null
    this.asks.delete(request)
    return ask
  }

  /** The open asks about a call, which are closed. */
  closeOf(callId: string): readonly AskedCall[] {
    this.tracks.delete(callId)
    const closed: AskedCall[] = []
    for (const [request, ask] of this.asks) {
      if (ask.callId !== callId) continue
      this.asks.delete(request)
      closed.push(ask)
    }
    return closed
  }
}

/** To accept a question is to answer it, and a plan is accepted once, with a mode for what follows. */
export function decisionOn({ of }: AskedCall, decision: Decision): Decision {
  if (decision.kind !== 'allowed') return decision
  if (of === 'question') return { kind: 'answered', text: '' }
  return of === 'plan' ? { kind: 'allowed', scope: 'once' } : decision
}
