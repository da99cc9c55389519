import type { Agent, ToolKind } from '../formats/agent.ts'
import { agents, inputNames } from '../formats/agents.ts'
import { filesOfCall } from '../index/tool-files.ts'
import { isJsonObject, type JsonObject, stringAt } from '../json.ts'
import { type CheckKind, checksOf, type CommandEffect, commandEffect, largerEffect } from '../shell/command-effect.ts'
import { type DestructiveCommand, destructiveCommands } from '../shell/destructive.ts'
import { commandsOfCall, type ShellCommand } from '../shell/shell-commands.ts'
import { toolKind } from '../tools/tool-kind.ts'
import { callKey } from './call-key.ts'

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
const noCommands: readonly DestructiveCommand[] = []
const maxAbout = 300
const maxTool = 120

/** Without one of these words a line has no destructive command, and need not be read for one. */
const destructiveWords =
  /\brm\b|--hard|push|clean|checkout|restore|branch|stash|no-verify|commit|chmod|\bdd\b|kubectl|destroy|approve|delete|prune|volume|mkfs|drop|truncate|curl|wget/i
/** What may stand between a check and the end of its line, so that its status is lost. */
const separators = /[|;&\n]/

/**
 * What the rules know of a call. Most of it is read from the input only when a rule asks, since most calls succeed and
 * are soon forgotten.
 */
export class Call {
  readonly seq: number
  /** Empty: the main agent. */
  readonly track: string
  private readonly toolName: string
  private readonly input: JsonObject
  private line: LineFacts | null = null
  private number = -1

  constructor(seq: number, track: string, tool: string, input: JsonObject) {
    this.seq = seq
    this.track = track
    this.toolName = tool.length > maxTool ? tool.slice(0, maxTool) : tool
    // Frozen, so a copy of the state shares it.
    this.input = Object.freeze(input)
  }

  get tool(): string {
    return this.toolName
  }

  /** A patch that is given to a command is an edit: it changes all that it names, or nothing. */
  get kind(): ToolKind | null {
    const { kind } = factsOfTool(this.toolName)
    return kind === 'shell' && this.isPatch ? 'edit' : kind
  }

  /** `callKey`. */
  get key(): number {
    if (this.number < 0) this.number = callKey(this.toolName, this.input)
    return this.number
  }

  get asks(): boolean {
    return factsOfTool(this.toolName).asks
  }
  get waits(): boolean {
    return factsOfTool(this.toolName).waits
  }
  get stops(): boolean {
    return factsOfTool(this.toolName).stops
  }

  /** The command, the file, or nothing: what a sentence says of the call. It may share memory with the whole text. */
  get about(): string {
    return aboutOf(this.input, this.kind === 'edit' || this.kind === 'write' ? this.files : [])
  }

  /** The file that a member of its input names; undefined without one. */
  get file(): string | undefined {
    for (const name of pathNames) {
      const path = this.input[name]
      if (typeof path === 'string') return path
    }
    return undefined
  }

  /** The files that it names, also in a patch. */
  get files(): readonly string[] {
    return filesOfCall(this.input)
  }

  /** Of its command line; null without one. */
  get effect(): CommandEffect | null {
    return this.hasLine ? this.lineFacts.effect : null
  }

  get check(): CallCheck | null {
    return this.hasLine ? this.lineFacts.check : null
  }

  /** Its line may have a check whose status is lost. False is fast to tell. */
  get mayMask(): boolean {
    return this.hasLine && this.speaks(separators)
  }

  get destructive(): readonly DestructiveCommand[] {
    return this.hasLine && this.speaks(destructiveWords) ? this.lineFacts.destructive : noCommands
  }

  /** It may test, build or lint. */
  get mayCheck(): boolean {
    if (this.hasLine) return this.lineFacts.mayCheck && !this.isPatch
    const { kind, waits, asks } = factsOfTool(this.toolName)
    return kind === 'agent' || waits || (kind === null && !asks)
  }

  /** It commits or pushes, so hooks may check. */
  get commits(): boolean {
    return this.hasLine && this.lineFacts.commits
  }

  /** The exit status by which its command answers no: `grep`, `diff`. 0: none. */
  get saysNo(): 0 | 1 | 8 {
    return this.hasLine ? this.lineFacts.saysNo : 0
  }

  private get hasLine(): boolean {
    const { kind } = factsOfTool(this.toolName)
    if (kind !== 'shell' && kind !== null) return false
    const { command, cmd, action, input, code } = this.input
    return (command ?? cmd ?? action ?? input ?? code) !== undefined
  }

  /** Whether a word stands in its line, wherever. */
  private speaks(words: RegExp): boolean {
    const { command, cmd, input, code } = this.input
    const line = command ?? cmd ?? input ?? code
    return typeof line === 'string' ? words.test(line.length > maxSearched ? line.slice(0, maxSearched) : line) : true
  }

  private get isPatch(): boolean {
    const { command, cmd } = this.input
    const line = command ?? cmd
    const text =
      typeof line === 'string'
        ? line
        : Array.isArray(line)
          ? line.find((word) => typeof word === 'string' && word.includes('apply_patch'))
          : undefined
    if (typeof text !== 'string' || !text.slice(0, maxAbout).includes('apply_patch')) return false
    return this.lineFacts.effect === 'unknown' || this.lineFacts.effect === 'move'
  }

  private get lineFacts(): LineFacts {
    return (this.line ??= Object.freeze(factsOf(commandsOfCall(this.input) ?? [])))
  }
}

/** Characters of a line that are read, as in `shellSegments`. */
const maxSearched = 1_000_000

function factsOf(commands: readonly ShellCommand[]): LineFacts {
  let effect: CommandEffect = 'read'
  let mayCheck = false
  let commits = false
  for (const command of commands) {
    const own = commandEffect({ ...command, writes: [] })
    effect = largerEffect(effect, commandEffect(command))
    mayCheck ||= own === 'check' || own === 'install' || own === 'unknown' || own === 'format' || watchesChecks(command)
    commits ||= own === 'commit'
  }
  return {
    effect,
    check: checkOf(commands),
    mayCheck,
    commits,
    destructive: destructiveCommands(commands),
    saysNo: saysNo(commands.at(-1))
  }
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
