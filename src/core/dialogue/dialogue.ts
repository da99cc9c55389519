import type { JsonObject, JsonValue } from '../json.ts'
import type { AgentDialogue } from '../formats/agent-program.ts'
import type { AgentProtocol, TurnOutcome } from './agent-protocol.ts'
import type { Answer, Ask } from './ask.ts'

export type Turn = 'starting' | 'working' | 'asking' | 'interrupting' | 'idle' | 'stopping' | 'ended' | 'lost'

/** A point in time, told by the host. */
export interface Moment {
  /** Ms since the epoch. */
  readonly at: number
  /** Ms since the process was started, by a clock that is never set. */
  readonly elapsedMs: number
}

/** Null: none. */
export interface DialogueLimits {
  /** The clock stands while somebody is asked. */
  readonly runMs: number | null
  readonly askMs: number | null
  readonly usd: number | null
  readonly tokens: number | null
  readonly idleMs: number | null
}

export interface QueuedPrompt {
  readonly id: string
  readonly text: string
}

/** What a person asks for. Ids are those of `DialogueState`. */
export type DialogueCall =
  | { readonly do: 'answer'; readonly ask: string; readonly answer: Answer }
  /** `now`: into the turn that runs, before what is queued. `if-idle`: only if no turn runs and nothing waits. */
  | { readonly do: 'prompt'; readonly text: string; readonly when: 'queue' | 'now' | 'if-idle' }
  | { readonly do: 'edit'; readonly prompt: string; readonly text: string }
  /** `to`: its new place in the queue, from 0. */
  | { readonly do: 'move'; readonly prompt: string; readonly to: number }
  | { readonly do: 'drop'; readonly prompt: string }
  | { readonly do: 'hold' }
  | { readonly do: 'release' }
  | { readonly do: 'interrupt' }
  | { readonly do: 'finish' }
  | { readonly do: 'stop' }
  | { readonly do: 'set-mode'; readonly mode: string; readonly confirmed: boolean }
  | { readonly do: 'set-limits'; readonly limits: DialogueLimits }

export type DialogueInput =
  /** The process runs, and its standard input is open. Once, before all others. */
  | { readonly kind: 'started' }
  | { readonly kind: 'record'; readonly record: JsonValue }
  | { readonly kind: 'call'; readonly call: DialogueCall }
  /** Time passed; at the latest at `DialogueMachine.wakeAtMs`. */
  | { readonly kind: 'time' }
  /** No process is left. */
  | { readonly kind: 'ended' }
  /** The host died; found out by another one. */
  | { readonly kind: 'lost' }

export type Decision = 'allowed' | 'allowed-for-run' | 'refused' | 'answered' | 'withdrawn'

/** On whose account a line is sent: a call of a person, a limit that was reached, a handshake or a demand of the protocol. */
export type SentBy = 'person' | 'limit' | 'protocol'

/** What the host has to do, in this order. */
export type DialogueStep =
  /** One line for standard input: `JSON.stringify(line)`. `secret`: noted in `dialogue.jsonl` without its text. */
  | { readonly do: 'send'; readonly line: JsonObject; readonly by: SentBy; readonly secret: boolean }
  | { readonly do: 'close-input' }
  /** Ends the process as `run.stop` of other runs does: interrupt, terminate, kill. */
  | { readonly do: 'end-process' }
  | { readonly do: 'tell'; readonly change: DialogueChange }

/** What became different in `Dialogue.state`, for the stream and the page. */
export type DialogueChange =
  | { readonly kind: 'turn'; readonly turn: Turn }
  | { readonly kind: 'asked'; readonly ask: Ask }
  | {
      readonly kind: 'decided'
      readonly ask: Ask
      readonly decision: Decision
      readonly by: 'person' | 'limit' | 'agent'
      readonly message: string | null
    }
  | { readonly kind: 'queue'; readonly length: number; readonly held: boolean }
  | { readonly kind: 'mode'; readonly mode: string; readonly wanted: string | null }
  | { readonly kind: 'spent'; readonly usd: number | null; readonly tokens: number | null }
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'call'; readonly tool: string; readonly name: string; readonly isOver: boolean }
  /** The time limit of the run is reached. */
  | { readonly kind: 'time-up' }
  /** For people, a sentence. */
  | { readonly kind: 'message'; readonly message: string }

export type Refusal = {
  readonly code: 'already-answered' | 'unavailable' | 'bad-params' | 'not-offered' | 'not-confirmed' | 'held' | 'gone'
  /** For people: why, and what to do. */
  readonly message: string
}

export interface DialogueResult {
  readonly steps: readonly DialogueStep[]
  /** The call was refused: nothing was sent or changed. */
  readonly refused: Refusal | null
}

export interface DialogueState {
  readonly turn: Turn
  readonly session: string | null
  /** The agent's; `wantedMode`: asked for, and not yet taken by the agent. */
  readonly mode: string
  readonly wantedMode: string | null
  /** Oldest first. */
  readonly asks: readonly Ask[]
  readonly queue: readonly QueuedPrompt[]
  /** Nothing queued starts before a person releases it. */
  readonly held: boolean
  readonly limits: DialogueLimits
  readonly spent: { readonly usd: number | null; readonly tokens: number | null }
  /** Of the last turn; null: none is over. */
  readonly outcome: TurnOutcome | null
  /** Why the handshake failed, or which limit ended the run; null: neither. */
  readonly failure: string | null
  readonly failedBy: 'handshake' | 'no-session' | 'run-limit' | null
  /** Standard input was closed by `finish` or the idle limit: exit code 1 is no error then. */
  readonly finished: boolean
}

export interface DialogueOptions {
  readonly protocol: AgentProtocol
  readonly agent: AgentDialogue
  readonly mode: string
  readonly mayBecomeDangerous: boolean
  readonly limits: DialogueLimits
  /** The first prompt. */
  readonly prompt: string
}
