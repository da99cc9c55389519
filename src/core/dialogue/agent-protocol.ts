import type { JsonObject, JsonValue } from '../json.ts'
import type { Answer, Ask } from './ask.ts'

/** An ask as the agent's line states it. */
export type NewAsk = Omit<Ask, 'since'>

/** What a line of an agent's standard output means for the dialogue with it. */
export type AgentNews =
  /** The handshake is over: prompts can be sent. */
  | { readonly kind: 'ready' }
  /** `gone`: the session to go on with does not exist. */
  | { readonly kind: 'handshake-failed'; readonly message: string; readonly gone: boolean }
  | { readonly kind: 'session'; readonly session: string }
  /** A call runs, or is over. Only where the recording is not what the agent prints. */
  | { readonly kind: 'call'; readonly tool: string; readonly name: string; readonly isOver: boolean }
  /** No two open asks have one id. */
  | { readonly kind: 'asked'; readonly ask: NewAsk }
  /** The agent waits no longer: it withdrew the ask, or took an answer to it. */
  | { readonly kind: 'settled'; readonly ask: string }
  /** A turn began that may not be the answer to a prompt of ours: a prompt came too late for the turn it was meant for, a task ended. */
  | { readonly kind: 'turn-started' }
  | {
      readonly kind: 'turn-over'
      readonly outcome: TurnOutcome
      readonly message: string | null
      /** The agent starts the next turn by itself: it has a prompt that it did not take into this one. */
      readonly next: boolean
    }
  /** The agent dropped a prompt that it had not read (an interrupt). */
  | { readonly kind: 'prompt-dropped'; readonly prompt: string }
  | { readonly kind: 'mode'; readonly mode: string }
  /** A change of the mode was refused by the agent. */
  | { readonly kind: 'mode-refused'; readonly message: string }
  /** Of this process so far; null: not stated. */
  | { readonly kind: 'spent'; readonly usd: number | null; readonly tokens: number | null }
  /** For people: what went wrong without an end of the turn. */
  | { readonly kind: 'trouble'; readonly message: string }

export type TurnOutcome = 'done' | 'interrupted' | 'over-budget' | 'failed'

/** News for the run, and lines that the protocol itself demands: the next step of a handshake, an error. */
export interface AgentReading {
  readonly news: readonly AgentNews[]
  readonly replies: readonly JsonObject[]
}

export interface DialogueStart {
  readonly cwd: string
  /** null: the agent's own choice. */
  readonly model: string | null
  readonly mode: string
  /** The session to go on with; null: a new one. */
  readonly resume: string | null
  /** A random UUID of the run. Ids of prompts are made from it, so no two runs of a session share one. */
  readonly uuid: string
  /** Of Playhead. */
  readonly version: string
}

/** A prompt on its way to the agent. */
export interface SentPrompt {
  readonly id: string
  readonly text: string
}

/**
 * One agent's protocol over its standard input and output, for one process. It keeps ids of requests, threads and turns, knows no clock,
 * and writes nothing: what it returns is to be sent, each object as one line, in this order.
 */
export interface AgentProtocol {
  /** The first lines. */
  start(): readonly JsonObject[]
  /** A parsed line of its standard output, in order. Never throws. */
  read(record: JsonValue): AgentReading
  /** Starts a turn. Sent while one runs, it joins that turn; only if `AgentDialogue.promptsDuringTurn`. */
  prompt(prompt: SentPrompt): readonly JsonObject[]
  /** `answer` fits `ask`: `unfitAnswer` was null. */
  answer(ask: Ask, answer: Answer): readonly JsonObject[]
  /** Ends the turn that runs. `open`: asks that nobody will answer any more. */
  interrupt(open: readonly Ask[]): readonly JsonObject[]
  /** Refuses an ask that came when nobody could answer it: the turn is being ended, or too many are open. `why`: for the model. */
  turnAway(ask: Ask, why?: string): readonly JsonObject[]
  /** Empty: the change goes with the next prompt. */
  setMode(mode: string): readonly JsonObject[]
}
