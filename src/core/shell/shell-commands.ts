import { scriptCalls } from '../formats/agents.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { objectAt, stringAt } from '../json.ts'
import { type Shell, type ShellOperator, type ShellSegment, shellSegments, type ShellWord } from './shell-line.ts'

/** A program that a command line starts, without the programs that only start it: `sudo`, `env`, `bash -c`, `uv run`. */
export interface ShellCommand {
  /** Without its folder, in lower case. */
  readonly name: string
  readonly words: readonly ShellWord[]
  readonly assigned: ShellSegment['assigned']
  readonly writes: readonly string[]
  readonly appends: readonly string[]
  readonly here: string | null
  readonly hereExpands: boolean
  /** What stands after it in the whole line. */
  readonly operator: ShellOperator
  readonly piped: boolean
}

/** Shells inside shells; deeper ones are commands of that name. */
const maxDepth = 5

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash'])
const otherShells = new Set(['powershell', 'pwsh', 'cmd'])

/**
 * The commands of a call: of its line, of its list of words, or of the first call of its script. `shell`: the one that the
 * agent gives its lines to. Null: it has none.
 */
export function commandsOfCall(input: JsonObject, shell: Shell = 'sh'): readonly ShellCommand[] | null {
  const value = input['command'] ?? input['cmd'] ?? objectAt(input, 'action')?.['command']
  const stated = commandsOfValue(value, shell)
  if (stated !== null) return stated
  const script = stringAt(input, 'input') ?? stringAt(input, 'code')
  const called = script === undefined ? null : scriptCalls(script)
  return called === null ? null : commandsOfValue(called.input['cmd'] ?? called.input['command'], shell)
}

function commandsOfValue(value: JsonValue | undefined, shell: Shell): readonly ShellCommand[] | null {
  if (typeof value === 'string') return shellCommands(value, shell)
  if (!Array.isArray(value)) return null
  const words = (value as readonly JsonValue[]).filter((word) => typeof word === 'string')
  const commands: ShellCommand[] = []
  // No shell reads these words.
  const segment = { words: words.map((text) => ({ text, quoted: true, expands: false })), ...alone }
  addCommands(commands, segment, 0)
  return commands
}

const alone = {
  assigned: [],
  writes: [],
  appends: [],
  here: null,
  hereExpands: false,
  operator: '',
  piped: false,
  inner: false
} as const

/** The commands of a line, in order; those of a shell's script stand in its place. */
export function shellCommands(line: string, shell: Shell = 'sh'): readonly ShellCommand[] {
  const commands: ShellCommand[] = []
  for (const segment of shellSegments(line, shell)) addCommands(commands, segment, 0)
  return commands
}

function addCommands(commands: ShellCommand[], segment: ShellSegment, depth: number): void {
  const { operator, piped, here, hereExpands, writes, appends } = segment
  let { words, assigned } = segment
  for (let step = 0; step < maxDepth; step++) {
    const skipped = startedAt(words)
    if (skipped === 0) break
    const further = words.slice(0, skipped).flatMap(({ text, ...word }): [string, ShellWord][] => {
      const equals = text.indexOf('=')
      return /^[A-Za-z_]\w*=/.test(text) ? [[text.slice(0, equals), { ...word, text: text.slice(equals + 1) }]] : []
    })
    assigned = [...assigned, ...further]
    words = words.slice(skipped)
  }
  const name = programName(words[0]?.text ?? '')
  const script = depth < maxDepth ? scriptOf(name, words, here) : null
  if (script === null) {
    commands.push({ name, words, assigned, writes, appends, here, hereExpands, operator, piped })
    return
  }
  const inside = shellSegments(script, name === 'cmd' ? 'cmd' : otherShells.has(name) ? 'powershell' : 'sh')
  for (const [i, part] of inside.entries()) {
    addCommands(
      commands,
      {
        ...part,
        assigned: i === 0 ? [...assigned, ...part.assigned] : part.assigned,
        writes: i === inside.length - 1 ? [...part.writes, ...writes] : part.writes,
        appends: i === inside.length - 1 ? [...part.appends, ...appends] : part.appends,
        operator: i === inside.length - 1 ? operator : part.operator,
        piped: i === 0 ? piped : part.piped
      },
      depth + 1
    )
  }
}

/** `rm` of `/bin/rm`, `gradlew` of `./gradlew`, `powershell` of `C:\…\powershell.exe`. */
export function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase()
  return name.endsWith('.exe') || name.endsWith('.cmd') ? name.slice(0, -4) : name
}

/** The script that a shell is given: as a word, or as its input. Null: no shell, or a script in a file. */
function scriptOf(name: string, words: readonly ShellWord[], here: string | null): string | null {
  if (name === 'eval') return joined(words.slice(1))
  if (otherShells.has(name)) {
    const flag = words.findIndex(({ text }) => /^(?:-command|-c|\/c)$/i.test(text))
    return flag < 0 ? null : joined(words.slice(flag + 1))
  }
  const shell = containers.has(name) ? words.findIndex(({ text }, i) => i > 0 && shells.has(programName(text))) : 0
  if (shell > 0 || shells.has(name)) {
    const flag = words.findIndex(({ text }, i) => i > shell && /^-\w{0,8}c$/.test(text))
    if (flag > 0) return words[flag + 1]?.text ?? null
    return words.slice(shell + 1).every(({ text }) => text.startsWith('-')) ? here : null
  }
  const option = scriptOptions.get(name)
  const at = option === undefined ? -1 : words.findIndex(({ text }) => option.includes(text))
  return at < 0 ? null : joined(words.slice(at + 1))
}

const containers = new Set(['docker', 'podman', 'docker-compose', 'kubectl'])
const scriptOptions = new Map<string, readonly string[]>([
  ['nix-shell', ['--run', '--command']],
  ['nix', ['-c', '--command']],
  ['su', ['-c', '--command']]
])

function joined(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ')
}

/** Programs that start the program after them, and those of their options that take a value. */
const starters = new Map<string, readonly string[]>([
  ['sudo', ['-u', '-g', '-C', '-h', '-p']],
  ['doas', ['-u']],
  ['env', ['-u', '-C']],
  ['nice', ['-n']],
  ['stdbuf', ['-o', '-e', '-i']],
  ['exec', ['-a']],
  ['time', ['-f', '-o']],
  ['timeout', ['-s', '-k', '--signal', '--kill-after']],
  ['gtimeout', ['-s', '-k']],
  ['xargs', ['-n', '-P', '-I', '-L', '-d', '-a', '-s', '-E']],
  ['npx', ['-p', '--package']],
  ['uvx', ['--from', '--with']],
  ...['nohup', 'command', 'builtin', 'caffeinate', 'unbuffer', 'bunx'].map((name) => [name, []] as const)
])
/** Words after which the started program stands. */
const startWords: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...['uv', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye'].map((name) => [name, ['run']] as const),
  ['bundle', ['exec']],
  ['pnpm', ['exec', 'dlx']],
  ['yarn', ['exec', 'dlx']],
  ['npm', ['exec']],
  ['mise', ['exec', 'x']],
  ['direnv', ['exec']]
])
const valueOptions = ['--with', '--python', '-p', '--directory', '--project', '--extra', '--group', '--env-file', '-C']

/** How many words only start the program after them. */
function startedAt(words: readonly ShellWord[]): number {
  const name = programName(words[0]?.text ?? '')
  const options = starters.get(name)
  if (options !== undefined) {
    let at = afterOptions(words, 1, options)
    while (name === 'env' && /^\w+=/.test(words[at]?.text ?? '')) at++
    if (name === 'sudo') while (/^[A-Z_]\w*=/.test(words[at]?.text ?? '')) at++
    if (name.endsWith('timeout')) at++
    return at < words.length ? at : 0
  }
  if (startWords.get(name)?.includes(words[1]?.text ?? '') !== true) return 0
  const at = afterOptions(words, 2, valueOptions)
  return at < words.length ? at : 0
}

function afterOptions(words: readonly ShellWord[], from: number, withValue: readonly string[]): number {
  let at = from
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? ''
    if (text === '--') return at + 1
    if (!text.startsWith('-')) break
    if (withValue.includes(text)) at++
  }
  return at
}
