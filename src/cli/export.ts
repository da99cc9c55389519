import { lastName } from '#core/paths/path-names.ts'
import { join } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import type { Redactor } from '#core/export/redact.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import type { DataSet } from '#backend/export/data-set.ts'
import { exportName } from '#backend/export/export-name.ts'
import type { Exported, ExportRequest, WriteExport } from '#backend/export/export-request.ts'
import { Output } from '#backend/export/output.ts'
import { type OutputFile, outputFile } from '#backend/export/output-file.ts'
import { writers } from '#backend/export/writers.ts'
import { makeFolder } from '#backend/make-folder.ts'
import { Run, type RunOptions } from '#backend/sources/run.ts'
import { writeFailure } from '#backend/write-failure.ts'
import { sayNotes, unknownFormat } from './log-notes.ts'
import { type Command, exitFine, exitNothing, exitUsage, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { OwnLibrary } from './own-library.ts'
import { pricesDetails, pricesOf, pricesOptions } from './prices-option.ts'
import { Progress } from './progress.ts'
import { askedSessions, filterDetails, filterOptions, limitOf, sessionQueryOf } from './session-filter.ts'
import { rootsOf } from './session-roots.ts'
import { keepMemorySteady } from './steady-memory.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'
import { whereDetails, whereOf } from './where-option.ts'

const { json: _json, ...sessionOptions } = filterOptions

const options = {
  output: { type: 'string', short: 'o' },
  to: { type: 'string' },
  raw: { type: 'boolean' },
  redact: { type: 'boolean' },
  'no-redact': { type: 'boolean' },
  content: { type: 'boolean' },
  endpoint: { type: 'string' },
  'allow-remote': { type: 'boolean' },
  'no-text': { type: 'boolean' },
  library: { type: 'boolean' },
  ...pricesOptions,
  ...logOptions,
  ...sessionOptions
} as const

type Values = ReturnType<typeof parseCommandLine<{ args: string[]; options: typeof options }>>['values']

const forms = ['jsonl', 'md', 'html', 'atif', 'otlp', 'trace', 'parquet'] as const
type Form = (typeof forms)[number]

/** The forms that an option belongs to. */
const optionForms = {
  raw: ['jsonl'],
  content: ['otlp'],
  endpoint: ['otlp'],
  'no-text': ['parquet'],
  library: ['parquet']
} as const satisfies Partial<Record<keyof typeof options, readonly Form[]>>

export const exportLog: Command = {
  usage: `export SESSION… [-o OUT] [--to ${forms.join('|')}] [--redact|--no-redact] [--where QUERY] [--raw] [--content] [--endpoint URL [--allow-remote]] [--no-text] [--library] [--prices FILE] [--single] [--format ID]`,
  summary: 'export sessions: JSONL, report, web page, formats of other tools',
  details: [
    '--to jsonl    normalized events, one per line (the default)',
    '--to md       a report in Markdown',
    '--to html     one page that shows the session in any browser, offline',
    '--to atif     a trajectory in the Agent Trajectory Interchange Format 1.7',
    '--to otlp     spans of OpenTelemetry (OTLP in JSON, one request per line)',
    '--to trace    a trace for Perfetto, Firefox Profiler and speedscope',
    '--to parquet  tables for DuckDB, ClickHouse, Spark and others, in the folder OUT (docs/fleet.md)',
    '-o OUT        Write to the file OUT. Several sessions need a folder; each gets a file there.',
    '--raw         jsonl: add the original line to each event.',
    '--content     otlp: with inputs and results of calls.',
    '--endpoint URL  otlp: send the spans to a collector instead, such as http://localhost:4318.',
    '--allow-remote  Send them to another machine, too. They leave this one.',
    '--no-text     parquet: without the texts of the sessions.',
    '--library     parquet: all sessions of this machine that the filters below match. Unchanged ones are skipped.',
    '--redact      Remove secrets. All forms but jsonl always do, unless --no-redact is given.',
    whereDetails('events'),
    pricesDetails,
    '',
    ...fileDetails,
    '',
    'With --library:',
    '--where QUERY   Only sessions that match a query, such as project:cli failed:>0 (docs/query.md).',
    ...filterDetails,
    '--limit N       At most N sessions, the newest.'
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const to = formOf(values)
    // A script's empty variable must not mean the current folder.
    if (values.output === '') throw new UsageError('-o needs a path')
    if (values.library === true) return await exportLibrary(positionals, values, environment)
    const where = await whereOf(values)
    const sources: RunOptions[] = []
    for (const file of positionals.length === 0 ? [[]] : positionals.map((each) => [each]))
      sources.push(await logOf(file, values, environment))
    // A page shows lines of any format.
    if (to !== 'html') for (const source of sources) await refuseUnknown(source)
    if (to !== 'md' && to !== 'html') keepMemorySteady()
    const prices = to === 'jsonl' || to === 'trace' ? null : await pricesOf(values, environment)
    const write =
      to === 'parquet'
        ? await tableExport(values, environment)
        : await fileExport(to, values, sources.length > 1, environment)
    let exit = exitFine
    for (const source of sources) {
      const events = where === null ? null : await where.events(source, environment)
      exit = Math.max(exit, await exportOne({ source, prices, events }, values, to, write, environment))
    }
    await write.end?.()
    return exit
  }
}

/** Writes sessions one after the other. Null: unchanged since it was written. */
interface Exporter {
  one(request: ExportRequest, report: (log: Exported) => void): Promise<void>
  end?(): Promise<void>
}

type Chosen = Pick<ExportRequest, 'source' | 'prices' | 'events'>

/** Writes one session and says what was written. Returns the exit code. */
async function exportOne(
  chosen: Chosen,
  values: Values,
  to: Form,
  exporter: Exporter,
  environment: Environment
): Promise<number> {
  const progress = new Progress(environment, 'exporting', values.output === undefined)
  const redactor = await redactorOf(to, values)
  const read = (bytes: number, all: number): void => progress.at(bytes, all)
  const { version } = environment
  let exit = exitFine
  try {
    await exporter.one({ ...chosen, raw: values.raw === true, redactor, bookmarks: [], version, read }, (log) => {
      progress.end()
      exit = sayNotes(log, environment)
      if (redactor !== null) sayRedacted(redactor, environment)
    })
    return exit
  } finally {
    progress.end()
  }
}

/** Null: nothing is redacted. */
async function redactorOf(to: Form, { redact = false, 'no-redact': keeps = false }: Values): Promise<Redactor | null> {
  if (to === 'jsonl' ? !redact : keeps) return null
  const { Redactor: Redacts } = await import('#core/export/redact.ts')
  return new Redacts()
}

/** To standard output, a file, a folder of files, or an address. */
async function fileExport(
  to: Exclude<Form, 'parquet'>,
  values: Values,
  areSeveral: boolean,
  environment: Environment
): Promise<Exporter> {
  const { output, endpoint } = values
  const write = to === 'html' ? await pageWriterOf(environment) : await writers[to](values)
  if (endpoint !== undefined) {
    if (output !== undefined) throw new UsageError('-o and --endpoint cannot be combined')
    const { otlpAddress, otlpStream } = await import('#backend/export/otlp-endpoint.ts')
    const address = otlpAddress(endpoint, values['allow-remote'] === true)
    return {
      async one(request, report) {
        report(await write(new Output(otlpStream(address), address.href), request))
        say(environment, `spans sent to ${address.href}`)
      }
    }
  }
  if (output === undefined) {
    if (areSeveral) throw new UsageError('several sessions need -o FOLDER')
    return { one: async (request, report) => report(await write(new Output(environment.stdout), request)) }
  }
  if (!areSeveral)
    return {
      one: async (request, report) => await writeFile(await outputFile(output, request.source.path), request, report)
    }
  await makeFolder(output).catch((error: unknown) => {
    throw writeFailure(output, error)
  })
  const used = new Map<string, number>()
  return {
    async one(request, report) {
      const { source, events } = request
      const name = exportName(lastName(source.path), { form: to, isPart: events !== null, files: 0 })
      const before = used.get(name) ?? 0
      used.set(name, before + 1)
      // Sessions of several folders may share a name.
      const path = join(output, before === 0 ? name : `${before + 1}.${name}`)
      await writeFile(await outputFile(path, source.path), request, report, path)
    }
  }

  async function writeFile(
    target: OutputFile,
    request: ExportRequest,
    report: (log: Exported) => void,
    path = output ?? ''
  ): Promise<void> {
    try {
      const log = await write(target.output, request)
      report(log)
      await target.finish()
      say(environment, `${log.what} written to ${path}`)
    } catch (error) {
      await target.discard()
      throw error
    }
  }
}

/** Into the tables of a data set. */
async function tableExport(
  { output, 'no-text': noText = false }: Values,
  environment: Environment
): Promise<Exporter & { readonly set: DataSet }> {
  if (output === undefined) throw new UsageError('--to parquet needs -o FOLDER')
  const { DataSet: Tables } = await import('#backend/export/data-set.ts')
  const set = await Tables.open(output, { texts: !noText })
  return {
    set,
    async one(request, report) {
      const log = await set.add(request)
      if (log === null) say(environment, `unchanged: ${request.source.path}`)
      else {
        report(log)
        say(environment, `${log.what} written to ${output}`)
      }
    },
    end: async () => await set.finish()
  }
}

/** All sessions of this machine that the filters match. */
async function exportLibrary(
  positionals: readonly string[],
  values: Values,
  environment: Environment
): Promise<number> {
  if (positionals.length > 0) throw new UsageError('--library and SESSION cannot be combined')
  const asked = await askedSessions(await sessionQueryOf(values.where), values, environment)
  const limit = limitOf(values.limit)
  const roots = await rootsOf(values.root, environment.home)
  const { set, end } = await tableExport(values, environment)
  const prices = await pricesOf(values, environment)
  keepMemorySteady()
  return await OwnLibrary.use(environment, { roots }, async (library, listing) => {
    const found = await library.sessions(asked, limit)
    listing.end()
    const progress = new Progress(environment, 'exporting sessions', false)
    let [written, failed] = [0, 0]
    try {
      for (const [at, { card }] of found.entries()) {
        progress.at(at, found.length)
        try {
          if (await addTo(set, card.path, prices, values, environment)) written++
        } catch (error) {
          if (!(error instanceof HostError)) throw error
          failed++
          progress.end()
          say(environment, `${card.path}: ${error.message}`)
        }
      }
    } finally {
      progress.end()
      await end?.()
    }
    const unchanged = found.length - written - failed
    say(
      environment,
      `${written} sessions written to ${values.output ?? ''}, ${unchanged} unchanged, ${failed} not readable`
    )
    if (failed > 0 || !(await library.isWhole())) return exitUsage
    return found.length === 0 ? exitNothing : exitFine
  })
}

/** Whether the session had changed. */
async function addTo(
  set: DataSet,
  path: string,
  prices: PriceTable | null,
  values: Values,
  { version }: Environment
): Promise<boolean> {
  const redactor = await redactorOf('parquet', values)
  const source = { path, format: null, single: false }
  return (await set.add({ source, redactor, prices, events: null, version, read: () => {} })) !== null
}

/** `2 secrets redacted (1 GitHub token, 1 password)`. */
function sayRedacted({ total, counts }: Redactor, environment: Environment): void {
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`)
  if (total > 0) say(environment, `${total} ${total === 1 ? 'secret' : 'secrets'} redacted (${kinds.join(', ')})`)
}

async function pageWriterOf({ root, now }: Environment): Promise<WriteExport> {
  const { pageParts } = await import('#backend/export/page-parts.ts')
  const { pageWriter } = await import('#backend/export/write-page.ts')
  return pageWriter({ parts: await pageParts(join(root, 'out', 'shared')), now: now() })
}

/** Before anything is written: an empty export would suggest an empty session. */
async function refuseUnknown(source: RunOptions): Promise<void> {
  const run = await Run.open(source)
  await run.close()
  if (run.chosen.note !== null) throw new HostError('bad-params', unknownFormat(run.chosen.note))
}

/** Throws a `UsageError` for an unknown form and for options of another form. */
function formOf(values: Values): Form {
  const { to: word = values.library === true ? 'parquet' : 'jsonl' } = values
  const to = forms.find((form) => form === word)
  if (to === undefined) throw new UsageError(`--to ${word}: use one of ${forms.join(', ')}`)
  for (const [option, of] of Object.entries(optionForms)) {
    const isGiven = values[option as keyof typeof optionForms] !== undefined
    if (isGiven && !of.some((form) => form === to)) throw new UsageError(`--${option} cannot be used with --to ${to}`)
  }
  if (values['allow-remote'] === true && values.endpoint === undefined)
    throw new UsageError('--allow-remote goes with --endpoint')
  if (values.redact === true && values['no-redact'] === true)
    throw new UsageError('--redact and --no-redact cannot be combined')
  if (values['no-redact'] === true && to === 'jsonl')
    throw new UsageError('--no-redact: JSONL is only redacted with --redact')
  const filters = ['agent', 'project', 'since', 'state', 'limit'] as const
  const filter = values.library === true ? undefined : filters.find((name) => values[name] !== undefined)
  if (filter !== undefined) throw new UsageError(`--${filter} goes with --library`)
  return to
}
