import { normalizedLine } from '#core/export/normalized-jsonl.ts'
import { type BytesOf, readLog } from '#backend/sources/read-log.ts'
import type { RunOptions } from '#backend/sources/run.ts'
import { sayNotes } from './check.ts'
import { type Command, exitFine, logOf, logOptions, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { Output } from './output.ts'
import { outputFile } from './output-file.ts'

const options = {
  output: { type: 'string', short: 'o' },
  to: { type: 'string' },
  raw: { type: 'boolean' },
  ...logOptions
} as const

export const exportLog: Command = {
  usage: 'export FILE [-o OUT] [--to jsonl] [--raw] [--single] [--format ID]',
  summary: 'the run as normalized JSONL, one event a line; --raw adds the exact line each came from',
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const source = logOf(positionals, values)
    refuseOther(values.to ?? 'jsonl')
    const raw = values.raw ?? false
    if (values.output === undefined) {
      await exportTo(new Output(environment.stdout), source, raw, environment)
      return exitFine
    }
    const target = await outputFile(values.output, source.path)
    try {
      const events = await exportTo(target.output, source, raw, environment)
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

async function exportTo(output: Output, source: RunOptions, raw: boolean, environment: Environment): Promise<number> {
  /** Lines on their way out; a function where the text of an earlier line has to be read again. */
  let lines: (string | ((bytesOf: BytesOf) => Promise<string>))[] = []
  const log = await readLog(source, {
    event(event, _seq, { at }, line) {
      if (!raw) lines.push(normalizedLine(event))
      else if (line?.at.offset === at.offset && line.at.file === at.file) lines.push(normalizedLine(event, line.text))
      else lines.push(async (bytesOf) => normalizedLine(event, textOf(await bytesOf(at))))
    },
    async pause(bytesOf) {
      for (const line of lines) output.line(typeof line === 'string' ? line : await line(bytesOf))
      lines = []
      await output.flush()
      return true
    }
  })
  sayNotes(log, environment)
  return log.events
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
