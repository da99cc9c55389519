import { compareSessions, type ComparedRow, type Comparison, isDifference } from '#core/compare/compare-sessions.ts'
import { ComparedRun, type SessionTotals } from '#core/compare/compared-run.ts'
import type { Step } from '#core/compare/step.ts'
import { todoPairs } from '#core/compare/todo-pairs.ts'
import { costText, countText, durationText } from '#core/measure-text.ts'
import { oneLine } from '#core/index/one-line.ts'
import { Output } from '#backend/export/output.ts'
import { Run, type RunOptions } from '#backend/sources/run.ts'
import { type Command, exitFine, exitIssues, exitUsage, parseCommandLine, UsageError } from './command.ts'
import type { Environment } from './environment.ts'
import { sayNotes } from './log-notes.ts'
import { Progress } from './progress.ts'
import { keepMemorySteady } from './steady-memory.ts'
import { padded } from './text-columns.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'

const options = { json: { type: 'boolean' }, summary: { type: 'boolean' }, ...logOptions } as const

/** Rows shown around a difference. */
const context = 3
/** More sessions are compared one after the other with the baseline, so memory is not the limit; a table is. */
const maxSessions = 100

export const diff: Command = {
  usage: 'diff A B… [--summary | --json] [--single] [--format ID]',
  summary: 'compare what two sessions did, step by step',
  details: [
    'A is the baseline. With several B, each is compared with A, and only the table is printed.',
    '--summary  Print only the table of totals.',
    '--json     Print one JSON object: the totals, and sections of rows with event numbers (docs/compare.md).',
    'Exit codes: 0 the same path, 1 different paths, 2 wrong use, or a file could not be read.',
    '',
    ...fileDetails
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    if (positionals.length < 2) throw new UsageError('give two sessions to compare: A and B')
    if (positionals.length > maxSessions) throw new UsageError(`give at most ${maxSessions} sessions`)
    if (values.json && values.summary) throw new UsageError('use one of --json and --summary')
    const sources: RunOptions[] = []
    for (const file of positionals) sources.push(await logOf([file], values, environment))
    keepMemorySteady()
    const [first, ...others] = sources
    if (first === undefined) throw new UsageError('give two sessions to compare: A and B')
    const base = await readSession(first, environment)
    const compared: Compared[] = []
    const exits = [base.exit]
    const output = new Output(environment.stdout)
    for (const source of others) {
      const session = await readSession(source, environment)
      exits.push(session.exit)
      const comparison = compareSessions(base.run.session, session.run.session)
      compared.push({ path: source.path, totals: session.run.totals, comparison })
    }
    const [only] = compared
    const totals = { path: first.path, totals: base.run.totals }
    if (values.json) for (const one of compared) output.line(json(totals, one))
    else {
      for (const line of summaryLines(totals, compared)) output.line(line)
      if (compared.length === 1 && !values.summary && only !== undefined) {
        for (const line of rowLines(only.comparison)) {
          output.line(line)
          if (output.isFull) await output.flush()
        }
      }
    }
    await output.flush()
    if (exits.includes(exitUsage)) return exitUsage
    return compared.every(({ comparison }) => comparison.firstDifference === null) ? exitFine : exitIssues
  }
}

interface SessionFigures {
  readonly path: string
  readonly totals: SessionTotals
}
interface Compared extends SessionFigures {
  readonly comparison: Comparison
}

async function readSession(
  source: RunOptions,
  environment: Environment
): Promise<{ readonly run: ComparedRun; readonly exit: number }> {
  const progress = new Progress(environment, 'reading', true)
  const opened = await Run.open(source)
  try {
    const run = new ComparedRun(opened.format)
    const sizes = await Promise.all(opened.files.map((file) => file.source.size()))
    const all = sizes.reduce((sum, size) => sum + size, 0)
    for await (const _ of opened.feed(opened.reader(run))) {
      const read = opened.files.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
      progress.at(read, all)
    }
    progress.end()
    const { chosen, notes, unread } = opened
    return { run, exit: sayNotes({ note: chosen.note, notes, unread }, environment) }
  } finally {
    progress.end()
    await opened.close()
  }
}

/** A figure of both sessions. `value`: what is subtracted; null: unknown. */
interface Figure {
  readonly name: string
  readonly value: (totals: SessionTotals) => number | null
  readonly text: (value: number, totals: SessionTotals) => string
  /** In place of "unknown". */
  readonly none?: string
}

const plain = (value: number): string => value.toLocaleString('en-US')

const figures: readonly Figure[] = [
  { name: 'time', value: ({ times }) => times?.wallMs ?? null, text: durationText },
  { name: 'active time', value: ({ times }) => times?.activeMs ?? null, text: durationText },
  { name: 'turns', value: ({ turns }) => turns, text: plain },
  { name: 'calls', value: ({ calls }) => calls, text: plain },
  { name: 'failed calls', value: ({ failedCalls }) => failedCalls, text: plain },
  { name: 'tokens in', value: ({ inputTokens }) => inputTokens, text: countText },
  {
    name: 'tokens out',
    value: ({ outputTokens }) => outputTokens,
    text: (value, { outputAtLeast }) => `${outputAtLeast ? 'at least ' : ''}${countText(value)}`
  },
  { name: 'cost', value: ({ costUsd }) => costUsd, text: costText },
  {
    name: 'todos done',
    none: 'no list',
    value: ({ todosDone }) => todosDone,
    text: (value, { todosTotal }) => `${value} of ${todosTotal ?? value}`
  },
  { name: 'files changed', value: ({ changedFiles }) => changedFiles.size, text: plain }
]

/** "+6", "−1m 52s"; empty where a side is unknown or is a lower bound. */
function changeText({ name, value, text }: Figure, a: SessionTotals, b: SessionTotals): string {
  const [one, other] = [value(a), value(b)]
  if (one === null || other === null) return ''
  if (name === 'tokens out' && (a.outputAtLeast || b.outputAtLeast)) return ''
  const change = other - one
  if (change === 0) return '='
  const size = name === 'todos done' ? plain(Math.abs(change)) : text(Math.abs(change), { ...b, outputAtLeast: false })
  return `${change > 0 ? '+' : '−'}${size}`
}

function summaryLines(base: SessionFigures, compared: readonly Compared[]): readonly string[] {
  const heads = [
    '',
    'A',
    ...compared.flatMap((_, i) => (compared.length === 1 ? ['B', 'B against A'] : [`B${i + 1}`, 'against A']))
  ]
  const shown = (figure: Figure, totals: SessionTotals): string => {
    const value = figure.value(totals)
    return value === null ? (figure.none ?? 'unknown') : figure.text(value, totals)
  }
  const table = [
    heads,
    ...figures.map((figure) => [
      figure.name,
      shown(figure, base.totals),
      ...compared.flatMap(({ totals }) => [shown(figure, totals), changeText(figure, base.totals, totals)])
    ]),
    [
      'last answer',
      base.totals.lastAnswer === null ? 'none' : '',
      ...compared.flatMap(({ totals }) => [answerText(base.totals, totals), ''])
    ],
    ['steps', '', ...compared.flatMap(({ comparison }) => [stepsText(comparison), ''])]
  ]
  const widths = heads.map((_, column) =>
    Math.max(
      ...table.map((cells) => (cells[column] === undefined ? 0 : cells[0] === 'steps' ? 0 : cells[column].length))
    )
  )
  const names = [
    `A  ${oneLine(base.path, 1000)}`,
    ...compared.map(({ path }, i) => `B${compared.length === 1 ? '' : i + 1}  ${oneLine(path, 1000)}`)
  ]
  return [
    ...names,
    '',
    ...table.map((cells) =>
      cells
        .map((cell, column) => padded(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd()
    )
  ]
}

function answerText(a: SessionTotals, b: SessionTotals): string {
  if (b.lastAnswer === null) return 'none'
  return a.lastAnswer === b.lastAnswer ? 'the same' : 'differs'
}

function stepsText({ counts }: Comparison): string {
  const words = [
    `${plain(counts.same)} the same`,
    ...(counts.changed > 0 ? [`${plain(counts.changed)} changed`] : []),
    ...(counts['only-a'] > 0 ? [`${plain(counts['only-a'])} only in A`] : []),
    ...(counts['only-b'] > 0 ? [`${plain(counts['only-b'])} only in B`] : []),
    // A moved step has a row on each side.
    ...(counts.moved > 0 ? [`${plain(counts.moved / 2)} moved`] : [])
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
  return `  … ${plain(rows)} ${rows === 1 ? 'row' : 'rows'} without a difference`
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

/** One object: `{summary, sections: [{a, b, rows: [{a, b, class, result}]}]}`; `a` and `b` of a row are event numbers. */
function json(base: SessionFigures, { path, totals, comparison }: Compared): string {
  const { sections, counts, firstDifference } = comparison
  const [filesA, filesB] = [[...base.totals.changedFiles], [...totals.changedFiles]]
  const first = firstDifference === null ? null : sections[firstDifference.section]?.rows[firstDifference.row]
  return JSON.stringify({
    summary: {
      a: { file: base.path, ...figuresOf(base.totals) },
      b: { file: path, ...figuresOf(totals) },
      steps: { ...counts, moved: counts.moved / 2 },
      same: firstDifference === null,
      firstDifference:
        first === null || first === undefined ? null : { a: first.a?.seq ?? null, b: first.b?.seq ?? null },
      files: {
        onlyA: filesA.filter((file) => !totals.changedFiles.has(file)),
        both: filesA.filter((file) => totals.changedFiles.has(file)),
        onlyB: filesB.filter((file) => !base.totals.changedFiles.has(file))
      },
      todos: todosOf(base.totals.todos, totals.todos),
      lastAnswer: { same: base.totals.lastAnswer === totals.lastAnswer }
    },
    sections: sections.map(({ a, b, rows }) => ({
      a,
      b,
      rows: rows.map((row) => ({
        a: row.a?.seq ?? null,
        b: row.b?.seq ?? null,
        class: row.class,
        ...(row.result === null ? undefined : { result: row.result }),
        ...(row.other === null ? undefined : { other: row.other.seq })
      }))
    }))
  })
}

function figuresOf({
  times,
  turns,
  calls,
  failedCalls,
  inputTokens,
  outputTokens,
  outputAtLeast,
  costUsd,
  todosDone,
  todosTotal,
  changedFiles
}: SessionTotals) {
  return {
    wallMs: times?.wallMs ?? null,
    activeMs: times?.activeMs ?? null,
    ...{ turns, calls, failedCalls, inputTokens, outputTokens, outputAtLeast, costUsd, todosDone, todosTotal },
    filesChanged: changedFiles.size
  }
}

/** Each item of both final lists once, with its status in each; null: not in that list. */
function todosOf(a: SessionTotals['todos'], b: SessionTotals['todos']) {
  const pairs = todoPairs(
    a.map(({ text }) => text),
    b.map(({ text }) => text)
  )
  const paired = new Set(pairs)
  return [
    ...a.map(({ text, status }, place) => ({ text, a: status, b: b[pairs[place] ?? -1]?.status ?? null })),
    ...b.filter((_, place) => !paired.has(place)).map(({ text, status }) => ({ text, a: null, b: status }))
  ]
}
