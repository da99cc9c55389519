import { Redactor } from '#core/export/redact.ts'
import type { FileContent } from '#core/files/file-content.ts'
import {
  authorText,
  confidenceOf,
  doubtText,
  type Knowledge,
  knowledgeOf,
  staleOf,
  unknownRanges
} from '#core/files/file-state.ts'
import type { RunContents } from '#core/files/run-contents.ts'
import type { Doubted, FileCounts } from '#core/files/run-files.ts'
import { oneLine } from '#core/index/one-line.ts'
import { isUnplaced } from '#core/paths/log-path.ts'
import { Output } from '#backend/export/output.ts'
import { FilesFolder } from '#backend/files/write-folder.ts'
import type { QueriedLog } from '#backend/query/queried-log.ts'
import { type Command, exitFine, exitNothing, exitUsage, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { contentsAt, eventOf, saySecrets } from './file-contents.ts'
import { keepMemorySteady } from './steady-memory.ts'
import { isTerminal } from './terminal.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'
import { sayNotesOf, withLog } from './where.ts'

const options = {
  at: { type: 'string' },
  json: { type: 'boolean' },
  path: { type: 'string' },
  blame: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  partial: { type: 'boolean' },
  redact: { type: 'boolean' },
  ...logOptions
} as const

export const files: Command = {
  usage: 'files FILE [--at SEQ] [--json] [--path P [--blame]] [-o DIR [--partial]] [--redact] [--single] [--format ID]',
  summary: 'list the files that an agent touched, or show what they held at an event',
  details: [
    '--at SEQ    The event to look at. Without it: the end of the log.',
    '--json      Print JSON lines: path, knowledge, created, deleted, edits, reads, lastSeq, stale.',
    '--path P    Print the content of one file. P may be the end of its path.',
    '--blame     With --path: the event that wrote each line, and how sure the line is.',
    '-o DIR      Write the known files into a new or empty folder, with MANIFEST.json.',
    '--partial   With -o: also files that are known in part; unknown lines are left out.',
    '--redact    With --path or -o: replace secrets.',
    'Contents come from the log alone (docs/files.md). Unknown is never guessed.',
    'Exit codes: 0 fine, 1 the file of --path is not fully known, 2 wrong use, or the file could not be read.',
    '',
    ...fileDetails
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    if (values.path !== undefined && values.output !== undefined)
      throw new UsageError('--path and -o cannot be combined')
    if (values.blame === true && values.path === undefined) throw new UsageError('--blame needs --path')
    if (values.partial === true && values.output === undefined) throw new UsageError('--partial needs -o')
    const source = await logOf(positionals, values, environment)
    keepMemorySteady()
    return await withLog(source, environment, async (log) => {
      const { events } = log.index.rows
      const at = eventOf('--at', values.at, events, Math.max(0, events - 1))
      const { contents, problem } = await contentsAt(log, { from: -1, at }, environment)
      if (problem !== null) say(environment, problem)
      const shown = new Shown(log, contents, at)
      const exit =
        values.path !== undefined
          ? await printFile(shown, values.path, values, environment)
          : values.output !== undefined
            ? await writeFiles(shown, values.output, values, environment)
            : await listFiles(shown, values.json === true, environment)
      if (shown.contents.files.further > 0)
        say(
          environment,
          `${shown.contents.files.further} further events about files are not told: there are too many files`
        )
      const notes = problem === null ? sayNotesOf(log, environment) : exitUsage
      return notes === exitFine ? exit : notes
    })
  }
}

interface ShownFile {
  readonly path: string
  readonly content: FileContent
  readonly counts: FileCounts
  readonly doubts: readonly Doubted[]
  readonly knowledge: Knowledge
  readonly stale: Doubted | null
}

/** The files at one event. */
class Shown {
  readonly contents: RunContents
  readonly #log: QueriedLog
  readonly #at: number
  readonly #counts: readonly (FileCounts | null)[]

  constructor(log: QueriedLog, contents: RunContents, at: number) {
    this.#log = log
    this.contents = contents
    this.#at = at
    this.#counts = contents.files.counts(log.index, at)
  }

  /** In the order of their first events. */
  *all(): Iterable<ShownFile> {
    for (const file of this.contents.files.paths.keys()) {
      const shown = this.file(file)
      if (shown !== null) yield shown
    }
  }

  file(file: number): ShownFile | null {
    const counts = this.#counts[file]
    const content = this.contents.contents[file]
    if (counts === null || counts === undefined || content === undefined) return null
    const doubts = this.contents.files.doubtsOf(this.#log.index, file, this.#at)
    const path = this.contents.files.paths[file] ?? ''
    return { path, content, counts, doubts, knowledge: knowledgeOf(content), stale: staleOf(content, doubts) }
  }
}

async function listFiles(shown: Shown, json: boolean, environment: Environment): Promise<number> {
  const output = new Output(environment.stdout)
  let any = false
  for (const { path, counts, knowledge, stale, content } of shown.all()) {
    any = true
    const { created, edits, reads, lastSeq } = counts
    if (json)
      output.line(
        JSON.stringify({
          ...{ path, knowledge, created, deleted: content.deleted, edits, reads, lastSeq },
          stale: stale === null ? null : { seq: stale.seq, cause: stale.effect }
        })
      )
    else {
      const state = content.deleted ? 'deleted' : knowledge
      const facts = [counted(reads, 'read'), counted(edits, 'edit')].filter((fact) => fact !== '').join(', ')
      const since = stale === null ? '' : `  stale since event ${stale.seq}: ${doubtText(stale)}`
      output.line(`${state.padEnd(7)}  ${oneLine(path, 4096)}  ${facts}${created ? ', created' : ''}${since}`)
    }
    if (output.isFull) await output.flush()
  }
  await output.flush()
  if (!any) say(environment, 'the log tells of no file')
  return exitFine
}

function counted(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`
}

interface Flags {
  readonly json?: boolean | undefined
  readonly blame?: boolean | undefined
  readonly partial?: boolean | undefined
  readonly redact?: boolean | undefined
}

async function printFile(shown: Shown, path: string, flags: Flags, environment: Environment): Promise<number> {
  const file = shown.contents.files.numberOf(path)
  const found = file < 0 ? null : shown.file(file)
  if (found === null) {
    say(environment, `${oneLine(path, 200)}: no file of this path, or of several; "playhead files FILE" lists them`)
    return exitNothing
  }
  const { content, knowledge, stale } = found
  const redactor = flags.redact === true ? new Redactor() : null
  const output = new Output(environment.stdout)
  if (flags.blame === true) printBlame(found, flags.json === true, redactor, output)
  else {
    const text = content.lines.flatMap((line) => (line === null ? [] : [line.text])).join('\n')
    const clean = redactor === null ? text : redactor.text(text)
    if (isTerminal(environment.stdout)) output.write(clean)
    else output.bytes(new TextEncoder().encode(clean))
  }
  await output.flush()
  if (redactor !== null) saySecrets(environment, redactor.total, true)
  if (stale !== null && knowledge !== 'none')
    say(environment, `${oneLine(found.path, 200)}: stale since event ${stale.seq}: ${doubtText(stale)}`)
  if (content.deleted) say(environment, `${oneLine(found.path, 200)}: deleted`)
  else if (knowledge !== 'full') say(environment, missingText(found))
  return knowledge === 'full' && !content.deleted ? exitFine : exitNothing
}

function missingText({ path, content }: ShownFile): string {
  const name = oneLine(path, 200)
  if (content.tooLarge) return `${name}: too large to be followed`
  const changed = content.unplaced === null ? '' : `; event ${content.unplaced} changed it in a way that is not known`
  const ranges = unknownRanges(content)
  if (content.knownLines === 0) return `${name}: the log shows nothing of its content${changed}`
  const words = ranges
    .slice(0, 20)
    .map(({ from, to }) => (to === null ? `from ${from} on` : to === from ? `${from}` : `${from} to ${to}`))
  const more = ranges.length > 20 ? `, and ${ranges.length - 20} further ranges` : ''
  return `${name}: lines that are not known: ${words.join(', ')}${more}${changed}`
}

function printBlame(
  { path, content, doubts }: ShownFile,
  json: boolean,
  redactor: Redactor | null,
  output: Output
): void {
  for (const [at, line] of content.lines.entries()) {
    if (line === null) {
      if (content.lines[at - 1] === null) continue
      let to = at + 1
      while (to < content.lines.length && content.lines[to] === null) to++
      output.line(json ? JSON.stringify({ line: at + 1, to, known: false }) : `${at + 1}-${to}  not known`)
      continue
    }
    const confidence = confidenceOf(line, path, doubts)
    const text = redactor === null ? line.text : redactor.text(line.text)
    const author = authorText(line.author)
    if (json) output.line(JSON.stringify({ line: at + 1, author, confidence, text }))
    else output.line(`${String(at + 1).padStart(5)}  ${author.padEnd(18)}  ${confidence.padEnd(7)}  ${text}`)
  }
}

/** Why a file was not written. */
type LeftOut =
  | 'deleted'
  | 'not fully known'
  | 'nothing known'
  | 'folder not known'
  | 'another file has this name, or a limit is reached'

async function writeFiles(shown: Shown, folder: string, flags: Flags, environment: Environment): Promise<number> {
  const target = await FilesFolder.create(folder, shown.contents.files.sessionFolder)
  const redactor = flags.redact === true ? new Redactor() : null
  const counter = new Redactor(() => false)
  const manifest: unknown[] = []
  let [written, leftOut] = [0, 0]
  for (const found of shown.all()) {
    const { path, content, knowledge, stale } = found
    const authors: Record<string, number> = {}
    for (const line of content.lines) {
      if (line === null) continue
      const word = line.author >= 0 ? 'session' : line.author === -1 ? 'before' : 'outside'
      authors[word] = (authors[word] ?? 0) + 1
    }
    const entry = { path, knowledge, stale: stale === null ? null : { seq: stale.seq, cause: stale.effect }, authors }
    const reason = whyNot(found, flags.partial === true)
    if (reason !== null) {
      leftOut++
      manifest.push({ ...entry, file: null, reason })
      continue
    }
    const text = content.lines.flatMap((line) => (line === null ? [] : [line.text])).join('\n')
    if (redactor === null) counter.text(text)
    const result = await target.write({ path, text: redactor?.text(text) ?? text })
    if (result.file === null) {
      leftOut++
      manifest.push({
        ...entry,
        file: null,
        reason: 'another file has this name, or a limit is reached' satisfies LeftOut
      })
    } else {
      written++
      const missing = knowledge === 'full' ? [] : unknownRanges(content)
      manifest.push({ ...entry, file: result.file, bytes: result.bytes, sha256: result.sha256, missing })
    }
  }
  await target.note('MANIFEST.json', `${JSON.stringify(manifest, null, 2)}\n`)
  const rest = leftOut === 0 ? '' : `, ${leftOut} not (MANIFEST.json says why)`
  say(environment, `${written} ${written === 1 ? 'file' : 'files'} written${rest}`)
  saySecrets(environment, (redactor ?? counter).total, redactor !== null)
  return exitFine
}

function whyNot({ path, content, knowledge }: ShownFile, partial: boolean): LeftOut | null {
  if (content.deleted) return 'deleted'
  if (knowledge === 'none') return 'nothing known'
  if (knowledge === 'part' && !partial) return 'not fully known'
  return isUnplaced(path) && !partial ? 'folder not known' : null
}
