import type { JsonObject, JsonValue } from '../json.ts'
import { Interned } from './interned.ts'
import { oneLine } from './one-line.ts'

/** The main agent, or one subagent. */
export interface Track {
  /** null: the main agent. */
  readonly trackId: string | null
  /** What the track was asked to do; empty while that is not known. */
  readonly label: string
  /** 0 for the main agent, 1 for a subagent it started, and so on. */
  readonly depth: number
  /** The row of the call that started it; -1 for the main agent, and where it is not in the log or came later. */
  readonly call: number
}

// The list travels to the page with each progress notice, so a log cannot make it grow for ever.
const maxTracks = 4000
const maxLabel = 120
/** Of calls that started no track so far. */
const maxCalls = 1000

/** The members of a call's input that `called` reads. */
const taskKeys = ['prompt', 'message', 'objective', 'question', 'description', 'task_name'] as const
type TaskInput = { readonly [Key in (typeof taskKeys)[number]]?: JsonValue | undefined }

/** The tracks of a log in the order they appear; 0 is the main agent. */
export class TrackList {
  readonly tracks: Track[] = [Object.freeze({ trackId: null, label: 'main', depth: 0, call: -1 })]
  private readonly numbers = new Interned(maxTracks, 'further subagents')
  /** Calls that may start a track, the oldest first. */
  private readonly calls = new Map<string, { label: string; track: number; row: number }>()

  /** The number of a track, a new one if it was not met before. */
  numberOf(trackId: string | undefined): number {
    if (trackId === undefined) return 0
    const number = this.numbers.numberOf(trackId)
    if (number === this.tracks.length) {
      const call = this.calls.get(trackId)
      this.calls.delete(trackId)
      const depth = call ? this.depthBelow(call.track) : 1
      this.tracks.push(
        Object.freeze({ trackId: this.numbers.nameOf(number), label: call?.label ?? '', depth, call: call?.row ?? -1 })
      )
    }
    return number
  }

  /** The number of a track that has an event; the main agent's for any other. */
  knownNumberOf(trackId: string | undefined): number {
    return trackId === undefined ? 0 : (this.numbers.knownNumberOf(trackId) ?? 0)
  }

  /**
   * A tool was called in row `row`. A track is named by the id of the call that started it, so a call that hands work on, with a prompt
   * or a message to somebody, is kept in mind.
   */
  called(toolId: string, input: JsonObject, track: number, row: number): void {
    const { prompt, message, objective, question, description, task_name: name }: TaskInput = input
    const task = [prompt, message, objective, question].find((text) => typeof text === 'string')
    if (typeof task !== 'string') return
    const words = [description, name].find((text) => typeof text === 'string' && text !== '')
    const label = oneLine(typeof words === 'string' ? words : task, maxLabel)
    this.calls.set(toolId, Object.freeze({ label, track, row }))
    for (const oldest of this.calls.keys()) {
      if (this.calls.size <= maxCalls) break
      this.calls.delete(oldest)
    }
  }

  /** A prompt stands on a track: what the track was asked, where the call that started it is not in the log. */
  prompted(track: number, text: string): void {
    const entry = this.tracks[track]
    if (entry === undefined || entry.trackId === null || entry.label !== '') return
    this.tracks[track] = Object.freeze({ ...entry, label: oneLine(text, maxLabel) })
  }

  private depthBelow(caller: number): number {
    return (this.tracks[caller]?.depth ?? 0) + 1
  }
}
