import { EventSet } from '#core/export/event-set.ts'
import type { Query } from '#core/query/query.ts'
import { Output } from '#backend/export/output.ts'
import { writeJsonl } from '#backend/export/write-jsonl.ts'
import type { QueriedLog } from '#backend/query/queried-log.ts'
import type { RunOptions } from '#backend/sources/run.ts'
import { type Command, exitFine, exitNothing, exitUsage, parseCommandLine, UsageError } from './command.ts'
import type { Environment } from './environment.ts'
import { type Field, fieldNames, FieldValues } from './query-fields.ts'
import { keepMemorySteady } from './steady-memory.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'
import { queryOf, sayNotesOf, withLog } from './where.ts'

const options = {
  json: { type: 'boolean' },
  count: { type: 'boolean' },
  lines: { type: 'boolean' },
  fields: { type: 'string' },
  context: { type: 'string', short: 'C' },
  ...logOptions
} as const

const maxContext = 1_000_000

export const query: Command = {
  usage: 'query FILE… QUERY [--json | --count | --lines | --fields NAMES] [-C N] [--single] [--format ID]',
  summary: 'print the events that match a query',
  details: [
    "QUERY is one argument: 'tool:Bash status:error dur:>10s'. docs/query.md lists the keys.",
    '--json          Print normalized events, one per line (the default).',
    '--count         Print how many events match.',
    '--lines         Print the lines of the log that hold them.',
    `--fields NAMES  Print these fields, separated by tabs: ${fieldNames.join(', ')}.`,
    '-C N            Also print N events before and after each.',
    'Exit codes: 0 found, 1 nothing found, 2 wrong use, or a file could not be read.',
    '',
    ...fileDetails
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args: args.map(asOperand), options, allowPositionals: true })
    const files = positionals.slice(0, -1)
    const text = positionals.at(-1)
    if (text === undefined || files.length === 0)
      throw new UsageError("give a FILE and a QUERY, such as 'status:error'")
    const asked = queryOf(text)
    const print = printerOf(values)
    const around = contextOf(values.context)
    const sources: RunOptions[] = []
    for (const file of files) sources.push(await logOf([file], values, environment))
    keepMemorySteady()
    const exits: number[] = []
    for (const source of sources) {
      exits.push(await answer(source, asked, { print, around, isOneOfSeveral: sources.length > 1 }, environment))
    }
    if (exits.includes(exitUsage)) return exitUsage
    return exits.includes(exitFine) ? exitFine : exitNothing
  }
}

/** A query may begin with a minus, `-type:text`. A space before it is ignored in a query and distinguishes it from an option. */
function asOperand(arg: string): string {
  return /^-(?:["(]|[a-z][\w.]*:)/.test(arg) ? ` ${arg}` : arg
}

type Print = (
  log: QueriedLog,
  rows: readonly number[],
  source: RunOptions,
  isOneOfSeveral: boolean,
  environment: Environment
) => Promise<void>

interface Values {
  readonly json?: boolean | undefined
  readonly count?: boolean | undefined
  readonly lines?: boolean | undefined
  readonly fields?: string | undefined
}

function printerOf({ json = false, count = false, lines = false, fields }: Values): Print {
  if ([json, count, lines, fields !== undefined].filter(Boolean).length > 1)
    throw new UsageError('use one of --json, --count, --lines and --fields')
  if (count) return printCount
  if (lines) return printLines
  return fields === undefined ? printEvents : printFields(fieldsOf(fields))
}

function fieldsOf(text: string): readonly Field[] {
  return text.split(',').map((word) => {
    const field = fieldNames.find((name) => name === word.trim())
    if (field === undefined) throw new UsageError(`--fields ${word}: use names of ${fieldNames.join(', ')}`)
    return field
  })
}

function contextOf(text: string | undefined): number {
  if (text === undefined) return 0
  const count = Number(text)
  if (/^\d+$/.test(text) && count <= maxContext) return count
  throw new UsageError(`-C ${text}: give a number of events`)
}

interface Answering {
  readonly print: Print
  readonly around: number
  readonly isOneOfSeveral: boolean
}

/** Prints the matching events of one log. Returns the exit code. */
async function answer(
  source: RunOptions,
  asked: Query | null,
  { print, around, isOneOfSeveral }: Answering,
  environment: Environment
): Promise<number> {
  return await withLog(source, environment, async (log) => {
    const { rows } = log.index
    const seqs = await log.events(asked)
    const shown = withContext(seqs, around, rows.events).map((seq) => rows.rowOf(seq))
    await print(log, shown, source, isOneOfSeveral, environment)
    const exit = sayNotesOf(log, environment)
    return exit === exitFine && seqs.length === 0 ? exitNothing : exit
  })
}

function withContext(seqs: readonly number[], around: number, events: number): readonly number[] {
  if (around === 0) return seqs
  const shown: number[] = []
  for (const seq of seqs) {
    const from = Math.max((shown.at(-1) ?? -1) + 1, seq - around)
    for (let at = from; at <= Math.min(seq + around, events - 1); at++) shown.push(at)
  }
  return shown
}

const printCount: Print = async (_log, rows, { path }, isOneOfSeveral, { stdout }) => {
  const output = new Output(stdout)
  output.line(isOneOfSeveral ? `${path}:${rows.length}` : String(rows.length))
  await output.flush()
}

const printEvents: Print = async ({ index }, rows, source, _isOneOfSeveral, { stdout, version }) => {
  if (rows.length === 0) return
  const events = new EventSet(index.rows.events)
  for (const row of rows) events.add(index.rows.seqOf(row))
  const request = { source, raw: false, redactor: null, prices: null, events, bookmarks: [], version, read: () => {} }
  await writeJsonl(new Output(stdout), request)
}

/** Each line once: several events may be of one line. */
const printLines: Print = async (log, rows, _source, _isOneOfSeveral, { stdout }) => {
  const output = new Output(stdout)
  const printed = new Set<string>()
  for (const row of rows) {
    const { file = '', offset } = log.index.rows.place(row)
    const place = `${offset} ${file}`
    if (printed.has(place)) continue
    printed.add(place)
    output.line(await log.line(row))
    if (output.isFull) await output.flush()
  }
  await output.flush()
}

function printFields(fields: readonly Field[]): Print {
  return async (log, rows, { path }, isOneOfSeveral, { stdout }) => {
    const output = new Output(stdout)
    const values = new FieldValues(log)
    for (const row of rows) {
      const cells = await values.of(row, fields)
      output.line([...(isOneOfSeveral ? [path] : []), ...cells].join('\t'))
      if (output.isFull) await output.flush()
    }
    await output.flush()
  }
}
