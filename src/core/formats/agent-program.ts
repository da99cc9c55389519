import type { AgentProtocol, DialogueStart } from '../dialogue/agent-protocol.ts'
import type { OptionTable } from './agent-options.ts'
import type { LogStore } from './log-store.ts'

/** What an agent may do without asking. */
export interface ProgramMode {
  /** In the agent's own words. */
  readonly id: string
  readonly title: string
  /** Its meaning for the user, a sentence. */
  readonly note: string
  /** The agent may change or run anything without asking: never the default, and confirmed by the user. */
  readonly dangerous: boolean
}

/** The first of each is the default: with a person it asks before it changes anything. */
export interface ProgramModes {
  /** While a person can be asked. */
  readonly dialogue: readonly [ProgramMode, ...ProgramMode[]]
  /** Otherwise. */
  readonly plain: readonly [ProgramMode, ...ProgramMode[]]
}

/** What the user asks of an agent. Null: the agent's own choice. */
export interface ProgramRequest {
  readonly model: string | null
  readonly mode: string | null
  /** Each is one argument, unchanged. */
  readonly extraArguments: readonly string[]
  /** The session to go on with; null: a new one. */
  readonly resumes: { readonly session: string } | null
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Playhead's hook. */
export interface HookSetting {
  /** The shell command that receives tool results. */
  readonly command: string
  /** The text of a settings file that the user names, or why it is not merged, a sentence. */
  readSettings(path: string): { readonly text: string } | { readonly why: string }
}

/** Settings of Playhead for an agent. */
export interface AgentSetting {
  /** null: none. */
  readonly hook: HookSetting | null
  /** The user is root. */
  readonly isRoot: boolean
  /** The environment of Playhead. */
  readonly variables: Environment
}

/** The sessions that the agent keeps, and can go on with. */
export interface ProgramSessions {
  readonly store: LogStore
  /** What it does not know of a session any more, a sentence for the user. */
  readonly note: string
  /** On standard error, if it does not have the session that it was to go on with. */
  readonly unknown: RegExp
  /** A text in the records that say that other records are lost; null: none do. */
  readonly lossMarker: string | null
}

/** What the user asks of an agent that can be talked to. */
export interface DialogueRequest extends ProgramRequest {
  /** The person allowed at the start that the mode may become a dangerous one later. */
  readonly mayBecomeDangerous: boolean
  /** null: no limit. */
  readonly costLimitUsd: number | null
}

/** How an agent is started and spoken to when a person answers it: its standard input stays open. */
export interface AgentDialogue {
  /** The log format of its recording. */
  readonly format: string
  /** Its first version that can be talked to so, `0.39.0`. */
  readonly since: string
  /** What an older one says on standard error, or in answer to the handshake. */
  readonly tooOld: RegExp
  /** The first is the default: it asks before it changes anything. */
  readonly modes: readonly [ProgramMode, ...ProgramMode[]]
  /** What other agents do in a conversation and it cannot, for the user: one sentence; null: nothing. */
  readonly lacks: string | null
  /** A prompt can be sent into a turn that runs. Otherwise it would end that turn. */
  readonly promptsDuringTurn: boolean
  /** A refusal can carry words for the model, and can end the turn. */
  readonly refusal: { readonly tellsMessage: boolean; readonly endsTurn: boolean }
  /** A dangerous mode is taken only by a process that was started with `mayBecomeDangerous` or in that mode. */
  readonly dangerIsDecidedAtStart: boolean
  /** Which limits can be held: what the agent states of its spending. */
  readonly states: { readonly usd: boolean; readonly tokens: 'in-turns' | 'after-turns' }
  /** Until when, in ms since the epoch, it would damage the session of this file by going on with it; null: it would not. */
  damagesUntil(sessionFile: string): number | null
  /** Everything after the program's name. */
  arguments(request: DialogueRequest, setting: AgentSetting): string[]
  environment(request: DialogueRequest, setting: AgentSetting): Environment
  /** Further options that the user cannot set. */
  readonly reserved: readonly string[]
  protocol(start: DialogueStart): AgentProtocol
}

/** Starts an agent that prints its log. Without a terminal, agents disable their todo tools unless an option enables them. */
export interface AgentProgram {
  readonly title: string
  /** The name to search for on PATH. */
  readonly program: string
  /** The log format of its output. */
  readonly format: string
  readonly install: string
  /** The first is the default. */
  readonly modes: readonly [ProgramMode, ...ProgramMode[]]
  readonly versionArguments: readonly string[]
  /** Waits after an interrupt and after a terminate signal. */
  readonly grace: { readonly interruptMs: number; readonly terminateMs: number }
  /** Everything after the program's name. */
  arguments(request: ProgramRequest, setting: AgentSetting): string[]
  /** Variables to add to Playhead's environment; undefined removes one. */
  environment(request: ProgramRequest, setting: AgentSetting): Environment
  /** Folders below the home folder where its own installer puts it. */
  readonly installFolders: readonly string[]
  /** The names on the path to its own logs, for `LiveNotes`; null: not needed. `home`: the user's home folder. */
  logs(environment: Environment, home: string): readonly string[] | null
  readonly options: OptionTable
  /** Why the hook is not in force with these arguments, a sentence for the user; null: it is, or there is none. */
  lostHook(extraArguments: readonly string[], hook: HookSetting | null): string | null
  /** Options that control output and prompt, which the user cannot set. */
  readonly reserved: readonly string[]
  readonly sessions: ProgramSessions
  /** Lines on standard error that appear in every run and explain nothing. */
  readonly ignoredStderrLines: readonly string[]
  readonly dialogue: AgentDialogue
}
