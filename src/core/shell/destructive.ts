import { gitWords } from './command-effect.ts'
import type { ShellCommand } from './shell-commands.ts'
import type { ShellWord } from './shell-line.ts'

/** A command that takes something away, or makes it open to all. */
export interface DestructiveCommand {
  /** The command in few words: `rm -rf`, `git push --force`. */
  readonly what: string
  /** All that it deletes is temporary or generated. */
  readonly isMinor: boolean
}

/** Names of folders with temporary or generated files. */
const generated = new Set(
  (
    'node_modules dist build out target __pycache__ .cache .next .nuxt .turbo .parcel-cache .pytest_cache .mypy_cache .ruff_cache ' +
    '.venv venv coverage .nyc_output tmp temp .tmp .tox .eggs .gradle .vite .svelte-kit .output htmlcov storybook-static'
  ).split(' ')
)

/** The destructive commands of a line, in order. */
export function destructiveCommands(commands: readonly ShellCommand[]): readonly DestructiveCommand[] {
  const found: DestructiveCommand[] = []
  const line = new LineState()
  for (const [i, command] of commands.entries()) {
    line.assign(command)
    const one = destructive(command, line) ?? pipedInto(command, commands[i - 1])
    if (one !== null) found.push(one)
    line.enter(command)
  }
  return found
}

/** What a line has set so far: variables, and the folder that it went to. */
class LineState {
  private readonly variables = new Map<string, ShellWord>()
  private folder = ''

  assign({ assigned }: ShellCommand): void {
    for (const [name, value] of assigned.slice(0, 100)) this.variables.set(name, { ...value, text: this.value(value) })
  }

  enter({ name, words }: ShellCommand): void {
    if (name !== 'cd' && name !== 'pushd') return
    const to = words.find(({ text }, i) => i > 0 && !text.startsWith('-'))
    const path = to === undefined ? '~' : this.value(to)
    this.folder = path.startsWith('/') || path.startsWith('~') || path.startsWith('$') ? path : `${this.folder}/${path}`
    if (this.folder.length > 4096) this.folder = '?'
  }

  /** The text of a word with the line's own variables put in. */
  value({ text, expands }: ShellWord): string {
    if (!expands || text.length > 4096) return text
    const value = text.replace(
      /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::?[-?][^}]*)?\})/g,
      (whole, a?: string, b?: string) => {
        return this.variables.get(a ?? b ?? '')?.text.slice(0, 4096) ?? whole
      }
    )
    return value.slice(0, 8192)
  }

  isTemporary(word: ShellWord): boolean {
    const path = this.value(word).replace(/\/+$/, '')
    if (path.split('/').includes('..')) return false
    if (isTemporaryPath(path)) return true
    const parts = path.split('/')
    // A folder of that name at the root is the system's.
    if (parts.some((part, i) => generated.has(part) && (i > 1 || parts[0] !== ''))) return true
    return !/^[/~$]/.test(path) && isTemporaryPath(this.folder)
  }
}

/** Below `/tmp` and the like, or what `mktemp` made. */
function isTemporaryPath(path: string): boolean {
  return (
    /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/./.test(path) ||
    /^\$\{?(?:TMPDIR|TMP|TEMP|RUNNER_TEMP)\b\}?\/./.test(path) ||
    /^\$\(mktemp\b|^`mktemp\b/.test(path)
  )
}

type Test = (args: readonly string[], command: ShellCommand, line: LineState) => string | DestructiveCommand | null

/** Short options may stand together: `-rf`. What follows the letters, as in `-x/f`, is a value. */
function hasShort(args: readonly string[], letter: string): boolean {
  return args.some((arg) => /^-\w+/.exec(arg)?.[0].includes(letter))
}

const removal: Test = (args, { words }, line) => {
  const recursive = hasShort(args, 'r') || hasShort(args, 'R') || args.includes('--recursive')
  const force = hasShort(args, 'f') || args.includes('--force')
  if (!recursive || !force) return null
  const targets = words.slice(1).filter(({ text, quoted }) => quoted || !text.startsWith('-'))
  if (targets.length === 0) return null
  return { what: 'rm -rf', isMinor: targets.every((word) => line.isTemporary(word)) }
}

const modes: Test = (args) => {
  const mode = args.find((arg) => !arg.startsWith('-')) ?? ''
  return /^0?777$/.test(mode) || /^a[+=]r?w/.test(mode) ? `chmod ${mode}` : null
}

const database: Test = (_args, { here, words }, line) => {
  const texts = [...words.slice(1).map((word) => line.value(word)), here ?? '']
  for (const text of texts) {
    const found = statementIn(text)
    if (found !== null) return found
  }
  return null
}

/** A statement that takes rows or tables away: `DROP`, `TRUNCATE`, `DELETE` without `WHERE`. */
function statementIn(text: string): string | null {
  for (const statement of text.slice(0, 100_000).split(';')) {
    const words = statement.trimStart().slice(0, 200).toLowerCase()
    const drop = /^drop\s{1,20}(table|database|schema)\b/.exec(words)
    if (drop !== null) return `DROP ${drop[1]?.toUpperCase()}`
    if (/^truncate\s/.test(words)) return 'TRUNCATE'
    if (/^delete\s{1,20}from\s/.test(words) && !/\bwhere\b/i.test(statement)) return 'DELETE without WHERE'
  }
  return null
}

const containers: Test = (args) => {
  const words = args.filter((arg) => !arg.startsWith('-'))
  if (words.includes('prune')) return `docker ${words.slice(0, words.indexOf('prune') + 1).join(' ')}`.slice(0, 60)
  return words[0] === 'volume' && words[1] === 'rm' ? 'docker volume rm' : null
}

const tests = new Map<string, Test>([
  ['rm', removal],
  ['git', (_args, command) => gitDestruction(gitWords(command.words.map(({ text }) => text)))],
  ['chmod', modes],
  ['dd', (args) => (args.some((arg) => /^of=\/dev\/(?!null|zero|stdout)/.test(arg)) ? 'dd of=/dev' : null)],
  ['kubectl', (args) => (args.find((arg) => !arg.startsWith('-')) === 'delete' ? 'kubectl delete' : null)],
  ['terraform', terraform],
  ['tofu', terraform],
  ['find', (args) => (args.includes('-delete') ? 'find -delete' : null)],
  ['docker', containers],
  ['podman', containers],
  ...['psql', 'mysql', 'mariadb', 'sqlite3', 'sqlcmd', 'cockroach', 'duckdb', 'clickhouse-client'].map(
    (name) => [name, database] as const
  )
])

function destructive(command: ShellCommand, line: LineState): DestructiveCommand | null {
  if (/^mkfs(?:\.|$)/.test(command.name)) return { what: 'mkfs', isMinor: false }
  const test = tests.get(command.name)
  if (test === undefined) return null
  const args = command.words.slice(1).map(({ text }) => text)
  if (args.includes('--help') || args.includes('--dry-run')) return null
  const found = test(args, command, line)
  return typeof found === 'string' ? { what: found, isMinor: false } : found
}

function terraform(args: readonly string[]): string | null {
  if (args.includes('destroy')) return 'terraform destroy'
  return args.includes('apply') && args.some((arg) => /^--?auto-approve(?:=true)?$/.test(arg))
    ? 'terraform apply -auto-approve'
    : null
}

function gitDestruction([verb = '', ...args]: readonly string[]): string | null {
  const has = (...flags: string[]): boolean => args.some((arg) => flags.includes(arg))
  const words = args.filter((arg) => !arg.startsWith('-'))
  switch (verb) {
    case 'reset':
      return has('--hard') ? 'git reset --hard' : null
    case 'push':
      if (has('--force', '-f') || hasShort(args, 'f')) return 'git push --force'
      if (args.some((arg) => arg.startsWith('--force-with-lease'))) return 'git push --force-with-lease'
      return words.slice(1).some((word) => word.startsWith('+')) ? 'git push +ref' : null
    case 'clean':
      return (hasShort(args, 'f') || has('--force')) && !hasShort(args, 'n') ? 'git clean -f' : null
    case 'checkout':
      if (args.includes('--') && args.indexOf('--') < args.length - 1) return 'git checkout --'
      return words.length === 1 && words[0] === '.' ? 'git checkout .' : null
    case 'restore':
      return words.length > 0 && (!(has('--staged', '-S') || hasShort(args, 'S')) || has('--worktree', '-W'))
        ? 'git restore'
        : null
    case 'branch':
      return has('-D') ? 'git branch -D' : null
    case 'stash':
      return words[0] === 'drop' || words[0] === 'clear' ? `git stash ${words[0]}` : null
    case 'commit':
      return has('--no-verify', '-n') ? 'git commit --no-verify' : null
    default:
      return null
  }
}

const downloads = new Set(['curl', 'wget'])
const interpreters = /^(?:bash|sh|zsh|dash|python[\d.]*|node|perl|ruby)$/

/** `curl … | sh`: runs what another machine sends. */
function pipedInto({ name, piped, words }: ShellCommand, before: ShellCommand | undefined): DestructiveCommand | null {
  if (!piped || before === undefined || !downloads.has(before.name) || !interpreters.test(name)) return null
  // `python -c` and `node -e` have a script of their own.
  if (words.some(({ text }) => /^-(?:c|e|m|n|pe|ne)$/.test(text))) return null
  return { what: `${before.name} | ${name}`, isMinor: false }
}

const clients = /psql|mysql|mariadb|sqlite3|sqlcmd|cockroach|duckdb|clickhouse/i

/**
 * Pieces of words without one of which no command of a line is destructive, in letters and digits only, and what the line has
 * beside each where it is.
 */
export const destructiveWords: readonly (readonly [word: string, beside: RegExp])[] = [
  ['rm', /-\w*r|volume/i],
  ['hard', /reset/],
  ['push', /-\w*f|--force|\+/],
  ['clean', /-\w*f|--force/],
  ['checkout', /--(?!\w)|\s['"]?\.(?![\w./-])/],
  ['restore', /git/],
  ['branch', /-D/],
  ['stash', /drop|clear/],
  ['commit', /-n|--no-verify/],
  ['chmod', /777|a[+=]/],
  ['dd', /of=/],
  ['kubectl', /delete/],
  ['destroy', /terraform|tofu/i],
  ['approve', /apply/],
  ['delete', new RegExp(`find|${clients.source}`, 'i')],
  ['prune', /docker|podman/i],
  ['mkfs', /mkfs/i],
  ['drop', clients],
  ['truncate', clients],
  ['curl', /\|/],
  ['wget', /\|/]
]
