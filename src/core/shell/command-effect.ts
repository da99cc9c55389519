import type { ShellCommand } from './shell-commands.ts'

/**
 * What a command may do to files, the least first. `check`: it tests, builds or lints. `move`: it moves, makes or deletes
 * files. `write`: it writes into a file, or changes one in place.
 */
export const commandEffects = [
  'read',
  'move',
  'check',
  'install',
  'commit',
  'unknown',
  'git',
  'write',
  'format'
] as const
export type CommandEffect = (typeof commandEffects)[number]

/** What a command checks. `check`: a script of this name, which may be all of them. */
export const checkKinds = ['test', 'build', 'lint', 'types', 'check'] as const
export type CheckKind = (typeof checkKinds)[number]

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const reading = set(
  'ls cat head tail awk gawk grep egrep fgrep rg ag ack fd find wc sort uniq diff cmp echo printf pwd cd pushd popd which ' +
    'whereis type file stat tree du df date whoami env printenv jq yq cut tr nl less more bat test [ [[ ((  true false : ' +
    'sleep basename dirname realpath readlink ps pgrep pidof pkill kill killall lsof uname hostname id column xxd hexdump od ' +
    'strings md5sum sha1sum sha256sum shasum cksum export set unset alias shopt trap umask ulimit man history seq expr read ' +
    'local declare return exit shift wait jobs for select case function break continue let base64 rev tac paste comm join fold ' +
    'fmt tput clear netstat ss ifconfig ip ping dig nslookup curl gh sed sqlite3 column nproc free top uptime locale tee ' +
    'get-content get-childitem select-string write-host write-output test-path get-location select-object gc set-location'
)
const moving = set(
  'mv cp mkdir rm rmdir touch ln chmod chown install tar unzip zip gzip gunzip rsync wget scp dd new-item move-item copy-item remove-item del move copy'
)
const readingGit = set(
  'status log diff show rev-parse ls-files blame grep remote config fetch describe shortlog reflog merge-base check-ignore ' +
    'cat-file for-each-ref ls-tree ls-remote rev-list name-rev symbolic-ref diff-tree var version help count-objects add branch tag'
)
const committing = set('commit push')
const installers = set(
  'pip pip3 brew apt apt-get dnf yum apk pacman gem composer cargo-binstall asdf nvm rustup conda mamba'
)
const packageManagers = set('npm pnpm yarn bun')
const installWords = set('install i ci add remove uninstall update upgrade up dedupe link rebuild prune')
const formatters = set(
  'prettier black gofmt goimports gofumpt golines rustfmt isort autopep8 yapf clang-format shfmt stylua dprint nixfmt'
)
/** Runners of a project's own scripts. */
const runners = set(
  'npm pnpm yarn bun make gmake just task mise rake turbo nx lerna moon cargo-make invoke poe tox-run earthly npm-run-all'
)

/** What a command may do to files. */
export function commandEffect(command: ShellCommand): CommandEffect {
  const own = ownEffect(command)
  const writes = command.writes.some((path) => !/^\/dev\//.test(path))
  return writes && rank(own) < rank('write') ? 'write' : own
}

/** The larger of two effects. */
export function largerEffect(a: CommandEffect, b: CommandEffect): CommandEffect {
  return rank(a) >= rank(b) ? a : b
}

function rank(effect: CommandEffect): number {
  return commandEffects.indexOf(effect)
}

function ownEffect(command: ShellCommand): CommandEffect {
  const { name, words } = command
  const args = words.slice(1).map(({ text }) => text)
  const has = (...flags: string[]): boolean => args.some((arg) => flags.includes(arg))
  if (name === '' || name.startsWith('#')) return 'read'
  if (name === 'git') return gitEffect(command)
  if (name === 'sed' || name === 'perl') {
    if (args.some((arg) => /^-\w*i|^--in-place/.test(arg))) return 'write'
    return name === 'sed' ? 'read' : 'unknown'
  }
  if (name === 'tee') return args.some((arg) => !arg.startsWith('-') && !arg.startsWith('/dev/')) ? 'write' : 'read'
  if (name === 'find') return has('-delete') ? 'move' : args.some((arg) => arg.startsWith('-exec')) ? 'unknown' : 'read'
  if (name === 'curl') return args.some((arg) => /^-(?:o|O|-output|-remote-name)/.test(arg)) ? 'move' : 'read'
  if (name === 'sqlite3') return 'unknown'
  if (isFormatting(name, args)) return 'format'
  if (checksOf(command).length > 0) return 'check'
  if (reading.has(name)) return 'read'
  if (moving.has(name)) return 'move'
  if (installers.has(name)) return args.length > 0 && installWords.has(args[0] ?? '') ? 'install' : 'read'
  if (packageManagers.has(name) && (args.length === 0 || installWords.has(args[0] ?? ''))) return 'install'
  if (['uv', 'poetry', 'pdm', 'bundle', 'go', 'cargo', 'dotnet'].includes(name)) {
    if (
      ['sync', 'add', 'install', 'lock', 'mod', 'get', 'remove', 'restore', 'update', 'pip', 'fetch'].includes(
        args[0] ?? ''
      )
    )
      return 'install'
  }
  if (args.length > 0 && args.every((arg) => /^(?:--?version|--?help|-[vVh])$/.test(arg))) return 'read'
  return 'unknown'
}

function gitEffect({ words }: ShellCommand): CommandEffect {
  const args = gitWords(words.map(({ text }) => text))
  const verb = args[0] ?? 'status'
  if (committing.has(verb)) return 'commit'
  if (verb === 'stash' && ['list', 'show'].includes(args[1] ?? '')) return 'read'
  if (verb === 'worktree' && args[1] === 'list') return 'read'
  return readingGit.has(verb) ? 'read' : 'git'
}

/** The words of a `git` command from its verb on. */
export function gitWords(words: readonly string[]): readonly string[] {
  let at = 1
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '-C' || word === '-c' || word === '--git-dir' || word === '--work-tree') at++
    else if (!word.startsWith('-')) break
  }
  return words.slice(at)
}

function isFormatting(name: string, args: readonly string[]): boolean {
  const has = (...flags: string[]): boolean => args.some((arg) => flags.includes(arg))
  if (formatters.has(name)) {
    if (name === 'gofmt' || name === 'goimports' || name === 'shfmt') return has('-w')
    if (name === 'prettier') return has('--write', '-w')
    return !has('--check', '--diff', '--check-only', '-l', '--version', '--help')
  }
  if (name === 'cargo') return args[0] === 'fmt' && !has('--check')
  if (name === 'ruff') return (args[0] === 'format' && !has('--check', '--diff')) || has('--fix')
  if (name === 'go') return args[0] === 'fmt'
  if (name === 'biome') return has('--write', '--apply')
  if (['eslint', 'oxlint', 'stylelint', 'rubocop', 'golangci-lint'].includes(name)) return has('--fix', '-a', '-A')
  if (name === 'dotnet') return args[0] === 'format'
  const script = runners.has(name) ? scriptOf(name, args) : null
  return script !== null && /(?:^|[:_-])(?:fmt|format|fix)(?:$|[:_-])/.test(script)
}

/** The name of the script that a runner starts; null without one. */
function scriptOf(name: string, args: readonly string[]): string | null {
  const words = args.filter((arg) => !arg.startsWith('-') && !/^\w+=/.test(arg))
  // An option's value may stand before the script: `npm --prefix web run test`, `make -C web test`.
  if (packageManagers.has(name) || ['mise', 'turbo', 'nx', 'poe', 'lerna', 'moon'].includes(name)) {
    const run = words.findIndex((word) => ['run', 'run-script', 'r', 'run-many', 'affected'].includes(word))
    if (run >= 0) return words[run + 1] ?? null
    const first = words[0] ?? null
    return first !== null && /^(?:test|t|tst)$/.test(first)
      ? 'test'
      : name === 'npm' || name === 'mise'
        ? null
        : (words.at(-1) ?? first)
  }
  if (name === 'make' || name === 'gmake') {
    const value = args.findIndex((arg) => arg === '-C' || arg === '-f' || arg === '-j')
    const targets = value < 0 ? words : words.filter((word) => word !== args[value + 1])
    return targets[0] ?? 'build'
  }
  return words[0] ?? null
}

const tests = set(
  'pytest py.test jest vitest mocha ava phpunit rspec ctest nox bats karma cypress nextest gotestsum behave'
)
const linters = set(
  'eslint oxlint flake8 pylint golangci-lint shellcheck stylelint rubocop hadolint markdownlint ktlint swiftlint pre-commit ' +
    'actionlint yamllint clippy-driver staticcheck ruff biome vale xo standard'
)
const typeCheckers = set('tsc mypy pyright vue-tsc basedpyright svelte-check pyre')
const builders = set('webpack rollup esbuild ninja xcodebuild tsup rolldown parcel bazel cmake msbuild')

/** The verbs of programs that have several. */
const verbs: ReadonlyMap<string, readonly (readonly [verb: string, kind: CheckKind])[]> = new Map([
  [
    'cargo',
    [
      ['test', 'test'],
      ['t', 'test'],
      ['nextest', 'test'],
      ['build', 'build'],
      ['b', 'build'],
      ['check', 'types'],
      ['c', 'types'],
      ['clippy', 'lint']
    ]
  ],
  [
    'go',
    [
      ['test', 'test'],
      ['build', 'build'],
      ['vet', 'lint']
    ]
  ],
  [
    'dotnet',
    [
      ['test', 'test'],
      ['build', 'build']
    ]
  ],
  [
    'swift',
    [
      ['test', 'test'],
      ['build', 'build']
    ]
  ],
  [
    'deno',
    [
      ['test', 'test'],
      ['lint', 'lint'],
      ['check', 'types']
    ]
  ],
  [
    'bun',
    [
      ['test', 'test'],
      ['build', 'build']
    ]
  ],
  [
    'mix',
    [
      ['test', 'test'],
      ['compile', 'build']
    ]
  ],
  [
    'zig',
    [
      ['test', 'test'],
      ['build', 'build']
    ]
  ],
  [
    'flutter',
    [
      ['test', 'test'],
      ['build', 'build'],
      ['analyze', 'lint']
    ]
  ],
  [
    'dart',
    [
      ['test', 'test'],
      ['analyze', 'lint']
    ]
  ],
  [
    'mvn',
    [
      ['test', 'test'],
      ['verify', 'test'],
      ['package', 'build'],
      ['compile', 'build']
    ]
  ],
  [
    'mvnw',
    [
      ['test', 'test'],
      ['verify', 'test'],
      ['package', 'build'],
      ['compile', 'build']
    ]
  ],
  [
    'gradle',
    [
      ['test', 'test'],
      ['check', 'test'],
      ['build', 'build'],
      ['assemble', 'build'],
      ['lint', 'lint'],
      ['ktlintcheck', 'lint'],
      ['compilekotlin', 'build'],
      ['compilejava', 'build']
    ]
  ],
  [
    'gradlew',
    [
      ['test', 'test'],
      ['check', 'test'],
      ['build', 'build'],
      ['assemble', 'build'],
      ['lint', 'lint'],
      ['ktlintcheck', 'lint'],
      ['compilekotlin', 'build'],
      ['compilejava', 'build']
    ]
  ],
  ['playwright', [['test', 'test']]],
  ['vite', [['build', 'build']]],
  [
    'next',
    [
      ['build', 'build'],
      ['lint', 'lint']
    ]
  ],
  ['nuxt', [['build', 'build']]],
  [
    'astro',
    [
      ['build', 'build'],
      ['check', 'types']
    ]
  ],
  [
    'ng',
    [
      ['test', 'test'],
      ['build', 'build'],
      ['lint', 'lint']
    ]
  ]
] as const)

/** What a command checks; empty: nothing. */
export function checksOf({ name, words }: ShellCommand): readonly CheckKind[] {
  const args = words.slice(1).map(({ text }) => text)
  const has = (...flags: string[]): boolean => args.some((arg) => flags.includes(arg))
  if (has('--help', '-h', '--version', '--collect-only', '--list', '--listTests', '--dry-run')) return []
  if (tests.has(name)) return ['test']
  if (name === 'tox') return ['test']
  if (typeCheckers.has(name)) return ['types']
  if (name === 'node') return has('--test') ? ['test'] : []
  if (/^python[\d.]*$/.test(name) || name === 'py') return pythonChecks(args)
  if (formatters.has(name)) return has('--check', '--diff', '-l', '--check-only') ? ['lint'] : []
  if (name === 'ruff') return args[0] === 'check' || (args[0] === 'format' && has('--check', '--diff')) ? ['lint'] : []
  if (linters.has(name)) return ['lint']
  if (name === 'cmake') return has('--build') ? ['build'] : []
  if (builders.has(name)) return name === 'xcodebuild' && has('test') ? ['test'] : ['build']
  if (name === 'cargo' && args[0] === 'fmt') return has('--check') ? ['lint'] : []
  const known = verbs.get(name)
  if (known !== undefined) {
    // What `-x` leaves out, and what stands after the options of the program, is no verb.
    const verbOf = (arg: string): string => arg.slice(arg.lastIndexOf(':') + 1).toLowerCase()
    const own =
      name.startsWith('gradle') || name.startsWith('mvn') ? args : [args.find((arg) => !/^[-+]/.test(arg)) ?? '']
    const kinds = own.flatMap((arg, i) =>
      args[i - 1] === '-x' && own === args ? [] : known.filter(([verb]) => verb === verbOf(arg))
    )
    if (kinds.length > 0) return [...new Set(kinds.map(([, kind]) => kind))]
  }
  if (!runners.has(name)) return []
  const script = scriptOf(name, args)
  return script === null ? [] : scriptChecks(script)
}

function pythonChecks(args: readonly string[]): readonly CheckKind[] {
  const at = args.indexOf('-m')
  const module = at < 0 ? '' : (args[at + 1] ?? '')
  if (['pytest', 'unittest', 'nose2', 'tox'].includes(module)) return ['test']
  if (['mypy', 'pyright'].includes(module)) return ['types']
  if (['ruff', 'flake8', 'pylint'].includes(module)) return ['lint']
  if (args[0] === 'manage.py' && args[1] === 'test') return ['test']
  return []
}

/** What a project's script checks, by its name: `test:unit`, `check-types`, `lint-fix`. */
function scriptChecks(script: string): readonly CheckKind[] {
  const name = script.toLowerCase()
  if (/(?:^|[:_/-])(?:type-?check|check-?types|tsc|types|mypy)(?:$|[:_/-])/.test(name)) return ['types']
  if (/(?:^|[:_/-])(?:test|tests|e2e|spec|unit|integration|pytest|vitest|jest)(?:$|[:_/-])/.test(name)) return ['test']
  if (/(?:^|[:_/-])(?:lint|eslint|clippy|ruff)(?:$|[:_/-])/.test(name)) return ['lint']
  if (/(?:^|[:_/-])(?:build|compile|all)(?:$|[:_/-])/.test(name)) return ['build']
  return /(?:^|[:_/-])(?:check|ci|verify|validate|checks)(?:$|[:_/-])/.test(name) ? ['check'] : []
}

/** Pieces of words without one of which no command of a line is a check. They have letters and digits only. */
export const checkWords: readonly string[] = [
  ...[...tests, ...linters, ...typeCheckers, ...builders, ...formatters],
  ...[...verbs.values()].flatMap((list) => list.map(([verb]) => verb).filter((verb) => verb.length > 1)),
  // Programs whose verbs may be one letter, or that build without one.
  ...['cargo', 'make', 'gmake', 't', 'tst', 'tox', 'unittest', 'nose2'],
  // Names of scripts.
  ...'typecheck checktypes types test tests e2e spec unit integration compile all check ci verify validate checks'.split(
    ' '
  )
].map((word) => word.split(/[^a-z0-9]/).reduce((longest, part) => (part.length > longest.length ? part : longest), ''))
