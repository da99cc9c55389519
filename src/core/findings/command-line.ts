import { objectAt, type JsonObject, type JsonValue } from '../json.ts'
import { type CheckKind, checksOf, type CommandEffect, commandEffect, largerEffect } from '../shell/command-effect.ts'
import { type DestructiveCommand, destructiveCommands } from '../shell/destructive.ts'
import { commandsOfCall, type ShellCommand } from '../shell/shell-commands.ts'

/** A check of a command line. */
export interface CallCheck {
  /** All kinds of the line, in the order of `checkKinds`, joined by a comma. */
  readonly kinds: string
  readonly isTest: boolean
  /** Its exit status is lost: something stands after it. */
  readonly masked: boolean
}

/** What a command line tells. */
export interface LineFacts {
  readonly effect: CommandEffect
  readonly check: CallCheck | null
  readonly mayCheck: boolean
  /** It commits or pushes. */
  readonly commits: boolean
  readonly destructive: readonly DestructiveCommand[]
  /** The exit status by which it answers no: `grep`, `diff`. 0: none. */
  readonly saysNo: 0 | 1 | 8
}

/** A command line as a shell reads it. Each fact is told when it is asked for, once. */
class CommandLine implements LineFacts {
  readonly stated: JsonValue | undefined
  private readonly commands: readonly ShellCommand[]
  private readonly known: { -readonly [Fact in keyof LineFacts]?: LineFacts[Fact] } = {}

  constructor(input: JsonObject, stated?: JsonValue) {
    this.stated = stated
    this.commands = commandsOfCall(input) ?? []
  }

  get effect(): CommandEffect {
    return (this.known.effect ??= effectOf(this.commands))
  }

  get check(): CallCheck | null {
    if (this.known.check === undefined) this.known.check = checkOf(this.commands)
    return this.known.check
  }

  get mayCheck(): boolean {
    return (this.known.mayCheck ??= mayCheckIn(this.commands))
  }

  get commits(): boolean {
    return (this.known.commits ??= this.commands.some((command) => ownEffectOf(command) === 'commit'))
  }

  get destructive(): readonly DestructiveCommand[] {
    return (this.known.destructive ??= destructiveCommands(this.commands))
  }

  get saysNo(): 0 | 1 | 8 {
    return (this.known.saysNo ??= saysNo(this.commands.at(-1)))
  }
}

/** The lines that were read last, by their length: an agent that fails runs the same line again and again. */
const lastRead: CommandLine[] = []
const maxLastRead = 64
/** Longer lines are read again. */
const longestKept = 4000

/** What the command line of a call tells. */
export function lineFacts(input: JsonObject): LineFacts {
  const stated = input['command'] ?? input['cmd'] ?? objectAt(input, 'action')?.['command']
  const text = Array.isArray(stated) ? (stated as readonly JsonValue[]).at(-1) : stated
  if (typeof text !== 'string' || text.length > longestKept) return new CommandLine(input)
  const slot = text.length % maxLastRead
  const known = lastRead[slot]
  if (known !== undefined && isSame(known.stated, stated)) return known
  return (lastRead[slot] = new CommandLine(input, stated))
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b
  return a.length === b.length && (a as readonly JsonValue[]).every((word, i) => word === b[i])
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
