import type { LibraryFacets } from '#contract/library.ts'
import type { LogStatus } from '#contract/methods.ts'
import { agentOf } from '#core/formats/agents.ts'
import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import type { Query } from '#core/query/query.ts'
import type { QueryKey } from '#core/query/query-keys.ts'
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

interface CountedLog {
  readonly columns: LogColumns
  readonly status: NamingStatus
  /** Null: all rows. */
  readonly shown: Uint32Array | null
}

const results = new Map<RowKind, string>([
  ['tool-result', 'ok'],
  ['tool-error', 'error']
])
const ofCalls: ReadonlySet<RowKind> = new Set<RowKind>(['tool', 'tool-result', 'tool-error'])
const mcpServer = /^mcp__(.+?)__/

/** The values of a key that a log has, or that the key takes: those of most rows first. */
export function valuesOf(key: QueryKey, log: CountedLog): readonly QueryValueOption[] {
  const names = namesOf(key, log.status)
  const nameAt = namer(key.name, log)
  if (nameAt === null) return names.map((name) => ({ name, count: null }))
  const counts = new Map<string, number>()
  const count = (row: number): void => {
    const name = nameAt(row)
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  if (log.shown !== null) log.shown.forEach(count)
  else for (let row = 0; row < log.columns.rows; row++) count(row)
  const known = names.map((name) => ({ name, count: counts.get(name) ?? (uncounted.has(name) ? null : 0) }))
  return known.toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0))
}

/** Values of `status`, `tool` and `issue` that no column has. */
const uncounted: ReadonlySet<string> = new Set<string>(['running', 'unknown', ...toolKinds])

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

/** The value of a row, where the page knows it; null: it has none. */
function namer(key: string, { columns, status }: CountedLog): ((row: number) => string | null) | null {
  const toolAt = (row: number): string | null =>
    ofCalls.has(columns.kindAt(row)) ? (status.tools[(columns.tool[row] ?? 0) - 1] ?? null) : null
  switch (key) {
    case 'kind':
      return (row) => rowKinds[columns.kind[row] ?? 0] ?? null
    case 'tool':
      return toolAt
    case 'mcp':
      return (row) => mcpServer.exec(toolAt(row) ?? '')?.[1] ?? null
    case 'track':
      return (row) => status.tracks[columns.track[row] ?? 0]?.trackId ?? 'main'
    case 'issue':
      return (row) => severityNames[columns.severity[row] ?? 0] ?? null
    case 'status':
      return (row) => {
        const call = columns.kindAt(row) === 'tool'
        const result = call ? columns.firstCompletionOf(row) : row
        return result < 0 ? null : (results.get(columns.kindAt(result)) ?? null)
      }
    default:
      return null
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
      return facets.agents.map(({ agent, count }) => named(count, agentOf(agent).words[0]))
    case 'state':
      return (choices ?? []).map((choice) =>
        named(facets.states[(choice === 'failed' ? 'error' : choice) as keyof typeof facets.states] ?? 0, choice)
      )
    case 'has': {
      const counts = new Map([
        ['todos', facets.todosLeft],
        ['failures', facets.failed],
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
