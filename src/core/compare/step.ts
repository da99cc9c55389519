/** What an agent did, as it is compared. A call that changes several files is a step for each of them. */
export interface Step {
  readonly kind: 'prompt' | 'call' | 'todos' | 'text' | 'turn' | 'error'
  /** The event. */
  readonly seq: number
  /** Among the steps of its track, as the log has them. */
  readonly place: number
  /** Of a call: a tool kind (`shell`), else the tool's name. Empty for other steps. */
  readonly tool: string
  /** What the step is about: a path, a command, a pattern, the words of a text. Normalized and cut to `maxTarget`. */
  readonly target: string
  /** Of a call about a file: its path, as in `target` but whole. Else null. */
  readonly file: string | null
  /** Of what defines the step: equal steps have equal hashes (`textHash`). */
  readonly hash: number
  /** Of a call: `open` without a result. Null for other steps. */
  readonly outcome: 'ok' | 'failed' | 'open' | null
  /** Hash of the normalized result; null without one. */
  readonly resultHash: number | null
}

/** Characters. */
export const maxTarget = 400

/** The steps of the main agent or of a subagent, in log order; parallel calls in an order that all sessions share. */
export interface TrackSteps {
  /** Null: the main agent. */
  readonly trackId: string | null
  /** Steps at the beginning that were copied from an earlier session, and are marked so. */
  readonly history: readonly Step[]
  readonly steps: readonly Step[]
}
