import type { JsonObject, JsonValue } from '../json.ts'
import { Interned } from './interned.ts'
import { oneLine } from './one-line.ts'

/** The main agent, or one subagent. */
export interface Track {
  /** null: the main agent. */
  readonly trackId: string | null
  /** The task of the track; empty while unknown. */
  readonly label: string
  /** 0 for the main agent, 1 for its subagents, and so on. */
  readonly depth: number
  /** The row of its call; -1 for the main agent, and if the call is missing or follows the track. */
  readonly call: number
}

// Each progress notice sends the list to the page, so its length is limited.
const maxTracks = 4000
const maxLabel = 120
/** Limit of calls that started no track so far. */
const maxCalls = 1000

/** The input members that `onToolCall` reads. */
const taskKeys = ['prompt', 'message', 'objective', 'question', 'description', 'task_name'] as const
type TaskInput = { readonly [Key in (typeof taskKeys)[number]]?: JsonValue | undefined }

/** The tracks of a log in the order they appear; 0 is the main agent. */
export class TrackList {
  readonly tracks: Track[] = [Object.freeze({ trackId: null, label: 'main', depth: 0, call: -1 })]
  private readonly numbers = new Interned(maxTracks, 'further subagents')
  /** Calls that may start a track, oldest first. */
  private readonly calls = new Map<string, { label: string; track: number; row: number }>()

  /** The number of a track; adds a new track. */
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

  /** The number of a known track; otherwise the main agent's. */
  knownNumberOf(trackId: string | undefined): number {
    return trackId === undefined ? 0 : (this.numbers.knownNumberOf(trackId) ?? 0)
  }

  /** Keeps calls with a prompt or message: a track's id is the id of the call that started it. */
  onToolCall(toolId: string, input: JsonObject, track: number, row: number): void {
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

  /** The first prompt labels a track whose call is not in the log. */
  onPrompt(track: number, text: string): void {
    const entry = this.tracks[track]
    if (entry === undefined || entry.trackId === null || entry.label !== '') return
    this.tracks[track] = Object.freeze({ ...entry, label: oneLine(text, maxLabel) })
  }

  private depthBelow(caller: number): number {
    return (this.tracks[caller]?.depth ?? 0) + 1
  }
}
