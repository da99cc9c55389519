import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { folder, playhead } from '../command-line.ts'
import { every } from '../thorough.ts'
import { corpusIsHere, corpusLogs, corpusPath, formatOfCorpusFile } from './corpus.ts'
import { askedOf } from './data-set.ts'
import { allFixtures } from './fixtures.ts'

/** What Playhead writes for other tools, read by rules and by readers that are not ours. */

const fixtures = allFixtures().map(({ formatId, name, input }) => ({
  name: `${formatId}/${name}`,
  path: fileURLToPath(input),
  format: formatId
}))
const real = corpusLogs()
  .filter((path) => !path.startsWith('recorded/'))
  .map((path) => ({ name: path, path: corpusPath(path), format: formatOfCorpusFile(path) ?? '' }))
const logs = [...every(8, fixtures), ...every(14, real)]

async function exported(path: string, format: string, ...how: string[]): Promise<string> {
  const { code, out, err } = await playhead('export', path, '--single', '--format', format, ...how)
  expect([0, 2], err).toContain(code)
  return out
}

async function stats(path: string, format: string): Promise<Stats> {
  return JSON.parse((await playhead('stats', path, '--single', '--format', format, '--json')).out) as Stats
}

interface Stats {
  readonly events: number
  readonly byType: Readonly<Record<AgentEvent['type'], number>>
  readonly calls: { readonly total: number; readonly failed: number }
  readonly usage: {
    readonly input: number | null
    readonly output: number | null
    readonly requests: number | null
  } | null
  readonly requests: readonly object[]
  readonly time: { readonly wallMs: number } | null
}

if (!corpusIsHere) test.skip('the corpus is not here: only committed logs are exported', () => {})

describe('OTLP', () => {
  /** The messages of opentelemetry-proto 1.x, by the JSON mapping of OTLP. Unknown members are refused. */
  const long = z.string().regex(/^\d{1,20}$/)
  const value = z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d{1,19}$/) }),
    z.strictObject({ doubleValue: z.number() })
  ])
  const attributes = z.array(z.strictObject({ key: z.string().min(1), value }))
  const spanId = z.string().regex(/^(?!0{16})[0-9a-f]{16}$/)
  const traceId = z.string().regex(/^(?!0{32})[0-9a-f]{32}$/)
  const span = z.strictObject({
    traceId,
    spanId,
    parentSpanId: spanId.optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: long,
    endTimeUnixNano: long,
    attributes,
    events: z.array(z.strictObject({ timeUnixNano: long, name: z.string(), attributes })).optional(),
    droppedEventsCount: z.int().min(1).optional(),
    status: z.strictObject({ code: z.literal(2), message: z.string() }).optional()
  })
  const request = z.strictObject({
    resourceSpans: z.array(
      z.strictObject({
        resource: z.strictObject({ attributes }),
        scopeSpans: z.array(
          z.strictObject({
            scope: z.strictObject({ name: z.string(), version: z.string() }),
            spans: z.array(span),
            schemaUrl: z.url()
          })
        )
      })
    )
  })

  test.each(logs)(
    '$name: spans are valid, each parent is there, and the counts are those of stats',
    async ({ path, format }) => {
      const text = await exported(path, format, '--to', 'otlp', '--no-redact', '--content')
      expect(await exported(path, format, '--to', 'otlp', '--no-redact', '--content')).toBe(text)
      const spans = text
        .split('\n')
        .filter((line) => line !== '')
        .flatMap((line) => request.parse(JSON.parse(line)).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap((scope) => scope.spans)
      const found = await stats(path, format)
      if (spans.length === 0) {
        // Nothing but unknown times: docs say so.
        expect(found.time?.wallMs ?? 0).toBe(0)
        return
      }
      const ids = new Set(spans.map((one) => one.spanId))
      expect(ids.size).toBe(spans.length)
      for (const { parentSpanId, startTimeUnixNano, endTimeUnixNano } of spans) {
        if (parentSpanId !== undefined) expect(ids).toContain(parentSpanId)
        expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
      }
      const root = spans.filter((one) => one.parentSpanId === undefined)
      expect(root).toHaveLength(1)
      const untimed = root[0]?.attributes.find(({ key }) => key === 'playhead.spans_without_time')?.value
      if (JSON.stringify(untimed) !== '{"intValue":"0"}') return
      const calls = spans.filter(({ name }) => name.startsWith('execute_tool '))
      expect(calls.length).toBe(found.calls.total)
      expect(calls.filter(({ status }) => status !== undefined).length).toBe(found.calls.failed)
      expect(spans.filter(({ name }) => /^chat\b/.test(name)).length).toBe(found.requests.length)
    }
  )
})

describe('Chrome trace', () => {
  const slice = z.object({
    name: z.string(),
    ph: z.string(),
    pid: z.int(),
    tid: z.int(),
    ts: z.number().optional(),
    dur: z.number().optional()
  })

  test.each(logs)('$name: on a lane, slices are apart or inside each other', async ({ path, format }) => {
    const text = await exported(path, format, '--to', 'trace', '--no-redact')
    expect(await exported(path, format, '--to', 'trace', '--no-redact')).toBe(text)
    const { traceEvents, otherData } = z
      .object({ traceEvents: z.array(slice.loose()), otherData: z.object({ spansWithoutTime: z.int() }) })
      .parse(JSON.parse(text))
    const lanes = new Map<number, { begin: number; end: number }[]>()
    for (const { ph, tid, ts = NaN, dur = NaN } of traceEvents) {
      if (ph !== 'X') continue
      expect([ts, dur].every((at) => Number.isInteger(at) && at >= 0)).toBe(true)
      lanes.set(tid, [...(lanes.get(tid) ?? []), { begin: ts, end: ts + dur }])
    }
    for (const slices of lanes.values()) {
      slices.sort((a, b) => a.begin - b.begin || b.end - a.end)
      const open: number[] = []
      for (const { begin, end } of slices) {
        while (open.length > 0 && (open.at(-1) ?? 0) <= begin) open.pop()
        expect(end).toBeLessThanOrEqual(open.at(-1) ?? Infinity)
        open.push(end)
      }
    }
    const found = await stats(path, format)
    const calls = traceEvents.filter(({ cat }) => String(cat).startsWith('call'))
    if (otherData.spansWithoutTime === 0) expect(calls.length).toBe(found.calls.total)
    const [starts, ends] = ['s', 'f'].map((ph) => traceEvents.filter((one) => one.ph === ph).map(({ id }) => id))
    for (const id of ends ?? []) expect(starts).toContain(id)
  })
})

describe('Parquet', () => {
  test('DuckDB joins the tables, and its counts are those of stats', async () => {
    const set = join(folder, 'foreign-set')
    const counted: Stats[] = []
    for (const { path, format } of logs) {
      const { code, err } = await playhead('export', path, '--single', '--format', format, '--to', 'parquet', '-o', set)
      expect([0, 2], err).toContain(code)
      counted.push(await stats(path, format))
    }
    const views = ['runs', 'events', 'requests', 'todo_changes'].map(
      (name) =>
        `create view ${name} as select * from read_parquet('${set}/${name}/**/*.parquet', hive_partitioning = true);`
    )
    const [rows = []] = await askedOf(views.join('\n'), [
      `
      select r.source_path as path, r.calls, r.failed_calls as failed, r.events,
        (select count(*) from events e where e.run_id = r.run_id) as rows,
        (select count(*) from events e where e.run_id = r.run_id and is_call) as called,
        (select count(*) from events e where e.run_id = r.run_id and is_first_result and is_error) as bad,
        (select count(*) from events e where e.run_id = r.run_id and type = 'todo_list') as lists,
        (select count(*) from requests q where q.run_id = r.run_id) as requests,
        (select sum(input_tokens) from requests q where q.run_id = r.run_id) as input,
        (select sum(output_tokens) from requests q where q.run_id = r.run_id) as output,
        (select count(*) from todo_changes t where t.run_id = r.run_id) = r.todo_changes as agree
      from runs r`
    ])
    const byPath = new Map(rows.map((row) => [row['path'], row]))
    expect(rows).toHaveLength(logs.length)
    for (const [at, { path }] of logs.entries()) {
      const { calls, events, byType, requests, usage } = counted[at] as Stats
      expect(byPath.get(path)).toEqual({
        path,
        calls: calls.total,
        failed: calls.failed,
        events,
        rows: events,
        called: calls.total,
        bad: calls.failed,
        lists: byType.todo_list,
        requests: requests.length,
        input: usage?.input ?? null,
        output: usage?.output ?? null,
        agree: true
      })
    }
  })
})
