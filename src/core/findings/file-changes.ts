import { Call, type OpenCall } from './call.ts'
import type { CallEnd } from './seen-event.ts'
import { stateOf } from './track-states.ts'

/** Calls that wait to be read, of a track and of all. */
const maxWaiting = 64
const maxWaitingOfAll = 1000

interface Track {
  /** The result of the last call that is known to have changed files. */
  last: number
  /** A rule may ask about what comes from here on. */
  asked: boolean
  /** Calls whose command lines may change files and were not read, with their results. */
  waiting: { readonly call: OpenCall; readonly seq: number }[]
}

/**
 * When files were last changed. Most calls are commands, and to read what a command does is slow, so this is done only for
 * the calls after a failed one, and only when a rule asks.
 */
export class FileChanges {
  private readonly tracks = new Map<string, Track>()
  /** Waiting calls of all tracks. */
  private waiting = 0

  /** A call of a track failed: `since` may be asked about what follows, and what it did itself. */
  ask(track: string): void {
    stateOf(this.tracks, track, newTrack).asked = true
  }

  end({ call, counts, outcome, seq }: CallEnd): void {
    if (outcome.refused !== null || counts === 'neither') return
    const track = this.tracks.get(call.track)
    if (track === undefined || !track.asked) return
    const { kind } = call
    if (kind === 'agent' || ((kind === 'edit' || kind === 'write') && counts === 'done')) {
      track.last = seq
      track.asked = false
      this.take(track)
    } else if (kind !== 'edit' && kind !== 'write' && call.hasLine) {
      track.waiting.push({ call: call.open, seq })
      this.waiting++
      if (track.waiting.length > maxWaiting || this.waiting > maxWaitingOfAll) this.read(track)
    }
  }

  /** Whether a call of a track changed files, whose result is `seq` or came later. `seq`: of a failed call. */
  since(track: string, seq: number): boolean {
    const known = this.tracks.get(track)
    if (known === undefined) return false
    if (known.last < seq) this.read(known)
    return known.last >= seq
  }

  /** Reads the waiting calls, the last one first: only the last change matters. */
  private read(track: Track): void {
    for (const { call, seq } of this.take(track).reverse()) {
      const { effect } = new Call(call)
      if (effect === null || effect === 'read' || effect === 'move' || effect === 'check') continue
      track.last = seq
      return
    }
  }

  private take(track: Track): Track['waiting'] {
    const { waiting } = track
    track.waiting = []
    this.waiting -= waiting.length
    return waiting
  }
}

function newTrack(): Track {
  return { last: -1, asked: false, waiting: [] }
}
