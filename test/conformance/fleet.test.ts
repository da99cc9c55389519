import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { toolKind } from '#core/tools/tool-kind.ts'
import { folder, playhead, repository } from '../command-line.ts'
import { every } from '../thorough.ts'
import { corpusIsHere, corpusLogs, corpusPath, formatOfCorpusFile } from './corpus.ts'
import { type AnsweredRow, askedOf } from './data-set.ts'
import { allFixtures } from './fixtures.ts'

/** The queries of docs/fleet.md, run by DuckDB over real logs, against what the other commands print of the same logs. */

const text = readFileSync(join(repository, 'docs/fleet.md'), 'utf8')
const set = join(folder, 'fleet')
const setup = blocks('sql setup')[0]?.replaceAll("'fleet/", `'${set}/`) ?? ''
const queries = blocks('sql')

function blocks(language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, body = '']) => body)
}

/** Our own logs with what the queries look for, whichever fixtures are taken: a call made again and again, a todo forgotten, a failure. */
const withEverything = ['edit-check-fail', 'todo-forgotten', 'turn-failed'].map((rule) => ({
  path: join(repository, `test/fixtures/findings/${rule}.jsonl`),
  format: 'claude-transcript'
}))

const logs = [
  ...withEverything,
  ...every(4, allFixtures()).map(({ input, formatId }) => ({ path: fileURLToPath(input), format: formatId })),
  ...every(
    6,
    corpusLogs().filter((path) => !path.startsWith('recorded/'))
  ).map((path) => ({ path: corpusPath(path), format: formatOfCorpusFile(path) ?? '' }))
]

interface Log {
  readonly stats: {
    readonly tools: Readonly<Record<string, number>>
    readonly byType: Readonly<Record<AgentEvent['type'], number>>
    readonly usage: Readonly<Record<'input' | 'cacheRead' | 'output' | 'understatedRequests', number | null>> | null
    readonly cost: { readonly usd: number | null }
    readonly requests: readonly {
      readonly of: string
      readonly model: string | null
      readonly begin: number | null
      readonly end: number | null
      readonly tokens: Readonly<Partial<Record<'input' | 'cacheRead' | 'cacheWrite' | 'output', number>>>
      readonly cost: { readonly usd: number | null }
    }[]
    readonly time: { readonly wallMs: number; readonly waitingMs: number } | null
    readonly calls: {
      readonly total: number
      readonly failed: number
      readonly byTool: readonly {
        readonly tool: string
        readonly total: number
        readonly failed: number
        readonly durationMs: number | null
        readonly unknownDurations: number
      }[]
    }
  }
  readonly events: readonly AgentEvent[]
  readonly session: AgentEvent & { readonly type: 'session.started' }
  readonly prompts: number
  readonly dropped: number
}

const read: Log[] = []
let answers: AnsweredRow[][] = []

beforeAll(async () => {
  for (const { path, format } of logs) {
    const of = [path, '--single', '--format', format]
    const written = await playhead('export', ...of, '--to', 'parquet', '--no-redact', '-o', set)
    expect([0, 2], written.err).toContain(written.code)
    const events = (await playhead('export', ...of)).out.split('\n').filter((line) => line !== '')
    const parsed = events.map((line) => JSON.parse(line) as AgentEvent)
    const counted = async (query: string): Promise<number> =>
      Number((await playhead('query', path, query, '--single', '--format', format, '--count')).out.trim())
    const { out } = await playhead('todos', ...of, '--json')
    const dropped = [...out.matchAll(/"dropped":true/g)].length
    const started = parsed.find((event) => event.type === 'session.started') ?? ({} as never)
    read.push({
      stats: JSON.parse((await playhead('stats', ...of, '--json')).out) as Log['stats'],
      events: parsed,
      session: started as Log['session'],
      prompts: await counted('kind:prompt track:main'),
      dropped
    })
  }
  answers = await askedOf(setup, queries)
})

if (!corpusIsHere) test.skip('the corpus is not here: only committed logs are asked about', () => {})

test('there are twenty queries, and each says something', () => {
  expect(queries).toHaveLength(20)
  expect([...text.matchAll(/^### (\d+)\. /gm)].map(([, number]) => Number(number))).toEqual(
    queries.map((_, i) => i + 1)
  )
})

/** Rows by their first columns, so that order among equals does not matter. */
const sum = (numbers: readonly (number | null | undefined)[]): number | null => {
  const known = numbers.filter((number) => typeof number === 'number')
  return known.length === 0 ? null : known.reduce((all, one) => all + one, 0)
}
const column = (number: number, name: string): unknown[] => (answers[number - 1] ?? []).map((row) => row[name])
const total = (number: number, name: string): number => sum(column(number, name) as (number | null)[]) ?? 0
function by<T>(items: readonly T[], key: (item: T) => string | null | undefined): Map<string | null, T[]> {
  const groups = new Map<string | null, T[]>()
  for (const item of items) {
    const name = key(item) ?? null
    groups.set(name, [...(groups.get(name) ?? []), item])
  }
  return groups
}
const requests = () => read.flatMap(({ stats }) => stats.requests)
const tools = () =>
  read.flatMap(({ stats, session }) => stats.calls.byTool.map((tool) => ({ ...tool, version: session.version })))
const results = () => read.flatMap(({ events }) => events.filter((event) => event.type === 'tool.completed'))
const near = (found: unknown, expected: number | null | undefined): void => {
  if (typeof expected === 'number') expect(found).toBeCloseTo(expected, 4)
  else expect(found ?? null).toBe(null)
}

const checks: Readonly<Record<number, () => void>> = {
  1: () => {
    expect(total(1, 'sessions')).toBe(logs.length)
    const days = new Set(column(1, 'date').map(String))
    for (const { events } of read) {
      const first = events.find((event) => (event.timestampFrom ?? 'record') === 'record' && event.timestamp > 0)
      if (first !== undefined && first.timestamp < 253_402_300_799_999)
        expect([...days]).toContain(new Date(first.timestamp).toISOString().slice(0, 10))
    }
  },
  2: () => {
    near(total(2, 'usd'), sum(read.map(({ stats }) => stats.cost.usd)) ?? 0)
    expect(total(2, 'without_cost')).toBe(read.filter(({ stats }) => stats.cost.usd === null).length)
    const projects = by(read, ({ session }) => session.cwd)
    for (const row of answers[1] ?? [])
      near(row['usd'], sum((projects.get(row['cwd'] as string | null) ?? []).map(({ stats }) => stats.cost.usd)))
  },
  3: () => {
    const models = by(requests(), ({ model }) => model)
    expect(column(3, 'model').length).toBe(models.size)
    for (const row of answers[2] ?? []) {
      const own = models.get(row['model'] as string | null) ?? []
      expect(row['requests']).toBe(own.length)
      near(row['usd'], sum(own.map(({ cost }) => cost.usd)))
    }
  },
  4: () => {
    for (const [name, key] of [
      ['input', 'input'],
      ['cached', 'cacheRead'],
      ['output', 'output']
    ] as const)
      expect(total(4, name)).toBe(sum(read.map(({ stats }) => stats.usage?.[key])) ?? 0)
  },
  5: () => {
    const grouped = by(tools(), ({ tool }) => tool)
    for (const [tool, own] of grouped) {
      const row = (answers[4] ?? []).find((each) => each['tool'] === tool)
      if (tool !== null && tool.length < 100)
        expect(row).toMatchObject({
          calls: sum(own.map((one) => one.total)),
          failed: sum(own.map((one) => one.failed))
        })
    }
    expect(total(5, 'calls')).toBe(sum(read.map(({ stats }) => stats.calls.total)))
    expect(total(5, 'failed')).toBe(sum(read.map(({ stats }) => stats.calls.failed)))
  },
  6: () => {
    expect(total(6, 'calls')).toBe(sum(read.map(({ stats }) => stats.calls.total)))
    const versions = by(tools(), ({ tool, version }) => `${tool} ${version}`)
    for (const row of answers[5] ?? []) {
      if (row['agent_version'] === null || row['tool'] === null) continue
      const own = versions.get(`${String(row['tool'])} ${String(row['agent_version'])}`)
      if (own !== undefined && column(6, 'agent').length === new Set(column(6, 'agent')).size)
        near(
          row['percent_failed'],
          (100 * (sum(own.map((one) => one.failed)) ?? 0)) / (sum(own.map((one) => one.total)) ?? 1)
        )
    }
  },
  7: () => {
    const lengths = results().flatMap(({ durationMs }) => durationMs ?? [])
    // A repeated result is longer for the events than for the first result.
    expect(Math.max(...lengths)).toBeGreaterThanOrEqual(Math.max(...(column(7, 'duration_ms') as number[])))
    expect(column(7, 'duration_ms')).toEqual((column(7, 'duration_ms') as number[]).toSorted((a, b) => b - a))
    for (const ms of column(7, 'duration_ms')) expect(lengths).toContain(ms)
  },
  8: () => {
    near(total(8, 'ms'), sum(tools().map(({ durationMs }) => durationMs)) ?? 0)
  },
  9: () => {
    const done = total(9, 'done')
    const last = read.map(({ events }) =>
      events.filter((event) => event.type === 'todo_list' && event.trackId === undefined).at(-1)
    )
    const items = last.flatMap((list) => (list?.type === 'todo_list' ? list.items : []))
    expect([done, total(9, 'total')]).toEqual([
      items.filter(({ status }) => status === 'completed').length,
      items.length
    ])
  },
  10: () => expect(column(10, 'item').length).toBe(sum(read.map(({ dropped }) => dropped))),
  11: () => {
    const waits = read.flatMap(({ stats }) => stats.time?.waitingMs ?? []).filter((ms) => ms > 0)
    expect(column(11, 'waiting_ms')).toEqual(waits.toSorted((a, b) => b - a).slice(0, 20))
  },
  12: () => {
    expect(total(12, 'cached')).toBe(sum(requests().map(({ tokens }) => tokens.cacheRead)) ?? 0)
    for (const percent of column(12, 'percent')) if (percent !== null) expect(percent).toBeLessThanOrEqual(100)
  },
  13: () => {
    for (const state of column(13, 'final_state')) expect(['error', 'interrupted', 'open']).toContain(state)
  },
  14: () => {
    const edits = read.flatMap(({ events }) =>
      events.filter(
        (event) => event.type === 'tool.started' && ['edit', 'write'].includes(toolKind(event.toolName) ?? '')
      )
    )
    expect(total(14, 'edits')).toBeLessThanOrEqual(edits.length)
    expect(total(14, 'edits')).toBeGreaterThan(0)
  },
  15: () => {
    for (const row of answers[14] ?? []) expect(row['failed'] as number).toBeLessThanOrEqual(row['calls'] as number)
    expect(total(15, 'calls')).toBeGreaterThan(0)
  },
  16: () => {
    const repeated = read.flatMap(({ events }) => {
      const calls = events.filter((event) => event.type === 'tool.started')
      return [...by(calls, ({ toolName, input }) => `${toolName} ${JSON.stringify(input)}`).values()].flatMap((same) =>
        same.length >= 3 ? same.length : []
      )
    })
    expect((column(16, 'times') as number[]).toSorted((a, b) => b - a)).toEqual(repeated.toSorted((a, b) => b - a))
  },
  17: () => {
    const lengths = requests().flatMap(({ of, begin, end }) =>
      of === 'request' && begin !== null && end !== null ? end - begin : []
    )
    expect(column(17, 'ms')).toEqual(lengths.toSorted((a, b) => b - a).slice(0, 20))
  },
  18: () => {
    expect(total(18, 'prompts')).toBe(sum(read.map(({ prompts }) => prompts)))
    expect(total(18, 'sessions')).toBe(logs.length)
  },
  19: () => {
    expect(total(19, 'understated')).toBe(
      read.filter(({ stats }) => (stats.usage?.understatedRequests ?? 0) > 0).length
    )
    expect(total(19, 'unknown')).toBe(read.filter(({ stats }) => (stats.usage?.output ?? null) === null).length)
  },
  20: () => expect(total(20, 'errors')).toBe(sum(read.map(({ stats }) => stats.byType.error)))
}

test.each(Object.keys(checks).map(Number))('query %i answers as the other commands do', (number) => {
  expect(answers[number - 1]?.length).toBeGreaterThan(0)
  checks[number]?.()
})
