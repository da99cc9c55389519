import { HostError } from '#contract/host-error.ts'
import { Run, type RunOptions } from '#backend/sources/run.ts'
import { unknownFormat } from './check.ts'
import { type Command, parseCommandLine, UsageError } from './command.ts'
import { say } from './environment.ts'
import { exportHtml } from './export-html.ts'
import { exportMd } from './export-md.ts'
import { exportJsonl } from './export-jsonl.ts'
import type { WriteExport } from './export-target.ts'
import { Output } from './output.ts'
import { outputFile } from './output-file.ts'
import { Progress } from './progress.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'

const options = {
  output: { type: 'string', short: 'o' },
  to: { type: 'string' },
  raw: { type: 'boolean' },
  redact: { type: 'boolean' },
  'no-redact': { type: 'boolean' },
  ...logOptions
} as const

export const exportLog: Command = {
  usage: 'export FILE [-o OUT] [--to jsonl|md|html] [--raw] [--redact|--no-redact] [--single] [--format ID]',
  summary: 'export a session as JSONL, as a report, or as a web page',
  details: [
    '--to jsonl   normalized events, one per line (the default)',
    '--to md      a report in Markdown',
    '--to html    one page that shows the session in any browser, offline',
    '--raw        add the original line to each event (jsonl only)',
    '--redact     remove secrets. Reports and pages always do, unless --no-redact is given',
    '',
    ...fileDetails
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const { write, ...chosen } = writerOf(values.to ?? 'jsonl', values)
    const source = await logOf(positionals, values, environment)
    // A page shows the lines of any file.
    if (write !== exportHtml) await refuseUnknown(source)
    const progress = new Progress(environment, 'exporting', values.output === undefined)
    const asked = { source, ...chosen, progress }
    if (values.output === undefined) {
      try {
        return (await write(new Output(environment.stdout), asked, environment)).exit
      } finally {
        progress.end()
      }
    }
    const target = await outputFile(values.output, source.path)
    try {
      const { what, exit } = await write(target.output, asked, environment)
      await target.finish()
      say(environment, `${what} written to ${values.output}`)
      return exit
    } catch (error) {
      progress.end()
      await target.discard()
      throw error
    }
  }
}

const writers: Readonly<Record<string, WriteExport>> = { jsonl: exportJsonl, md: exportMd, html: exportHtml }

/** Throws before anything is written: an empty file in the place of an export would say that the run was empty. */
async function refuseUnknown(source: RunOptions): Promise<void> {
  const run = await Run.open(source)
  await run.close()
  if (run.chosen.note !== null) throw new HostError('bad-params', unknownFormat(run.chosen.note))
}

interface Asked {
  readonly raw?: boolean | undefined
  readonly redact?: boolean | undefined
  readonly 'no-redact'?: boolean | undefined
}

/** Throws a `UsageError` for what is no kind of export, and for options of another kind. */
function writerOf(to: string, { raw = false, redact = false, 'no-redact': keeps = false }: Asked): Writer {
  const write = Object.hasOwn(writers, to) ? writers[to] : undefined
  if (write === undefined) throw new UsageError(`--to ${to}: use one of ${Object.keys(writers).join(', ')}`)
  if (raw && to !== 'jsonl') throw new UsageError(`--raw cannot be used with --to ${to}`)
  if (redact && keeps) throw new UsageError('--redact and --no-redact cannot be combined')
  if (keeps && to === 'jsonl') throw new UsageError('--no-redact: JSONL is only redacted with --redact')
  return { write, raw, redacts: to === 'jsonl' ? redact : !keeps }
}

interface Writer {
  readonly write: WriteExport
  readonly raw: boolean
  readonly redacts: boolean
}
