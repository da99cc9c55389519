import { type ComparedRow, type Comparison, isDifference } from '#core/compare/compare-sessions.ts'
import type { RunComparison } from '#core/compare/compare-runs.ts'
import type { Step } from '#core/compare/step.ts'
import { comparedCost, comparedFigures, type ComparedTotals } from '#core/compare/compared-figures.ts'
import { costJson } from '#core/requests/cost.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import { oneLine } from '#core/index/one-line.ts'
import { Output } from '#backend/export/output.ts'
import { compareRead, type ReadRun, type ReadSession, readComparedRun } from '#backend/compare/read-compared-run.ts'
import type { RunOptions } from '#backend/sources/run.ts'
import { type Command, exitFine, exitIssues, exitUsage, parseCommandLine, UsageError } from './command.ts'
import type { Environment } from './environment.ts'
import { sayNotes } from './log-notes.ts'
import { pricesDetails, pricesOf, pricesOptions } from './prices-option.ts'
import { Progress } from './progress.ts'
import { keepMemorySteady } from './steady-memory.ts'
import { padded } from './text-columns.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'
import { groupedText } from '#core/measure-text.ts'

const options = { json: { type: 'boolean' }, summary: { type: 'boolean' }, ...pricesOptions, ...logOptions } as const

/** Rows shown around a difference. */
const context = 3
/** More sessions are compared one after the other with the baseline, so memory is not the limit; a table is. */
const maxSessions = 100

export const diff: Command = {
  usage: 'diff A B… [--summary | --json] [--prices FILE] [--single] [--format ID]',
  summary: 'compare what two sessions did, step by step',
  details: [
    'A is the baseline. With several B, each is compared with A, and only the table is printed.',
    '--summary  Print only the table of totals.',
    '--json     Print one JSON object: the totals, and sections of rows with event numbers (docs/compare.md).',
    pricesDetails,
    'Exit codes: 0 the same path, 1 different paths, 2 wrong use, or a file could not be read.',
    '',
    ...fileDetails
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    if (positionals.length < 2) throw new UsageError('give two sessions to compare: A and B')
    if (positionals.length > maxSessions) throw new UsageError(`give at most ${maxSessions} sessions`)
    if (values.json && values.summary) throw new UsageError('use one of --json and --summary')
    const prices = await pricesOf(values, environment)
    const sources: RunOptions[] = []
    for (const file of positionals) sources.push(await logOf([file], values, environment))
    keepMemorySteady()
    const [first, ...others] = sources
    if (first === undefined) throw new UsageError('give two sessions to compare: A and B')
    const read: ReadRun = async (source, folder) => await readSession(source, folder, environment)
    const base = await read(first, null)
    const shownBase = { path: first.path, totals: base.steps.totals }
    const compared: Compared[] = []
    const exits = [sayNotes(base, environment)]
    const output = new Output(environment.stdout)
    for (const source of others) {
      const session = await read(source, null)
      exits.push(sayNotes(session, environment))
      const comparison = await compareRead(base, session, { a: read, b: read })
      compared.push({ path: source.path, totals: comparison.b, comparison })
    }
    const [only] = compared
    if (values.json) for (const one of compared) output.line(json(shownBase, one, prices))
    else {
      for (const line of summaryLines(shownBase, compared, prices)) output.line(line)
      if (compared.length === 1 && !values.summary && only !== undefined) {
        for (const line of rowLines(only.comparison.steps)) {
          output.line(line)
          if (output.isFull) await output.flush()
        }
      }
    }
    await output.flush()
    if (exits.includes(exitUsage)) return exitUsage
    return compared.every(({ comparison }) => comparison.steps.firstDifference === null) ? exitFine : exitIssues
  }
}

interface SessionFigures {
  readonly path: string
  readonly totals: ComparedTotals
}
interface Compared extends SessionFigures {
  readonly comparison: RunComparison
}

async function readSession(source: RunOptions, folder: string | null, environment: Environment): Promise<ReadSession> {
  const progress = new Progress(environment, 'reading', true)
  return await readComparedRun(source, folder, (bytes, all) => progress.at(bytes, all)).finally(() => progress.end())
}

function summaryLines(
  base: SessionFigures,
  compared: readonly Compared[],
  prices: PriceTable | null
): readonly string[] {
  const isOne = compared.length === 1
  const heads = ['', 'A', ...compared.flatMap((_, i) => (isOne ? ['B', 'B against A'] : [`B${i + 1}`, 'against A']))]
  const table = [
    heads,
    ...comparedFigures(prices).map(({ name, text, change }) => [
      name,
      text(base.totals),
      ...compared.flatMap(({ totals }) => [text(totals), change(base.totals, totals)])
    ]),
    ['last answer', '', ...compared.flatMap(({ comparison }) => [answerText(comparison), ''])]
  ]
  const widths = heads.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)))
  const names = compared.map(({ path }, i) => `B${isOne ? '' : i + 1}  ${oneLine(path, 1000)}`)
  const lines = table.map((cells) => cells.map((cell, column) => padded(cell, widths[column] ?? 0)).join('  '))
  const steps = compared.map(
    ({ comparison }, i) => `steps${isOne ? '' : ` of B${i + 1}`}  ${stepsText(comparison.steps)}`
  )
  return [`A  ${oneLine(base.path, 1000)}`, ...names, '', ...lines.map((line) => line.trimEnd()), '', ...steps]
}

function answerText({ lastAnswer: { same } }: RunComparison): string {
  if (same === null) return 'none in A or B'
  return same ? 'the same' : 'differs'
}

function stepsText({ counts }: Comparison): string {
  const words = [
    `${groupedText(counts.same)} the same`,
    ...(counts.changed > 0 ? [`${groupedText(counts.changed)} changed`] : []),
    ...(counts['only-a'] > 0 ? [`${groupedText(counts['only-a'])} only in A`] : []),
    ...(counts['only-b'] > 0 ? [`${groupedText(counts['only-b'])} only in B`] : []),
    // A moved step has a row on each side.
    ...(counts.moved > 0 ? [`${groupedText(counts.moved / 2)} moved`] : [])
  ]
  return words.join(', ')
}

const signs: Readonly<Record<ComparedRow['class'], string>> = {
  same: '=',
  changed: '≠',
  'only-a': 'A',
  'only-b': 'B',
  moved: '↕'
}

function* rowLines({ sections, firstDifference }: Comparison): Generator<string> {
  if (firstDifference === null) {
    yield ''
    yield 'The paths are the same.'
    return
  }
  for (const { a, b, rows } of sections) {
    const isShown = new Uint8Array(rows.length)
    for (const [place, row] of rows.entries())
      if (isDifference(row)) isShown.fill(1, Math.max(0, place - context), place + context + 1)
    yield ''
    yield sectionName(a?.trackId, b?.trackId)
    let folded = 0
    for (const [place, row] of rows.entries()) {
      if (isShown[place] === 0) {
        folded++
        continue
      }
      if (folded > 0) yield foldedText(folded)
      folded = 0
      yield rowLine(row)
    }
    if (folded > 0) yield foldedText(folded)
  }
}

function foldedText(rows: number): string {
  return `  … ${groupedText(rows)} ${rows === 1 ? 'row' : 'rows'} without a difference`
}

function sectionName(a: string | null | undefined, b: string | null | undefined): string {
  if (a === null || b === null) return 'main agent'
  return `subagent ${[a, b]
    .filter((id) => id !== undefined)
    .map((id) => oneLine(id, 80))
    .join(' and ')}`
}

function rowLine({ a, b, class: found, result, other }: ComparedRow): string {
  const step = a ?? b
  if (step === null) return ''
  const events = `${(a === null ? '' : String(a.seq)).padStart(7)} ${(b === null ? '' : String(b.seq)).padStart(7)}`
  const change = found === 'changed' && b !== null && b.target !== step.target ? ` → ${oneLine(b.target, 100)}` : ''
  const notes = [other === null ? '' : `at ${a === null ? 'A' : 'B'} ${other.seq}`, resultText(result)].filter(
    (text) => text !== ''
  )
  return `  ${signs[found]} ${events}  ${padded(nameOf(step), 8)}  ${oneLine(step.target, 100)}${change}${notes.length === 0 ? '' : `  [${notes.join(', ')}]`}`
}

function nameOf({ kind, tool }: Step): string {
  return kind === 'call' ? oneLine(tool, 40) : kind
}

function resultText(result: ComparedRow['result']): string {
  switch (result) {
    case 'a-failed':
      return 'failed in A'
    case 'b-failed':
      return 'failed in B'
    case 'both-failed':
      return 'failed in both'
    default:
      return ''
  }
}

function totalsJson(totals: ComparedTotals, prices: PriceTable | null) {
  const { costUsd: _stated, spent: _by, ...rest } = totals
  return { ...rest, cost: costJson(comparedCost(totals, prices)) }
}

/** One object: `{summary, sections: [{a, b, rows: [{a, b, class, file, result}]}]}`; `a` and `b` of a row are event numbers. */
function json(base: SessionFigures, { path, comparison }: Compared, prices: PriceTable | null): string {
  const { a, b, steps, files, todos, lastAnswer } = comparison
  const { sections, counts, firstDifference } = steps
  const first = firstDifference === null ? null : sections[firstDifference.section]?.rows[firstDifference.row]
  return JSON.stringify({
    summary: {
      a: { file: base.path, ...totalsJson(a, prices) },
      b: { file: path, ...totalsJson(b, prices) },
      steps: { ...counts, moved: counts.moved / 2 },
      same: firstDifference === null,
      firstDifference:
        first === null || first === undefined ? null : { a: first.a?.seq ?? null, b: first.b?.seq ?? null },
      files: {
        onlyA: files.flatMap((file) => (file.b === null ? file.path : [])),
        both: files.flatMap((file) => (file.a !== null && file.b !== null ? file.path : [])),
        onlyB: files.flatMap((file) => (file.a === null ? file.path : []))
      },
      todos,
      lastAnswer
    },
    sections: sections.map(({ rows, ...tracks }) => ({
      ...tracks,
      rows: rows.map((row) => ({
        a: row.a?.seq ?? null,
        b: row.b?.seq ?? null,
        class: row.class,
        ...filesOf(row),
        ...(row.result === null ? undefined : { result: row.result }),
        ...(row.other === null ? undefined : { other: row.other.seq })
      }))
    }))
  })
}

/** The file of a call that is about one; of a pair with two, both. */
function filesOf({ a, b }: ComparedRow): { file?: string; fileOfB?: string } {
  const [file, second] = [a?.file ?? b?.file ?? null, b?.file ?? null]
  if (file === null) return {}
  return second === null || second === file ? { file } : { file, fileOfB: second }
}
