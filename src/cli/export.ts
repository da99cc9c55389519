import type { AgentEvent } from '#core/events/agent-event.ts'
import { type LinePart, normalizedLine, normalizedParts } from '#core/export/normalized-jsonl.ts'
import type { ReadLine } from '#core/formats/line-folder.ts'
import type { FoldedEvent } from '#core/formats/log-format.ts'
import { LeftOutOfLog } from '#backend/indexer/left-out.ts'
import { type BytesOf, type LogVisitor, readLog } from '#backend/sources/read-log.ts'
import type { RunOptions } from '#backend/sources/run.ts'
import { sayNotes } from './check.ts'
import { type Command, exitFine, logOf, logOptions, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { exportHtml } from './export-html.ts'
import type { WriteExport } from './export-target.ts'
import { Output } from './output.ts'
import { outputFile } from './output-file.ts'
import { readInThreads } from './read-in-threads.ts'

const options = {
  output: { type: 'string', short: 'o' },
  to: { type: 'string' },
  raw: { type: 'boolean' },
  'no-redact': { type: 'boolean' },
  ...logOptions
} as const

export const exportLog: Command = {
  usage: 'export FILE [-o OUT] [--to jsonl|html] [--raw] [--no-redact] [--single] [--format ID]',
  summary:
    'the run as normalized JSONL, one event a line (--raw adds the exact line each came from), or as one page that shows it in any ' +
    'browser, offline (html), without the secrets that were found in it unless --no-redact',
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const source = logOf(positionals, values)
    const { write, ...chosen } = writerOf(values.to ?? 'jsonl', values)
    if (values.output === undefined) {
      await write(new Output(environment.stdout), { source, ...chosen }, environment)
      return exitFine
    }
    const target = await outputFile(values.output, source.path)
    try {
      const written = await write(target.output, { source, ...chosen }, environment)
      await target.finish()
      say(environment, `${written} written to ${values.output}`)
    } catch (error) {
      await target.discard()
      throw error
    }
    return exitFine
  }
}

const exportJsonl: WriteExport = async (output, { source, raw }, environment) =>
  `${await exportTo(output, source, raw, environment)} events`

const writers: Readonly<Record<string, WriteExport>> = { jsonl: exportJsonl, html: exportHtml }

interface Asked {
  readonly raw?: boolean | undefined
  readonly 'no-redact'?: boolean | undefined
}

/** Throws a `UsageError` for what is no kind of export, and for options of another kind. */
function writerOf(to: string, { raw = false, 'no-redact': keeps = false }: Asked): Writer {
  const write = Object.hasOwn(writers, to) ? writers[to] : undefined
  if (write === undefined) throw new UsageError(`--to ${to}: there are ${Object.keys(writers).join(', ')}`)
  if (raw && to !== 'jsonl') throw new UsageError(`--raw adds lines to JSONL; it does not go with --to ${to}`)
  if (keeps && to === 'jsonl') throw new UsageError('--no-redact: nothing is redacted in JSONL')
  return { write, raw, redacts: !keeps }
}

interface Writer {
  readonly write: WriteExport
  readonly raw: boolean
  readonly redacts: boolean
}

/** A line on its way out: as one text, in parts, or a function where its log has to be read again. */
type Line = string | readonly LinePart[] | ((bytesOf: BytesOf) => Promise<string>)

async function exportTo(output: Output, source: RunOptions, raw: boolean, environment: Environment): Promise<number> {
  let lines: Line[] = []
  const leftOut = new LeftOutOfLog()
  const visitor: LogVisitor = {
    event(event, _seq, folded, line) {
      lines.push(raw ? rawLine(event, folded, line) : plainLine(event, folded, leftOut))
    },
    async pause(bytesOf) {
      for (const line of lines) write(output, typeof line === 'function' ? await line(bytesOf) : line)
      lines = []
      await output.flush()
      return true
    }
  }
  const log = await readLog(source, visitor, raw ? undefined : readInThreads(environment, leftOut))
  sayNotes(log, environment)
  return log.events
}

function write(output: Output, line: string | readonly LinePart[]): void {
  for (const part of typeof line === 'string' ? [line] : line) {
    if (typeof part === 'string') output.write(part)
    else output.bytes(part)
  }
  output.write('\n')
}

function plainLine(event: AgentEvent, folded: FoldedEvent, leftOut: LeftOutOfLog): Line {
  const left = leftOut.of(folded)
  if (left === null) return normalizedLine(event)
  if (left !== 'gone') return normalizedParts(event, left)
  return async (bytesOf) => normalizedLine(leftOut.wholeEvent(folded, await bytesOf(folded.at)))
}

function rawLine(event: AgentEvent, { at }: FoldedEvent, line: ReadLine | null): Line {
  if (line?.at.offset === at.offset && line.at.file === at.file) return normalizedLine(event, line.text)
  return async (bytesOf) => normalizedLine(event, textOf(await bytesOf(at)))
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
