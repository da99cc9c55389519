import type { TodoItem } from '../events/todo.ts'
import type { JsonObject } from '../json.ts'
import type { Shell } from '../shell/shell-line.ts'

/** The kind of a tool, by its name: of tools that agents bring along. */
export const toolKinds = ['shell', 'read', 'list', 'write', 'edit', 'search', 'web', 'agent'] as const
export type ToolKind = (typeof toolKinds)[number]

/** The first tool call of a script, and the number of its calls. */
export interface ScriptCalls {
  readonly tool: string
  /** The literal part of its input: strings and numbers by key; a patch is `patch`. */
  readonly input: JsonObject
  readonly calls: number
}

/** A tool's output without the agent's wrapper. */
export interface ToolOutput {
  readonly body: string
  /** Of a command that ended. */
  readonly exitCode: number | null
  /** The command still runs; `body` is its output so far. */
  readonly running: boolean
}

/** The lines of a file that a reading tool shows. */
export interface ReadLines {
  /** The number of the first line, from 1; null: as the call asks. */
  readonly first: number | null
  readonly text: string
  /** Lines of the file, split at line feeds; null: not stated. */
  readonly total: number | null
  /** The text goes to the end of the file. `open`: a last line feed is not shown. */
  readonly isEnd: boolean | 'open'
}

/** An image in a record. */
export interface WrittenImage {
  /** Its media type, such as `image/png`; undefined if not stated. */
  readonly declared: string | undefined
  /** Base64; undefined if missing. */
  readonly data: string | undefined
}

/** Members of a usage record with token counts, `.` before a nested one. The first one present counts. */
export interface UsageNames {
  readonly input: readonly string[]
  /** Not included in the input. */
  readonly cacheRead?: readonly string[]
  readonly cacheWrite?: readonly string[]
  /** What is cached for an hour, included in the cache writes. */
  readonly cacheWriteHour?: readonly string[]
  /** Included in the input. */
  readonly cacheReadOfInput?: readonly string[]
  readonly cacheWriteOfInput?: readonly string[]
  /** Input by tools, not included in the input. */
  readonly toolInput?: readonly string[]
  readonly output: readonly string[]
  /** Reasoning, included in the output. */
  readonly reasoning?: readonly string[]
  /** Reasoning, not included in the output. */
  readonly thoughts?: readonly string[]
}

/** Members of the inputs of an agent's tools. The first one present counts. */
export interface InputNames {
  readonly path?: readonly string[]
  /** A list of paths. */
  readonly paths?: readonly string[]
  readonly folder?: readonly string[]
  /** The text that an edit replaces, and its replacement. */
  readonly before?: readonly string[]
  readonly after?: readonly string[]
  /** True if an edit replaces every occurrence. */
  readonly all?: readonly string[]
  /** The whole content of a file, or of a notebook's cell. */
  readonly content?: readonly string[]
  /** The work of a subagent. */
  readonly prompt?: readonly string[]
}

/** How results of an agent's tools begin, where they tell more than success or failure. Each reads from the first character. */
export interface ResultWords {
  /** A person refused the call. */
  readonly byUser?: readonly RegExp[]
  /** The permission rules refused the call, or nobody was there to be asked. */
  readonly byRules?: readonly RegExp[]
  /** The call was cancelled with another one: it did not fail itself. */
  readonly cancelled?: readonly RegExp[]
  /** A person interrupted the call. */
  readonly interrupted?: readonly RegExp[]
  /** The exit code, as its first group. */
  readonly exitCode?: RegExp
}

/** The facts about an agent that hold for all its logs. Its functions are pure and never throw. */
export interface Agent {
  /** Used in events and reports. */
  readonly name: string
  /** Short name. */
  readonly label: string
  /** What queries and the command line also take for its name in events. The first one is that of its program, for live runs. */
  readonly words: readonly [string, ...string[]]
  /** Names of its tools, in lower case. */
  readonly tools: Readonly<Partial<Record<ToolKind, readonly string[]>>>
  /** Tools that ask the person something. */
  readonly asking?: readonly string[]
  /** Tools that wait for a command or subagent that still runs, in lower case. */
  readonly waiting?: readonly string[]
  /** Tools that end a command that still runs, in lower case. */
  readonly stopping?: readonly string[]
  readonly results?: ResultWords
  /** The shell that reads its command lines on Windows; absent: `sh`, or a shell that the line itself starts. */
  readonly windowsShell?: Shell
  /** White space at both ends of a command's output is cut. */
  readonly trimsOutput?: boolean
  /** Its reading tools show lines without numbers. The number of the first line where their input has an `offset` of 0. */
  readonly bareLinesFrom?: 0 | 1
  /** It may run a formatter after each edit, and the log does not tell. */
  readonly formatsEdits?: boolean
  /** Tools, in lower case, that remove the line end, too, where they replace whole lines by nothing. */
  readonly takesLineEnd?: readonly string[]
  /** How the paths of its settings begin, below the home folder. */
  readonly settings?: readonly string[]
  /** Codes of the errors that say that a turn reached a limit. */
  readonly limits?: readonly string[]
  readonly input?: InputNames
  readonly usage?: UsageNames
  /** Who makes its models: the well-known name in OpenTelemetry's conventions, and how the names of the models begin. */
  readonly provider?: { readonly name: string; readonly models: RegExp }
  /** "Claude Opus 4.5" for `claude-opus-4-5`; null for models of other vendors. */
  modelName?(this: void, model: string): string | null
  /** The todo list that a call writes; null for other tools and without a list. */
  todoItems?(this: void, tool: string, input: JsonObject): readonly TodoItem[] | null
  /** Tools, by their exact names, whose result may state the list though the call writes none. */
  readonly todoReaders?: readonly string[]
  /** The list that a todo tool's result states in words; 'former' if it says that the call changed nothing. Null: it states none. */
  todoWords?(this: void, tool: string, output: string): readonly TodoItem[] | 'former' | null
  /** The calls of a script that was passed to one of its tools; null if the text is no script. */
  scriptCalls?(this: void, script: string): ScriptCalls | null
  /** The output without one wrapper of the agent; null without a wrapper. */
  unwrapped?(this: void, output: string): ToolOutput | null
  /** The lines in a reading tool's output, where it has a form of its own; null for other outputs. */
  readLines?(this: void, output: string): ReadLines | null
  /** The image in a part of a record; null for other parts. */
  imageOf?(this: void, part: JsonObject): WrittenImage | null
  /** The id of the call that a part of a record belongs to; undefined if not stated. */
  callOf?(this: void, part: JsonObject): string | undefined
}
