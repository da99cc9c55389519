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

/** What is known of an agent whatever log it writes. It stands in the vendor's folder, and in `agents.ts`. */
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
  /** What a script does that one of its tools is given; null for a text that is none. Pure. */
  scriptCalls?(this: void, script: string): ScriptCalls | null
}
