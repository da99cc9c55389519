import type { TodoItem } from '../events/todo.ts'
import type { JsonObject } from '../json.ts'

/** What a tool does, as far as its name tells: of the tools that agents bring with them. */
export type ToolKind = 'shell' | 'read' | 'list' | 'write' | 'edit' | 'search' | 'web' | 'agent'

/** What a script that calls tools does first, and how many calls it has. */
export interface ScriptCalls {
  /** The first tool called. */
  readonly tool: string
  /** As much of its input as is written out: strings and numbers by key; of a patch, `patch`. */
  readonly input: JsonObject
  readonly calls: number
}

/** What a tool said, apart from what the agent that ran it wrote around it. */
export interface ToolOutput {
  readonly body: string
  /** Of a command that ended. */
  readonly exitCode: number | null
  /** The command goes on; what is here is only what it said so far. */
  readonly running: boolean
}

/** An image as a record holds it. */
export interface WrittenImage {
  /** What the record says it is: `image/png`; undefined: it does not say. */
  readonly declared: string | undefined
  /** Base64; undefined: none is there. */
  readonly data: string | undefined
}

/** Where a usage record has its counts of tokens: names of members, with `.` between a member and one in it; the first one that is there counts. */
export interface UsageNames {
  readonly input: readonly string[]
  /** Counted apart from the input. */
  readonly cacheRead?: readonly string[]
  readonly cacheWrite?: readonly string[]
  /** Counted in the input. */
  readonly cacheReadOfInput?: readonly string[]
  readonly cacheWriteOfInput?: readonly string[]
  /** What tools sent, apart from the input. */
  readonly toolInput?: readonly string[]
  readonly output: readonly string[]
  /** Thoughts, counted in the output. */
  readonly reasoning?: readonly string[]
  /** Thoughts, apart from the output. */
  readonly thoughts?: readonly string[]
}

/** What is known of an agent whatever log it writes. It stands in the vendor's folder, and in `agents.ts`. Its functions are pure and never throw. */
export interface Agent {
  /** In events and reports. */
  readonly name: string
  /** As people call it where the maker goes without saying. */
  readonly label: string
  /** On the command line, and in the search field of the library; then other words that people have for it. */
  readonly words: readonly [string, ...string[]]
  /** Names of the tools it brings, in lower case. */
  readonly tools: Readonly<Partial<Record<ToolKind, readonly string[]>>>
  /** Names of tools that ask the person something. */
  readonly asking?: readonly string[]
  readonly usage?: UsageNames
  /** "Claude Opus 4.5" for `claude-opus-4-5`; null for what is no model of its maker. */
  modelName?(this: void, model: string): string | null
  /** The whole list that a call of this tool writes; null for any other tool, and where its input has no list. */
  todoItems?(this: void, tool: string, input: JsonObject): readonly TodoItem[] | null
  /** What a script does that one of its tools is given; null for a text that is none. */
  scriptCalls?(this: void, script: string): ScriptCalls | null
  /** What a tool said, without one wrapper that the agent puts around it; null where it has none. */
  unwrapped?(this: void, output: string): ToolOutput | null
  /** The image that a part of a record is; null for any other part. */
  imageOf?(this: void, part: JsonObject): WrittenImage | null
  /** The id of the call that a part of a record is about, or is; undefined: it does not say. */
  callOf?(this: void, part: JsonObject): string | undefined
}
