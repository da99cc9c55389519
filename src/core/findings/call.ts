import type { Agent, ToolKind } from '../formats/agent.ts'
import { agents, inputNames } from '../formats/agents.ts'
import { filesOfCall } from '../index/tool-files.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../json.ts'
import type { CommandEffect } from '../shell/command-effect.ts'
import type { DestructiveCommand } from '../shell/destructive.ts'
import { anyWords, lineWords, mayAnswerNo, mayCheck, mayDestroy } from '../shell/line-words.ts'
import { toolKind } from '../tools/tool-kind.ts'
import { callKey, inputSize } from './call-key.ts'
import { type CallCheck, type LineFacts, lineFacts } from './command-line.ts'
import { copied } from './own-text.ts'

/** What the rules know of a call whose input is too long to keep. */
interface LongCall {
  readonly key: number
  readonly size: number
  readonly about: string
  readonly files: readonly string[]
  readonly isPatch: boolean
  readonly line: LineFacts | null
}

/** A call whose result was not read yet. Frozen: copies of the state share it. */
export interface OpenCall {
  readonly seq: number
  /** Empty: the main agent. */
  readonly track: string
  readonly tool: string
  readonly input: JsonObject
  /** Bits of `callTraits`. */
  readonly traits: number
  /** Null: all is read from the input, when a rule asks. */
  readonly long: LongCall | null
}

/** What is told of a call when it starts, by the words of its line and the kind of its tool: never less than what it does. */
export const callTraits = {
  destroys: 1,
  checks: 2,
  /** It checks, and something may hide how that ended. */
  masks: 4,
  answersNo: 8,
  edits: 16,
  reads: 32,
  /** It is a patch, and nothing else. */
  patches: 2048
} as const

/** What a tool's name tells. */
interface ToolFacts {
  readonly kind: ToolKind | null
  readonly asks: boolean
  readonly waits: boolean
  readonly stops: boolean
}

const namesOf = (lists: readonly (readonly string[] | undefined)[]): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => list ?? []).map((name) => name.toLowerCase()))
const every = Object.values<Agent>(agents)
const asking = namesOf(every.map((agent) => agent.asking))
const waiting = namesOf(every.map((agent) => agent.waiting))
const stopping = namesOf(every.map((agent) => agent.stopping))

const toolFacts = new Map<string, ToolFacts>()
const maxToolFacts = 1000

function factsOfTool(tool: string): ToolFacts {
  const known = toolFacts.get(tool)
  if (known !== undefined) return known
  const name = tool.toLowerCase()
  const facts = { kind: toolKind(name), asks: asking.has(name), waits: waiting.has(name), stops: stopping.has(name) }
  if (toolFacts.size < maxToolFacts) toolFacts.set(tool, facts)
  return facts
}

const pathNames = inputNames('path')
const noInput: JsonObject = Object.freeze({})
const noCommands: readonly DestructiveCommand[] = []
const maxAbout = 300
const maxTool = 120
/** Of a longer line, the input is not kept until the result. */
const longLine = 1 << 14
/** Files that are kept of a long call. */
const maxFiles = 20
/** Characters of a line that are read, as in `shellSegments`. */
const maxSearched = 1_000_000
/** What may stand between a check and the end of its line, so that its status is lost. */
const separators = /[|;&\n]/

/** A call that was started. `length`: of its line, in bytes. */
export function openCall(seq: number, track: string, toolName: string, input: JsonObject, length: number): OpenCall {
  const tool = toolName.length > maxTool ? toolName.slice(0, maxTool) : toolName
  const traits = traitsOf(factsOfTool(tool).kind, input)
  const open: OpenCall = { seq, track, tool, input, traits, long: null }
  return Object.freeze(length <= longLine ? open : { ...open, input: noInput, long: new Call(open).summary })
}

/** Whether it looks like a check whose failure something hides. */
export function mayMask({ traits }: OpenCall): boolean {
  return (traits & callTraits.masks) !== 0
}

function traitsOf(kind: ToolKind | null, input: JsonObject): number {
  if (kind === 'edit' || kind === 'write') return callTraits.edits
  if (kind === 'read') return callTraits.reads
  if (!hasLine(kind, input)) return 0
  const line = lineOf(input)
  if (line !== null && isOnlyPatch(input, line)) return callTraits.edits | callTraits.patches
  const words = line === null ? anyWords : lineWords(line)
  let traits = 0
  if (line === null || mayDestroy(words, line)) traits |= callTraits.destroys
  if ((words & mayCheck) !== 0) {
    traits |= line === null || separators.test(line) ? callTraits.checks | callTraits.masks : callTraits.checks
  }
  if ((words & mayAnswerNo) !== 0) traits |= callTraits.answersNo
  if (line !== null && mayGivePatch(line)) traits |= callTraits.edits
  return traits
}

/** Whether the command line of a call must be read to tell what it does. */
function hasLine(kind: ToolKind | null, { command, cmd, action, input, code }: JsonObject): boolean {
  return (kind === 'shell' || kind === null) && (command ?? cmd ?? action ?? input ?? code) !== undefined
}

/** What the rules know of a call. All but its tool is read from the input when a rule asks: most calls only succeed. */
export class Call {
  readonly open: OpenCall
  /** What its tool's name tells. */
  private readonly facts: ToolFacts
  // Once they were asked for.
  private readLine: LineFacts | null = null
  private patch: boolean | null = null
  private named: readonly string[] | null = null

  constructor(open: OpenCall) {
    this.open = open
    this.facts = factsOfTool(open.tool)
  }

  /** A patch that is given to a command is an edit: it changes all that it names, or nothing. */
  get kind(): ToolKind | null {
    const { kind } = this.facts
    return kind === 'shell' && this.isPatch ? 'edit' : kind
  }

  get seq(): number {
    return this.open.seq
  }
  get track(): string {
    return this.open.track
  }
  get tool(): string {
    return this.open.tool
  }

  /** `callKey`. */
  get key(): number {
    return this.open.long?.key ?? callKey(this.open.tool, this.open.input)
  }

  /** `inputSize`: fast. */
  get size(): number {
    return this.open.long?.size ?? inputSize(this.open.input)
  }

  get asks(): boolean {
    return this.facts.asks
  }
  get waits(): boolean {
    return this.facts.waits
  }
  get stops(): boolean {
    return this.facts.stops
  }

  /** The command, the file, or nothing: what a sentence says of the call. It may share memory with the whole text. */
  get about(): string {
    const { long, input } = this.open
    return long?.about ?? aboutOf(input, this.kind === 'edit' || this.kind === 'write' ? this.files : [])
  }

  /** The file that a member of its input names; undefined without one. */
  get file(): string | undefined {
    const { long, input } = this.open
    if (long !== null) return long.files[0]
    for (const name of pathNames) {
      const path = input[name]
      if (typeof path === 'string') return path
    }
    return undefined
  }

  /** The files that it names, also in a patch. */
  get files(): readonly string[] {
    return (this.named ??= this.open.long?.files ?? filesOfCall(this.open.input))
  }

  /** Whether a file that it names may have `part`. False is fast to tell. */
  mayName(part: RegExp): boolean {
    const { patch, diff } = this.open.input
    const text = lineOf(this.open.input) ?? patch ?? diff
    return typeof text !== 'string' || mayName(text, part)
  }

  /** Whether its command line must be read to tell what it does. */
  get hasLine(): boolean {
    const { long, input } = this.open
    return long !== null ? long.line !== null : hasLine(this.facts.kind, input)
  }

  /** Of its command line; null without one. */
  get effect(): CommandEffect | null {
    return this.hasLine ? this.line.effect : null
  }

  /** Null: it has none. */
  get check(): CallCheck | null {
    return this.has(callTraits.checks) ? this.line.check : null
  }

  get destructive(): readonly DestructiveCommand[] {
    return this.has(callTraits.destroys) ? this.line.destructive : noCommands
  }

  /** It may test, build or lint. */
  get mayCheck(): boolean {
    if (this.hasLine) return !this.isPatch && this.line.mayCheck
    const { kind, waits, asks } = this.facts
    return kind === 'agent' || waits || (kind === null && !asks)
  }

  /** It commits or pushes, so hooks may check. */
  get commits(): boolean {
    return this.hasLine && !this.has(callTraits.patches) && this.line.commits
  }

  /** The exit status by which its command answers no. 0: none. */
  get saysNo(): 0 | 1 | 8 {
    return this.has(callTraits.answersNo) ? this.line.saysNo : 0
  }

  /** All of it, for a call whose input is not kept. */
  get summary(): LongCall {
    const { key, size, about, isPatch, files } = this
    return Object.freeze({
      ...{ key, size, isPatch, about: copied(about) },
      files: files.slice(0, maxFiles).map(copied),
      line: this.hasLine ? this.lineFacts : null
    })
  }

  private get lineFacts(): LineFacts {
    const { effect, mayCheck, commits } = this.line
    const { check, destructive, saysNo } = this
    return Object.freeze({ effect, check, mayCheck, commits, destructive, saysNo })
  }

  /** `trait`: one of `callTraits`. */
  private has(trait: number): boolean {
    return (this.open.traits & trait) !== 0
  }

  private get isPatch(): boolean {
    return (this.patch ??= this.open.long?.isPatch ?? (this.hasLine && this.givesPatch))
  }

  private get givesPatch(): boolean {
    if (!this.has(callTraits.edits) || this.has(callTraits.patches)) return this.has(callTraits.patches)
    const { effect } = this
    return effect === 'unknown' || effect === 'move'
  }

  private get line(): LineFacts {
    return (this.readLine ??= this.open.long?.line ?? lineFacts(this.open.input))
  }
}

/** A line as one text: of a list of words, or of a script, all of it. */
function lineOf({ command, cmd, action, input, code }: JsonObject): string | null {
  const stated = command ?? cmd ?? (action === undefined ? (input ?? code) : undefined)
  const line = Array.isArray(stated) ? lineOfWords(stated) : stated
  return typeof line !== 'string' ? null : line.length > maxSearched ? line.slice(0, maxSearched) : line
}

/** Of `bash -lc LINE`, the line: its other words tell nothing. */
function lineOfWords(words: readonly JsonValue[]): string {
  const [name, flag, line] = words
  if (words.length === 3 && name === 'bash' && flag === '-lc' && typeof line === 'string') return line
  return words.filter((word) => typeof word === 'string').join(' ')
}

function mayName(text: string, part: RegExp): boolean {
  if (!text.slice(0, maxAbout).includes('*** Begin Patch')) return part.test(text)
  // The names of files stand in lines of their own.
  for (let at = text.indexOf('\n*** '); at >= 0; at = text.indexOf('\n*** ', at + 1)) {
    const end = text.indexOf('\n', at + 1)
    if (part.test(text.slice(at, end < 0 ? text.length : end))) return true
  }
  return false
}

/** Whether it may be `apply_patch`, with the patch after it. */
function mayGivePatch(line: string): boolean {
  return (line.length > maxAbout ? line.slice(0, maxAbout) : line).includes('apply_patch')
}

/** Whether a line is `apply_patch <<'END'` up to its end, as most of them are. No shell reads what stands in it; other lines must be read. */
function isOnlyPatch({ command }: JsonObject, line: string): boolean {
  if (Array.isArray(command) && command.length === 2 && command[0] === 'apply_patch') return true
  const head = line.slice(0, 40)
  if (!head.startsWith('apply_patch')) return false
  const end = /^apply_patch ?<<-? ?(['"])([A-Z]{1,20})\1\n/.exec(head)?.[2]
  if (end === undefined) return false
  const at = line.indexOf(`\n${end}`)
  return at >= 0 && at + end.length + 1 >= line.trimEnd().length
}

/** What names a call: its command, its file, or its first text. */
function aboutOf(input: JsonObject, files: readonly string[]): string {
  const { command, cmd, action } = input
  const line = command ?? cmd ?? (isJsonObject(action) ? action['command'] : undefined)
  if (typeof line === 'string') return line.slice(0, maxAbout)
  if (Array.isArray(line))
    return (
      line
        .filter((word) => typeof word === 'string')
        .at(-1)
        ?.slice(0, maxAbout) ?? ''
    )
  const path = files[0]
  if (path !== undefined) return path.slice(0, maxAbout)
  for (const name of [
    'file_path',
    'path',
    'pattern',
    'query',
    'url',
    'description',
    'prompt',
    'message',
    'input',
    'code'
  ]) {
    const text = stringAt(input, name)
    if (text !== undefined) return text.slice(0, maxAbout)
  }
  return ''
}
