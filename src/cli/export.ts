import { normalizedLine } from '#core/export/normalized-jsonl.ts'
import type { LogFile } from '#backend/sources/log-file.ts'
import { readLog } from '#backend/sources/read-log.ts'
import { sayFormat } from './check.ts'
import { type Command, exitFine, oneFile, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { Output } from './output.ts'
import { outputFile } from './output-file.ts'

const options = {
  output: { type: 'string', short: 'o' },
  to: { type: 'string' },
  raw: { type: 'boolean' },
  format: { type: 'string' }
} as const

export const exportLog: Command = {
  usage: 'export FILE [-o OUT] [--to jsonl] [--raw] [--format ID]',
  summary: 'the run as normalized JSONL, one event a line; --raw adds the exact line each came from',
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const file = oneFile(positionals)
    refuseOther(values.to ?? 'jsonl')
    const format = values.format ?? null
    const raw = values.raw ?? false
    if (values.output === undefined) {
      await exportTo(new Output(environment.stdout), file, format, raw, environment)
      return exitFine
    }
    const target = await outputFile(values.output, file)
    try {
      const events = await exportTo(target.output, file, format, raw, environment)
      await target.finish()
      say(environment, `${events} events written to ${values.output}`)
    } catch (error) {
      await target.discard()
      throw error
    }
    return exitFine
  }
}

function refuseOther(to: string): void {
  if (to === 'jsonl') return
  if (to === 'md' || to === 'html') throw new UsageError(`--to ${to} is not in this version; it writes jsonl`)
  throw new UsageError(`--to ${to}: there is only jsonl`)
}

async function exportTo(
  output: Output,
  file: string,
  format: string | null,
  raw: boolean,
  environment: Environment
): Promise<number> {
  /** Lines on their way out; a function where the text of an earlier line has to be read again. */
  let lines: (string | ((source: LogFile) => Promise<string>))[] = []
  const log = await readLog(file, format, {
    event(event, _seq, { at }, line) {
      if (!raw) lines.push(normalizedLine(event))
      else if (line?.at.line === at.line) lines.push(normalizedLine(event, line.text))
      else lines.push(async (source) => normalizedLine(event, textOf(await source.read(at.offset, at.length))))
    },
    async pause(source) {
      for (const line of lines) output.line(typeof line === 'string' ? line : await line(source))
      lines = []
      await output.flush()
      return true
    }
  })
  sayFormat(log, environment)
  return log.events
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
