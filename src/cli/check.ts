import { dirname, join } from 'node:path'
import { type Issue, issueAt, issueCodes, type IssueSeverity } from '#core/formats/issue.ts'
import type { ReadLine } from '#core/formats/folded-lines.ts'
import { parseJson } from '#core/formats/json-text.ts'
import type { LinePosition } from '#core/formats/log-format.ts'
import { repeatedNames } from '#core/formats/repeated-names.ts'
import { oneLine } from '#core/index/one-line.ts'
import { readLog } from '#backend/sources/read-log.ts'
import type { RunOptions } from '#backend/sources/run.ts'
import { type Command, exitFine, exitIssues, parseCommandLine } from './command.ts'
import { type Environment, say } from './environment.ts'
import { Output } from '#backend/export/output.ts'
import { sayNotes } from './log-notes.ts'
import { keepMemorySteady } from './steady-memory.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'
import type { Where } from './where.ts'
import { whereDetails, whereOf, whereOptions } from './where-option.ts'

const options = { json: { type: 'boolean' }, strict: { type: 'boolean' }, ...whereOptions, ...logOptions } as const

export const check: Command = {
  usage: 'check FILE [--json] [--strict] [--where QUERY] [--single] [--format ID]',
  summary:
    'validate a log and list every issue. Exit code 1: malformed lines or violations. 2: not a log of a known agent',
  details: ['--strict       exit code 1 for notices, too', whereDetails('issues of lines'), '', ...fileDetails],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const where = await whereOf(values)
    const source = await logOf(positionals, values, environment)
    keepMemorySteady()
    const wanted = where === null ? () => true : await linesWhere(where, source, environment)
    const check = values.json ? checkAsJson : checkAsText
    const checked = await check(source, wanted, environment)
    if (checked.exit !== exitFine) return checked.exit
    const counted = checked.malformed + checked.violation + (values.strict === true ? checked.notice : 0)
    return counted > 0 ? exitIssues : exitFine
  }
}

type Counts = Record<IssueSeverity, number>

/** `exit`: from `sayNotes`. */
type Checked = Counts & { readonly exit: number }

/** `file`: another file of the run, relative to the log's folder. */
type FoundIssue = Issue & { readonly file?: string }

/** Whether the issues of a line are asked for. */
type IsWanted = (line: LinePosition) => boolean

async function linesWhere(where: Where, source: RunOptions, environment: Environment): Promise<IsWanted> {
  return await where.read(source, environment, async (log, query) => {
    const { rows } = log.index
    // The issues of a line are kept with one of its rows only, or are found later.
    const wanted = new Set<number | string>()
    for (const row of await log.rows(query)) wanted.add(nameOf(rows.place(row)))
    return (place) => wanted.has(nameOf(place))
  })
}

const nameOf = ({ file, offset }: LinePosition): number | string => (file === undefined ? offset : `${offset} ${file}`)

async function checkAsText(source: RunOptions, isWanted: IsWanted, environment: Environment): Promise<Checked> {
  const output = new Output(environment.stdout)
  const tally = new Tally(isWanted, ({ file, line, code, path, message }) => {
    const place = file === undefined ? source.path : oneLine(join(dirname(source.path), file))
    output.line(`${place}:${line}: ${code} ${oneLine(path ?? '-')} ${oneLine(message)}`)
  })
  const visitor = {
    line: (line: ReadLine) => tally.add(line),
    pause: async () => {
      await output.flush()
      return true
    }
  }
  const log = await readLog(source, visitor)
  const { malformed, violation, notice } = tally.counts
  const exit = sayNotes(log, environment)
  const beside = log.files.length === 0 ? '' : `, with ${counted(log.files.length, 'file')} of its agents`
  say(
    environment,
    `${log.lines} lines, ${tally.recordsOf(undefined)} records${beside}, ${log.events} events: ` +
      `${malformed} malformed, ${violation} violations, ${notice} notices`
  )
  return { ...tally.counts, exit }
}

async function checkAsJson(source: RunOptions, isWanted: IsWanted, environment: Environment): Promise<Checked> {
  const issues: FoundIssue[] = []
  const tally = new Tally(isWanted, (issue) => issues.push(issue))
  const log = await readLog(source, { line: (line) => tally.add(line) })
  const exit = sayNotes(log, environment)
  const output = new Output(environment.stdout)
  const { bytes, lines, events } = log
  const records = tally.recordsOf(undefined)
  const files = log.files.map((file) => ({ ...file, records: tally.recordsOf(file.name) }))
  const found = { file: source.path, format: log.format.id, bytes, lines, records, events }
  const head = JSON.stringify(files.length === 0 ? found : { ...found, files })
  // In pieces: all issues of a large log may exceed the longest string.
  output.write(`${head.slice(0, -1)},"issues":[`)
  for (const [i, issue] of issues.entries()) {
    output.write(`${i === 0 ? '' : ','}${JSON.stringify(issue)}`)
    if (output.isFull) await output.flush()
  }
  output.line(']}')
  await output.flush()
  return { ...tally.counts, exit }
}

class Tally {
  readonly counts: Counts = { malformed: 0, violation: 0, notice: 0 }
  /** By file: how many lines hold a JSON value. */
  readonly #records = new Map<string | undefined, number>()
  readonly #isWanted: IsWanted
  readonly #onIssue: (issue: FoundIssue) => void

  constructor(isWanted: IsWanted, onIssue: (issue: FoundIssue) => void) {
    this.#isWanted = isWanted
    this.#onIssue = onIssue
  }

  recordsOf(file: string | undefined): number {
    return this.#records.get(file) ?? 0
  }

  add({ at, text, blank, issues }: ReadLine): void {
    const isMalformed = issues.some(({ code }) => issueCodes[code].severity === 'malformed')
    // The issue of a damaged line may be at a whole record in it.
    const isRecord = !blank && (!isMalformed || parseJson(text).ok)
    const all = isRecord ? [...issues, ...repeatedNames(text)] : issues
    for (const draft of all.length > 0 && this.#isWanted(at) ? all : []) {
      const issue = issueAt(at, draft)
      this.counts[issue.severity]++
      this.#onIssue(at.file === undefined ? issue : { file: at.file, ...issue })
    }
    if (!isRecord) return
    this.#records.set(at.file, this.recordsOf(at.file) + 1)
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
