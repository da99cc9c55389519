import type { Agent, ToolKind } from '../formats/agent.ts'
import { agents, inputNames } from '../formats/agents.ts'
import { filesOfCall } from '../index/tool-files.ts'
import { isJsonObject, type JsonObject, stringAt } from '../json.ts'
import { type CheckKind, checksOf, type CommandEffect, commandEffect, largerEffect } from '../shell/command-effect.ts'
import { type DestructiveCommand, destructiveCommands } from '../shell/destructive.ts'
import { anyWords, lineWords, mayAnswerNo, mayCheck, mayDestroy } from '../shell/line-words.ts'
import { commandsOfCall, type ShellCommand } from '../shell/shell-commands.ts'
import { toolKind } from '../tools/tool-kind.ts'
import { callKey, inputSize } from './call-key.ts'
import { copied } from './own-text.ts'

/** A check of a command line. */
export interface CallCheck {
  /** All kinds of the line, in the order of `checkKinds`, joined by a comma. */
  readonly kinds: string
  readonly isTest: boolean
  /** Its exit status is lost: something stands after it. */
  readonly masked: boolean
}

/** What a command line tells. */
interface LineFacts {
  readonly effect: CommandEffect
  readonly check: CallCheck | null
  readonly mayCheck: boolean
  readonly commits: boolean
  readonly destructive: readonly DestructiveCommand[]
  readonly saysNo: 0 | 1 | 8
}

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
  /** Null: all is read from the input, when a rule asks. */
  readonly long: LongCall | null
}

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
  const open: OpenCall = { seq, track, tool, input, long: null }
  return Object.freeze(length <= longLine ? open : { ...open, input: noInput, long: new Call(open).summary })
}

/** What the rules know of a call. All but its tool is read from the input when a rule asks: most calls only succeed. */
export class Call {
  readonly open: OpenCall
  private readonly facts: ToolFacts
  /** A patch that is given to a command is an edit: it changes all that it names, or nothing. */
  readonly kind: ToolKind | null
  /** All words of its line; null if it is not kept, or stands elsewhere. */
  private readonly line: string | null
  private readonly isPatch: boolean
  /** Of its line, once it was read. */
  private commands: readonly ShellCommand[] | null = null
  private words = -1

  constructor(open: OpenCall) {
    this.open = open
    this.facts = factsOfTool(open.tool)
    this.line = lineOf(open.input)
    const { kind } = this.facts
    this.isPatch = open.long !== null ? open.long.isPatch : (kind === 'shell' || kind === null) && this.givesPatch
    this.kind = kind === 'shell' && this.isPatch ? 'edit' : kind
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
    return this.open.long?.files ?? filesOfCall(this.open.input)
  }

  /** Whether a file that it names may have `part`. False is fast to tell. */
  mayName(part: RegExp): boolean {
    const { patch, diff } = this.open.input
    const text = this.line ?? patch ?? diff
    return typeof text !== 'string' || part.test(text)
  }

  /** Whether its command line must be read to tell what it does. */
  get hasLine(): boolean {
    const { long, input } = this.open
    if (long !== null) return long.line !== null
    const { kind } = this.facts
    if (kind !== 'shell' && kind !== null) return false
    return (input['command'] ?? input['cmd'] ?? input['action'] ?? input['input'] ?? input['code']) !== undefined
  }

  /** Of its command line; null without one. */
  get effect(): CommandEffect | null {
    return this.hasLine ? (this.open.long?.line?.effect ?? effectOf(this.read)) : null
  }

  /** Null: it has none. */
  get check(): CallCheck | null {
    if (!this.hasLine || !this.may(mayCheck)) return null
    const line = this.open.long?.line
    return line == null ? checkOf(this.read) : line.check
  }

  /** Its line may have a check whose status is lost. Fast to tell. */
  get mayMask(): boolean {
    const { line } = this
    return this.hasLine && (line === null || separators.test(line)) && this.may(mayCheck)
  }

  get destructive(): readonly DestructiveCommand[] {
    if (!this.hasLine || (this.line !== null && !mayDestroy(this.lineWords, this.line))) return noCommands
    return this.open.long?.line?.destructive ?? destructiveCommands(this.read)
  }

  /** It may test, build or lint. */
  get mayCheck(): boolean {
    if (this.hasLine) return (this.open.long?.line?.mayCheck ?? mayCheckIn(this.read)) && !this.isPatch
    const { kind, waits, asks } = this.facts
    return kind === 'agent' || waits || (kind === null && !asks)
  }

  /** It commits or pushes, so hooks may check. */
  get commits(): boolean {
    return (
      this.hasLine && (this.open.long?.line?.commits ?? this.read.some((command) => ownEffectOf(command) === 'commit'))
    )
  }

  /** The exit status by which its command answers no: `grep`, `diff`. 0: none. */
  get saysNo(): 0 | 1 | 8 {
    if (!this.hasLine || !this.may(mayAnswerNo)) return 0
    return this.open.long?.line?.saysNo ?? saysNo(this.read.at(-1))
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
    const { check, mayCheck, commits, destructive, saysNo } = this
    return Object.freeze({ effect: effectOf(this.read), check, mayCheck, commits, destructive, saysNo })
  }

  /** `bit`: of `lineWords`. */
  private may(bit: number): boolean {
    return (this.lineWords & bit) !== 0
  }

  private get lineWords(): number {
    if (this.words < 0) this.words = this.line === null ? anyWords : lineWords(this.line)
    return this.words
  }

  private get givesPatch(): boolean {
    const { line } = this
    if (line === null || !(line.length > maxAbout ? line.slice(0, maxAbout) : line).includes('apply_patch'))
      return false
    if (isOnlyPatch(line)) return true
    const { effect } = this
    return effect === 'unknown' || effect === 'move'
  }

  /** The commands of its line. */
  private get read(): readonly ShellCommand[] {
    return (this.commands ??= commandsOfCall(this.open.input) ?? [])
  }
}

/** A line as one text: of a list of words, or of a script, all of it. */
function lineOf({ command, cmd, action, input, code }: JsonObject): string | null {
  const stated = command ?? cmd ?? (action === undefined ? (input ?? code) : undefined)
  const line = Array.isArray(stated) ? stated.filter((word) => typeof word === 'string').join(' ') : stated
  return typeof line !== 'string' ? null : line.length > maxSearched ? line.slice(0, maxSearched) : line
}

/** Whether a line is `apply_patch <<'END'` up to its end, as most of them are. Else it must be read. */
function isOnlyPatch(line: string): boolean {
  const end = /^apply_patch <<-?(['"]?)([A-Z]{1,20})\1\n/.exec(line)?.[2]
  if (end === undefined) return false
  const at = line.indexOf(`\n${end}`)
  return at >= 0 && at + end.length + 1 >= line.trimEnd().length
}

function effectOf(commands: readonly ShellCommand[]): CommandEffect {
  return commands.reduce<CommandEffect>((effect, command) => largerEffect(effect, commandEffect(command)), 'read')
}

/** What a command does but for the files that its output is written to. */
function ownEffectOf(command: ShellCommand): CommandEffect {
  return command.writes.length === 0 ? commandEffect(command) : commandEffect({ ...command, writes: [] })
}

function mayCheckIn(commands: readonly ShellCommand[]): boolean {
  return commands.some((command) => {
    const own = ownEffectOf(command)
    return own === 'check' || own === 'install' || own === 'unknown' || own === 'format' || watchesChecks(command)
  })
}

/** `gh pr checks`, `gh run watch`. */
function watchesChecks({ name, words }: ShellCommand): boolean {
  const [, what, verb] = words.map(({ text }) => text)
  return name === 'gh' && ((what === 'pr' && verb === 'checks') || (what === 'run' && verb === 'watch'))
}

/** The checks of a line together; null without one. */
function checkOf(commands: readonly ShellCommand[]): CallCheck | null {
  const kinds = new Set<CheckKind>()
  let masked = false
  let fails = false
  let pipeFails = false
  for (const [i, command] of commands.entries()) {
    if (command.name === 'set') {
      const args = command.words.map(({ text }) => text)
      fails ||= args.some((arg) => /^-\w*e/.test(arg))
      pipeFails ||= args.includes('pipefail')
    }
    const own = checksOf(command)
    for (const kind of own) kinds.add(kind)
    if (own.length > 0 && i < commands.length - 1) {
      const { operator } = command
      masked ||= operator === '||' || operator === '&' || (operator === '|' ? !pipeFails : operator !== '&&' && !fails)
    }
  }
  if (kinds.size === 0) return null
  return { kinds: [...kinds].sort().join(','), isTest: kinds.has('test'), masked }
}

const answersNo = new Set([
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'diff',
  'cmp',
  'test',
  '[',
  '[[',
  'which',
  'pgrep',
  'ag',
  'ack'
])
const gitAnswersNo = new Set(['diff', 'grep', 'check-ignore', 'merge-base', 'rev-parse'])

/** The exit status by which a line's last command answers no; 0: none. */
function saysNo(command: ShellCommand | undefined): 0 | 1 | 8 {
  if (command === undefined) return 0
  const { name, words } = command
  if (answersNo.has(name)) return 1
  if (name === 'git' && words.slice(1, 4).some(({ text }) => gitAnswersNo.has(text))) return 1
  return name === 'gh' && words[1]?.text === 'pr' && words[2]?.text === 'checks' ? 8 : 0
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
