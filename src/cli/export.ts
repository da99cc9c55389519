import { join } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { Redactor } from '#core/export/redact.ts'
import type { Exported, WriteExport } from '#backend/export/export-request.ts'
import { Output } from '#backend/export/output.ts'
import { outputFile } from '#backend/export/output-file.ts'
import { pageParts, pageWriter } from '#backend/export/write-page.ts'
import { writeJsonl } from '#backend/export/write-jsonl.ts'
import { writeReport } from '#backend/export/write-report.ts'
import { Run, type RunOptions } from '#backend/sources/run.ts'
import { sayNotes, unknownFormat } from './log-notes.ts'
import { type Command, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { pricesDetails, pricesOf, pricesOptions } from './prices-option.ts'
import { Progress } from './progress.ts'
import { keepMemorySteady } from './steady-memory.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'
import { eventsWhere, whereDetails, whereOf, whereOptions } from './where.ts'

const options = {
  output: { type: 'string', short: 'o' },
  to: { type: 'string' },
  raw: { type: 'boolean' },
  redact: { type: 'boolean' },
  'no-redact': { type: 'boolean' },
  ...pricesOptions,
  ...whereOptions,
  ...logOptions
} as const

export const exportLog: Command = {
  usage:
    'export FILE [-o OUT] [--to jsonl|md|html] [--raw] [--redact|--no-redact] [--where QUERY] [--prices FILE] [--single] [--format ID]',
  summary: 'export a session as JSONL, as a report, or as a web page',
  details: [
    '--to jsonl   normalized events, one per line (the default)',
    '--to md      a report in Markdown',
    '--to html    one page that shows the session in any browser, offline',
    '--raw        add the original line to each event (jsonl only)',
    '--redact     remove secrets. Reports and pages always do, unless --no-redact is given',
    whereDetails('events'),
    pricesDetails,
    '',
    ...fileDetails
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const { to, raw, redacts } = formOf(values.to ?? 'jsonl', values)
    // A script's empty variable must not mean the current folder.
    if (values.output === '') throw new UsageError('-o needs a path')
    const where = whereOf(values)
    const source = await logOf(positionals, values, environment)
    // A page shows lines of any format.
    if (to !== 'html') await refuseUnknown(source)
    if (to === 'jsonl') keepMemorySteady()
    const prices = to === 'jsonl' ? null : await pricesOf(values, environment)
    const events = await eventsWhere(source, where, environment)
    const write = await writers[to](environment)
    const progress = new Progress(environment, 'exporting', values.output === undefined)
    const redactor = redacts ? new Redactor() : null
    const read = (bytes: number, all: number): void => progress.at(bytes, all)
    const request = { source, raw, redactor, prices, events, bookmarks: [], read }
    const report = (log: Exported): number => {
      progress.end()
      const exit = sayNotes(log, environment)
      if (redactor !== null) sayRedacted(redactor, environment)
      return exit
    }
    if (values.output === undefined) {
      try {
        return report(await write(new Output(environment.stdout), request))
      } finally {
        progress.end()
      }
    }
    const target = await outputFile(values.output, source.path)
    try {
      const log = await write(target.output, request)
      const exit = report(log)
      await target.finish()
      say(environment, `${log.what} written to ${values.output}`)
      return exit
    } catch (error) {
      progress.end()
      await target.discard()
      throw error
    }
  }
}

/** `2 secrets redacted (1 GitHub token, 1 password)`. */
function sayRedacted({ total, counts }: Redactor, environment: Environment): void {
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`)
  if (total > 0) say(environment, `${total} ${total === 1 ? 'secret' : 'secrets'} redacted (${kinds.join(', ')})`)
}

const forms = ['jsonl', 'md', 'html'] as const
type Form = (typeof forms)[number]

const writers: Readonly<Record<Form, (environment: Environment) => Promise<WriteExport>>> = {
  jsonl: async () => writeJsonl,
  md: async () => writeReport,
  html: async ({ root, version, now }) =>
    pageWriter({ parts: await pageParts(join(root, 'out', 'shared')), version, now: now() })
}

/** Before anything is written: an empty export would suggest an empty session. */
async function refuseUnknown(source: RunOptions): Promise<void> {
  const run = await Run.open(source)
  await run.close()
  if (run.chosen.note !== null) throw new HostError('bad-params', unknownFormat(run.chosen.note))
}

interface Flags {
  readonly raw?: boolean | undefined
  readonly redact?: boolean | undefined
  readonly 'no-redact'?: boolean | undefined
}

/** Throws a `UsageError` for an unknown form and for options of another form. */
function formOf(word: string, { raw = false, redact = false, 'no-redact': keeps = false }: Flags): ExportChoice {
  const to = forms.find((form) => form === word)
  if (to === undefined) throw new UsageError(`--to ${word}: use one of ${forms.join(', ')}`)
  if (raw && to !== 'jsonl') throw new UsageError(`--raw cannot be used with --to ${to}`)
  if (redact && keeps) throw new UsageError('--redact and --no-redact cannot be combined')
  if (keeps && to === 'jsonl') throw new UsageError('--no-redact: JSONL is only redacted with --redact')
  return { to, raw, redacts: to === 'jsonl' ? redact : !keeps }
}

interface ExportChoice {
  readonly to: Form
  readonly raw: boolean
  readonly redacts: boolean
}
