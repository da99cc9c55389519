import type { LibraryFacets } from '#contract/library.ts'
import type { Finding, LogStatus } from '#contract/methods.ts'
import { type RowKind, rowKinds, typeOfKind } from '#core/index/row-kind.ts'
import { findingRules, ruleNames, type RuleName } from '#core/findings/finding.ts'
import type { Query } from '#core/query/query.ts'
import type { QueryKey } from '#core/query/query-keys.ts'
import { hitAt } from '../../stores/find-hits.ts'
import { sessionStates } from '#core/library/session-card.ts'
import { projectTerms } from '../../stores/library-choice.ts'
import { toolKinds } from '#core/formats/agent.ts'
import { type LogColumns, severityNames } from '../../stores/log-columns.ts'

/** A value that a key can have. `count`: rows with it, of those shown; null: unknown. */
export interface QueryValueOption {
  readonly name: string
  readonly count: number | null
}

/** The members of a status that name values. */
export const namingMembers = ['tools', 'tracks', 'model', 'agent', 'format'] as const
type NamingStatus = Pick<LogStatus, (typeof namingMembers)[number]>

type FoundRows = Pick<Finding, 'rule' | 'rows'>

interface CountedLog {
  readonly columns: LogColumns
  readonly status: NamingStatus
  /** Null: not loaded. */
  readonly findings: readonly FoundRows[] | null
  /** Null: all rows. */
  readonly shown: Uint32Array | null
}

/** The rows of each value of a key; a value that is not there is unknown. Null: not counted. */
export type ValueCounts = ReadonlyMap<string, number> | null

/** Counts the rows of values in steps, as a key that is pressed waits for each of them: `step` is called until it returns true. */
export interface ValueCounting {
  step(): boolean
  counts(): ValueCounts
}

const mcpServer = /^mcp__(.+?)__/

/** The values of a key that a log has, or that the key takes: those of most rows first. */
export function valuesOf(key: QueryKey, status: NamingStatus, counts: ValueCounts): readonly QueryValueOption[] {
  const known = namesOf(key, status).map((name) => ({ name, count: counts?.get(name) ?? null }))
  return counts === null ? known : known.toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0))
}

/** Counts the rows of the values of a key, where the page knows them. Null: of none. */
export function countingOf(key: string, log: CountedLog): ValueCounting | null {
  const { columns, status, findings } = log
  switch (key) {
    case 'kind':
      return columnCounting(rowKinds, columns.kind, log)
    case 'type':
      return columnCounting(
        rowKinds.map((kind) => typeOfKind[kind]),
        columns.kind,
        log
      )
    case 'track':
      return columnCounting(
        status.tracks.map(({ trackId }) => trackId ?? 'main'),
        columns.track,
        log
      )
    case 'issue':
      return columnCounting(severityNames, columns.severity, log)
    case 'tool':
      return callCounting(log, ({ tools }) => named([null, ...status.tools], tools))
    case 'mcp':
      return callCounting(log, ({ tools }) =>
        named([null, ...status.tools.map((tool) => mcpServer.exec(tool)?.[1] ?? null)], tools)
      )
    case 'status':
      return callCounting(log, ({ ends }) => named(callEnds, ends))
    case 'finding':
      return findings && findingCounting(findings, ruleNames, ({ rule }) => rule, log.shown)
    case 'has':
      return together([
        columnCounting(
          rowKinds.map((kind) => hasOfKind[kind] ?? null),
          columns.kind,
          log
        ),
        columnCounting([null, ...severityNames.slice(1).map(() => 'issue')], columns.severity, log),
        ...(findings === null
          ? []
          : [findingCounting(findings, ['finding'], ({ rule }) => hasFinding(rule), log.shown)])
      ])
    default:
      return null
  }
}

const callEnds = [null, 'ok', 'error'] as const
const [okEnd, errorEnd] = [1, 2]
const hasOfKind: Partial<Record<RowKind, string>> = { error: 'error', 'tool-error': 'error', todo: 'todo' }
const hasFinding = (rule: RuleName): string | null => (findingRules[rule].level === 'finding' ? 'finding' : null)

/** `names`: by number; null: of no value. */
function named(names: readonly (string | null)[], counts: Uint32Array): Map<string, number> {
  const found = new Map<string, number>()
  for (const [number, name] of names.entries())
    if (name !== null) found.set(name, (found.get(name) ?? 0) + (counts[number] ?? 0))
  return found
}

/** A step of rows, and of findings, each of which has up to 200 rows, takes less than a ms. */
const [someRows, someFindings] = [1 << 15, 50]

/** Calls `count` for one stretch of `length` entries after the other; the log may grow meanwhile. */
function inSteps(
  length: () => number,
  some: number,
  count: (from: number, to: number) => void,
  counts: () => ValueCounts
): ValueCounting {
  let at = 0
  return {
    step() {
      const to = Math.min(length(), at + some)
      count(at, to)
      at = Math.max(at, to)
      return at >= length()
    },
    counts
  }
}

function together(countings: readonly ValueCounting[]): ValueCounting {
  let at = 0
  return {
    step() {
      if (countings[at]?.step() !== false) at++
      return at >= countings.length
    },
    counts: () => new Map(countings.flatMap((counting) => [...(counting.counts() ?? [])]))
  }
}

/** Of the values of a column. `names`: by number. Loops without calls, which take many times as long. */
function columnCounting(
  names: readonly (string | null)[],
  column: Uint8Array | Uint16Array,
  { columns, shown }: CountedLog
): ValueCounting {
  const counts = new Uint32Array(1 << (8 * column.BYTES_PER_ELEMENT))
  return inSteps(
    () => shown?.length ?? columns.rows,
    someRows,
    (from, to) => {
      if (shown === null) for (let row = from; row < to; row++) counts[column[row] ?? 0]!++
      else for (let at = from; at < to; at++) counts[column[shown[at] ?? 0] ?? 0]!++
    },
    () => named(names, counts)
  )
}

const [noCall, call, okResult, failedResult] = [0, 1, 2, 3]
const callKinds = Uint8Array.from(rowKinds, (kind) => {
  if (kind === 'tool') return call
  return kind === 'tool-result' ? okResult : kind === 'tool-error' ? failedResult : noCall
})

/** Of calls and results, by the number of their tool, and by how the call ended. */
function callCounting(
  { columns, shown }: CountedLog,
  namedOf: (counts: { readonly tools: Uint32Array; readonly ends: Uint32Array }) => Map<string, number>
): ValueCounting {
  const { kind, tool } = columns
  const tools = new Uint32Array(1 << 16)
  const ends = new Uint32Array(callEnds.length)
  return inSteps(
    () => shown?.length ?? columns.rows,
    someRows,
    (from, to) => {
      for (let at = from; at < to; at++) {
        const row = shown === null ? at : (shown[at] ?? 0)
        const is = callKinds[kind[row] ?? 0]
        if (is === noCall) continue
        tools[tool[row] ?? 0]!++
        const result = is === call ? columns.firstCompletionOf(row) : row
        const end = result < 0 ? noCall : callKinds[kind[result] ?? 0]
        if (end === okResult) ends[okEnd]!++
        else if (end === failedResult) ends[errorEnd]!++
      }
    },
    () => namedOf({ tools, ends })
  )
}

/** Of findings, by a name that their rule gives; each row counts once. */
function findingCounting(
  findings: readonly FoundRows[],
  names: readonly string[],
  nameOf: (finding: FoundRows) => string | null,
  shown: Uint32Array | null
): ValueCounting {
  const rows = new Map(names.map((name) => [name, new Set<number>()]))
  return inSteps(
    () => findings.length,
    someFindings,
    (from, to) => {
      for (const finding of findings.slice(from, to)) {
        const known = rows.get(nameOf(finding) ?? '')
        for (const row of finding.rows) if (shown === null || hitAt(shown, row) >= 0) known?.add(row)
      }
    },
    () => new Map([...rows].map(([name, { size }]) => [name, size]))
  )
}

function namesOf({ name, choices, example }: QueryKey, status: NamingStatus): readonly string[] {
  switch (name) {
    case 'tool':
      return [...status.tools, ...toolKinds]
    case 'mcp':
      return [...new Set(status.tools.flatMap((tool) => mcpServer.exec(tool)?.[1] ?? []))]
    case 'track':
      return status.tracks.map(({ trackId }) => trackId ?? 'main')
    case 'model':
      return status.model === null ? [] : [status.model]
    case 'agent':
      return status.agent === null ? [] : [status.agent]
    case 'format':
      return status.format === null ? [] : [status.format]
    case 'issue':
      return choices?.filter((choice) => severityNames.includes(choice as 'none')) ?? []
    default:
      return choices ?? [example.slice(name.length + 1)]
  }
}

/** The values of a key that the sessions of the library have, or that the key takes. `facets`: undefined until they are counted. */
export function sessionValuesOf(key: QueryKey, facets: LibraryFacets | undefined): readonly QueryValueOption[] {
  const { name, choices, example } = key
  if (facets === undefined) return (choices ?? []).map((choice) => ({ name: choice, count: null }))
  const named = (count: number, value: string): QueryValueOption => ({ name: value, count })
  switch (name) {
    case 'project': {
      const terms = projectTerms(facets.projects.map(({ project }) => project))
      return facets.projects.map(({ project, count }) => named(count, valueInTerm(terms.get(project), project)))
    }
    case 'branch':
      return facets.branches.map(({ branch, count }) => named(count, branch))
    case 'model':
      return facets.models.map(({ model, count }) => named(count, model))
    case 'agent':
      return facets.agents.map(({ agent, count }) => named(count, agent))
    case 'state':
      return sessionStates.map((state) => named(facets.states[state] ?? 0, state))
    case 'has': {
      const counts = new Map([
        ['todos', facets.todosLeft],
        ['failures', facets.failed],
        ['findings', facets.findings],
        ['forks', facets.forked]
      ])
      return (choices ?? []).map((choice) => ({ name: choice, count: counts.get(choice) ?? null }))
    }
    case 'since':
    case 'until':
      return ['today', 'yesterday', '7d', '30d'].map((age) => ({ name: age, count: null }))
    default:
      return (
        choices?.map((choice) => ({ name: choice, count: null })) ?? [
          { name: example.slice(name.length + 1), count: null }
        ]
      )
  }
}

/** The word of a term; else the whole name, which is quoted. */
function valueInTerm(term: Query | undefined, name: string): string {
  const [value] = term?.op === 'term' && term.test.type === 'any' ? term.test.values : []
  return value?.type === 'word' ? value.text : name
}
