import { Redactor } from '#core/export/redact.ts'
import { filePatch } from '#core/files/file-patch.ts'
import type { FormerContent } from '#core/files/run-contents.ts'
import { oneLine } from '#core/index/one-line.ts'
import { namesInFolder } from '#core/paths/path-names.ts'
import { Output } from '#backend/export/output.ts'
import { outputFile } from '#backend/export/output-file.ts'
import { type Command, exitFine, exitNothing, exitUsage, parseCommandLine, UsageError } from './command.ts'
import { say } from './environment.ts'
import { contentsAt, eventOf, saySecrets } from './file-contents.ts'
import { keepMemorySteady } from './steady-memory.ts'
import { isTerminal } from './terminal.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'
import { sayNotesOf, withLog } from './where.ts'

const options = {
  from: { type: 'string' },
  to: { type: 'string' },
  output: { type: 'string', short: 'o' },
  redact: { type: 'boolean' },
  ...logOptions
} as const

export const patch: Command = {
  usage: 'patch FILE [--from A] [--to B] [-o OUT] [--redact] [--single] [--format ID]',
  summary: 'print what an agent changed in files as a patch that git applies',
  details: [
    '--from A    Changes after event A. Without it: from the start of the session.',
    '--to B      Changes up to event B. Without it: to the end of the log.',
    '-o OUT      Write the patch to a file.',
    '--redact    Replace secrets. Such a patch may not apply.',
    "Paths are relative to the session's folder. Files that are not fully known on both sides are left out, and named on stderr.",
    'Exit codes: 0 fine, 1 files are left out or nothing changed, 2 wrong use, or the file could not be read.',
    '',
    ...fileDetails
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const source = await logOf(positionals, values, environment)
    keepMemorySteady()
    return await withLog(source, environment, async (log) => {
      const { events } = log.index.rows
      const from = eventOf('--from', values.from, events, -1)
      const to = eventOf('--to', values.to, events, Math.max(0, events - 1))
      if (from > to) throw new UsageError('--from is after --to')
      const { contents, problem } = await contentsAt(log, { from, at: to }, environment)
      if (problem !== null) say(environment, problem)
      const redactor = values.redact === true ? new Redactor() : null
      const counter = new Redactor()
      const folder = contents.files.sessionFolder
      const parts: string[] = []
      const leftOut: string[] = []
      for (const [file, former] of [...contents.former].sort(([a], [b]) => a - b)) {
        const path = contents.files.paths[file] ?? ''
        const content = contents.contents[file]
        const names = namesInFolder(path, folder) ?? []
        const reason = content === undefined ? 'its content is not known' : whyNot(names, former, content)
        if (reason !== null) {
          leftOut.push(`${oneLine(path, 200)}: ${reason}`)
          continue
        }
        const before = former?.exists === true ? former.text : null
        const after = content?.deleted === true ? null : (content?.text ?? null)
        const part = filePatch(names.join('/'), before, after)
        if (part === '') continue
        if (redactor === null) counter.text(part)
        parts.push(redactor?.text(part) ?? part)
      }
      const text = parts.join('')
      if (values.output !== undefined) {
        const target = await outputFile(values.output, source.path)
        target.output.bytes(new TextEncoder().encode(text))
        try {
          await target.output.flush()
          await target.finish()
        } catch (error) {
          await target.discard()
          throw error
        }
      } else {
        const output = new Output(environment.stdout)
        if (isTerminal(environment.stdout)) output.write(text)
        else output.bytes(new TextEncoder().encode(text))
        await output.flush()
      }
      for (const sentence of leftOut.slice(0, 100)) say(environment, sentence)
      if (leftOut.length > 100) say(environment, `${leftOut.length - 100} further files are left out`)
      if (parts.length === 0 && leftOut.length === 0) say(environment, 'no file changed')
      saySecrets(environment, (redactor ?? counter).total, redactor !== null)
      const notes = problem === null ? sayNotesOf(log, environment) : exitUsage
      if (notes !== exitFine) return notes
      return leftOut.length > 0 || parts.length === 0 ? exitNothing : exitFine
    })
  }
}

function whyNot(
  names: readonly string[],
  former: FormerContent,
  { deleted, isFull, tooLarge }: { deleted: boolean; isFull: boolean; tooLarge: boolean }
): string | null {
  if (names.length === 0) return "it is not in the session's folder"
  // Git refuses the whole patch.
  if (names.some((name) => name.toLowerCase() === '.git')) return 'Git refuses patches to its own files'
  if (tooLarge) return 'too large to be followed'
  if (former === null) return 'what it held before is not known'
  return deleted || isFull ? null : 'what it held after is not fully known'
}
