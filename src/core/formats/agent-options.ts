import { oneLine } from '../index/one-line.ts'

/** Reads agents' arguments as far as needed to recognize those that Playhead sets itself, and dangerous ones. */

/** What an option lets an agent do unasked: anything, as it can start programs or skip questions, or more than its mode says. */
export type Widens = 'all' | 'more'

/** What an option takes: nothing, `true` or `false`, perhaps a word, a word, or all words up to the next option. */
type Takes = 'nothing' | 'truth' | 'maybe' | 'one' | 'many'

/**
 * An option: its spellings, separated by spaces; what it takes; what it widens, which may depend on its value (`false` for `--no-…`).
 * Without the last it widens nothing.
 */
export type OptionRow = readonly [names: string, takes: Takes, widens?: Widens | ((value: string) => Widens | null)]

/** The options of an agent's program, as far as a person can add them. */
export interface OptionTable {
  /** The version whose help was read, and where its maker documents them. */
  readonly source: { readonly version: string; readonly page: string }
  /** Each letter after one dash is an option. Otherwise the rest of the word is the value of the first that takes one. */
  readonly lettersAreOptions?: boolean
  readonly rows: readonly OptionRow[]
}

/** An option among the arguments. */
interface GivenOption {
  /** `-c` or `--config`, without a value. */
  readonly name: string
  /** Undefined: the table does not know it. */
  readonly row: OptionRow | undefined
  readonly values: readonly string[]
  /** With its values, as the person wrote it. */
  readonly written: string
}

/** A word of the arguments that widens what the agent may do, as written. */
export interface DangerousArgument {
  readonly argument: string
  readonly widens: Widens
}

/** All values of an option: `--name value`, `--name=value`, and `-nvalue` of a short one. */
export function optionValues(args: readonly string[], name: string): string[] {
  const isShort = /^-[A-Za-z]$/.test(name)
  return args.flatMap((argument, i) => {
    if (argument === name) return [args[i + 1] ?? '']
    if (argument.startsWith(`${name}=`)) return [argument.slice(name.length + 1)]
    return isShort && argument.startsWith(name) ? [argument.slice(name.length)] : []
  })
}

/** Whether one of the options is set, in any spelling. */
export function setsOption(args: readonly string[], ...names: readonly string[]): boolean {
  return names.some((name) => optionValues(args, name).length > 0)
}

/** Whether the arguments have this option: also as one of several letters, and in other spellings of its words. */
export function hasOption(args: readonly string[], name: string, table: OptionTable): boolean {
  return readArguments(args, table).options.some((given) => keyOf(given.name) === keyOf(name))
}

/** Words that are neither options nor their values: agents take them for commands or for the prompt. */
export function strayWords(args: readonly string[], table: OptionTable): string[] {
  return readArguments(args, table).words
}

/** The arguments that widen what the agent may do, each once. */
export function dangerousArguments(args: readonly string[], table: OptionTable): DangerousArgument[] {
  const found = new Map<number, DangerousArgument>()
  for (const given of readArguments(args, table).options) {
    const widens = widensOf(given)
    if (widens === null || found.get(given.index)?.widens === 'all') continue
    found.set(given.index, { argument: oneLine(given.written, mostShown), widens })
  }
  return [...found.values()]
}

/** Settings may be long; what was written is in the form, too. */
const mostShown = 120

/** Words in the names of options that widen something, in whichever version they come. */
const alarming =
  /danger|yolo|bypass|unsafe|insecure|skip|ignore|trust|permission|approv|sandbox|allow|polic|plugin|extension|mcp|hook|setting|config|profile|agent|skill|dir|remote|tool|auto|channel|server|host|url|listen|exec|command|script/i

function widensOf({ name, row, values }: GivenOption): Widens | null {
  if (row === undefined) return alarming.test(name) ? 'all' : null
  const [, , widens] = row
  if (typeof widens !== 'function') return widens === undefined || plain(values[0] ?? '') === 'false' ? null : widens
  const each = values.map((value) => widens(plain(value)))
  return each.find((one) => one === 'all') ?? each.find((one) => one !== null) ?? null
}

/** Strips quotes of TOML or JSON, or of a word that was quoted twice. */
function plain(value: string): string {
  return value.trim().replaceAll(/^["']+|["']+$/g, '')
}

/** Programs take `--add-dir`, `--addDir` and `--add-dir.x` for one option, each of them some of these. Letters are told apart by case. */
function keyOf(name: string): string {
  return name.startsWith('--') ? `--${(name.slice(2).split('.')[0] ?? '').replaceAll(/[-_]/g, '').toLowerCase()}` : name
}

function readArguments(
  args: readonly string[],
  table: OptionTable
): { options: (GivenOption & { readonly index: number })[]; words: string[] } {
  const byKey = new Map(table.rows.flatMap((row) => row[0].split(' ').map((name) => [keyOf(name), row] as const)))
  const options: (GivenOption & { readonly index: number })[] = []
  const words: string[] = []
  let index = 0
  while (index < args.length) {
    const word = args[index] ?? ''
    const rest = args.slice(index + 1)
    if (!word.startsWith('-') || word === '-' || word === '--') {
      words.push(word)
      index += 1
      continue
    }
    let taken = 0
    for (const { name, value, isLast } of namesIn(word, table, byKey)) {
      const positive = byKey.get(keyOf(name))
      const negated = /^--no-?(.+)$/.exec(name)?.[1]
      const row = positive ?? (negated === undefined ? undefined : byKey.get(keyOf(`--${negated}`)))
      const isNegated = positive === undefined && row !== undefined
      const following = value === null && isLast && !isNegated ? followingValues(rest, row?.[1] ?? 'many') : []
      // A word with a dash is read as an option once more: some programs take it for one.
      taken = Math.max(taken, following.filter((next) => !next.startsWith('-')).length)
      const values = isNegated ? ['false'] : value === null ? following : [value]
      options.push({ name, row, values, written: [word, ...following].join(' '), index })
    }
    index += 1 + taken
  }
  return { options, words }
}

/** The options of one word: `--name`, `--name=value`, `-n`, `-nvalue`, or several letters. */
function namesIn(
  word: string,
  { lettersAreOptions }: OptionTable,
  byKey: ReadonlyMap<string, OptionRow>
): { name: string; value: string | null; isLast: boolean }[] {
  const [head = '', value = null] = word.split(/=(.*)/s)
  if (word.startsWith('--')) return [{ name: head, value, isLast: true }]
  const letters = [...head.slice(1)]
  const found: { name: string; value: string | null; isLast: boolean }[] = []
  for (const [i, letter] of letters.entries()) {
    const name = `-${letter}`
    const isLast = i === letters.length - 1
    const takes = byKey.get(name)?.[1]
    const isValue = !isLast && takes !== undefined && takes !== 'nothing' && takes !== 'truth'
    if (isValue && lettersAreOptions !== true) {
      found.push({ name, value: word.slice(i + 2), isLast: false })
      break
    }
    found.push({ name, value: isLast ? value : null, isLast })
  }
  return found
}

function followingValues(rest: readonly string[], takes: Takes): string[] {
  const [next] = rest
  if (next === undefined) return []
  const isOption = next.startsWith('-')
  switch (takes) {
    case 'nothing':
      return []
    case 'truth':
      return next === 'true' || next === 'false' ? [next] : []
    case 'maybe':
      return isOption ? [] : [next]
    case 'one':
      return [next]
    case 'many': {
      const end = rest.findIndex((word) => word.startsWith('-'))
      return rest.slice(0, end < 0 ? undefined : end)
    }
  }
}
