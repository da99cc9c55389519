import { type Issue, issueAt, issueCodes, type IssueSeverity } from '#core/formats/issue.ts'
import type { ReadLine } from '#core/formats/log-reader.ts'
import { oneLine } from '#core/index/one-line.ts'
import { type ReadLog, readLog } from '#backend/sources/read-log.ts'
import { type Command, exitFine, exitIssues, oneFile, parseCommandLine } from './command.ts'
import { type Environment, say } from './environment.ts'
import { Output } from './output.ts'

const options = { json: { type: 'boolean' }, format: { type: 'string' } } as const

export const check: Command = {
  usage: 'check FILE [--json] [--format ID]',
  summary: 'what is wrong with a log, line by line; exit code 1 if there is anything malformed or in violation',
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const file = oneFile(positionals)
    const checked = values.json
      ? await checkAsJson(file, values.format ?? null, environment)
      : await checkAsText(file, values.format ?? null, environment)
    return checked.malformed + checked.violation > 0 ? exitIssues : exitFine
  }
}

type Counts = Record<IssueSeverity, number>

async function checkAsText(file: string, format: string | null, environment: Environment): Promise<Counts> {
  const output = new Output(environment.stdout)
  const tally = new Tally((issue) =>
    output.line(`${file}:${issue.line}: ${issue.code} ${oneLine(issue.path ?? '-')} ${oneLine(issue.message)}`)
  )
  const log = await readLog(file, format, {
    line: (line) => tally.add(line),
    pause: async () => {
      await output.flush()
      return true
    }
  })
  const { malformed, violation, notice } = tally.counts
  sayFormat(log, environment)
  say(
    environment,
    `${log.lines} lines, ${tally.records} records, ${log.events} events: ` +
      `${malformed} malformed, ${violation} in violation, ${notice} notices`
  )
  return tally.counts
}

async function checkAsJson(file: string, format: string | null, environment: Environment): Promise<Counts> {
  const issues: Issue[] = []
  const tally = new Tally((issue) => issues.push(issue))
  const log = await readLog(file, format, { line: (line) => tally.add(line) })
  sayFormat(log, environment)
  const output = new Output(environment.stdout)
  const { bytes, lines, events } = log
  const head = JSON.stringify({ file, format: log.format.id, bytes, lines, records: tally.records, events })
  // Piece by piece: all issues of a large log may be more than one string can hold.
  output.write(`${head.slice(0, -1)},"issues":[`)
  for (const [i, issue] of issues.entries()) {
    output.write(`${i === 0 ? '' : ','}${JSON.stringify(issue)}`)
    if (output.isFull) await output.flush()
  }
  output.line(']}')
  await output.flush()
  return tally.counts
}

/** Counts what the lines of a log are. */
class Tally {
  readonly counts: Counts = { malformed: 0, violation: 0, notice: 0 }
  /** Lines that hold a JSON value. */
  records = 0
  readonly #onIssue: (issue: Issue) => void

  constructor(onIssue: (issue: Issue) => void) {
    this.#onIssue = onIssue
  }

  add({ at, blank, issues }: ReadLine): void {
    for (const draft of issues) {
      const issue = issueAt(at, draft)
      this.counts[issue.severity]++
      this.#onIssue(issue)
    }
    if (!blank && !issues.some(({ code }) => issueCodes[code].severity === 'malformed')) this.records++
  }
}

/** Why a log was not understood, for those who see only its data. */
export function sayFormat({ note }: ReadLog, environment: Environment): void {
  if (note !== null) say(environment, `no log format recognised: ${note}`)
}
