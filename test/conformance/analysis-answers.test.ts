import fc from 'fast-check'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { spanKinds } from '#core/analysis/span-list.ts'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { RunReader } from '#core/formats/run-reader.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { LogAnalysis } from '#queries/log-analysis.ts'
import { callGroups } from '#contract/analysis.ts'
import type { Handlers, Params, Result } from '#contract/methods.ts'
import { anySession, normalizedBytes } from '../arbitrary-session.ts'
import { FoundRows } from '../found-rows.ts'
import { analyzedByOracle, analyzedLog } from './analyzed-log.ts'
import { comparable, TableOracle } from './call-table-oracle.ts'
import { corpusBytes, corpusFiles, corpusIsHere, corpusPath, formatOfCorpusFile } from './corpus.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { indexedLog, type IndexedLog } from './indexed-log.ts'
import { openHere } from './log-here.ts'
import { openLog } from './read-log.ts'
import { filesBeside } from './read-run.ts'

/** The tables that an open log answers are those of its events. */

if (!corpusIsHere) console.warn('analysis-answers.test.ts: ../shared/corpus is not here, only fixtures are asked')

const fixtures = allFixtures()
const someOf = (formatId: string) => fixtures.filter((fixture) => fixture.formatId === formatId).slice(0, 3)
const chosen = [...new Set(fixtures.map(({ formatId }) => formatId))].flatMap(someOf)

type Asked = Pick<Handlers, 'log.callTable'>

async function wholeTable(
  handlers: Asked,
  log: string,
  asked: Partial<Params<'log.callTable'>>
): Promise<Result<'log.callTable'>> {
  const params = {
    ...({ groupBy: 'tool', range: null, find: null, sort: 'calls', descending: true, prices: null } as const)
  }
  for (;;) {
    const answer = await handlers['log.callTable']({ log, ...params, from: 0, count: 1000, ...asked })
    if (answer.counted === answer.rows && answer.read === answer.spans) return answer
  }
}

/** What answers for a log in memory. */
function answering({ index, events }: IndexedLog): Asked {
  const analysis = new LogAnalysis(async ({ rows }, row) => events[rows.seqOf(row)] ?? null)
  return { 'log.callTable': async (params) => await analysis.callTable(index, index, params, null) }
}

/** The tables by everything that calls can be grouped by, of all of a log and of its first half. */
async function expectTables(handlers: Asked, name: string, log: IndexedLog): Promise<void> {
  const oracle = new TableOracle(log)
  const half = Math.floor(log.index.rows.rows / 2)
  for (const groupBy of callGroups) {
    for (const range of [null, { by: 'rows', from: 0, to: half } as const]) {
      const table = await wholeTable(handlers, name, { groupBy, range })
      expect([groupBy, comparable(table.groups)]).toEqual([groupBy, oracle.rows(groupBy, range?.to)])
      expect(table.all.calls).toBe(oracle.count(range?.to))
    }
  }
}

describe('calls are grouped as their events say', () => {
  test.each(chosen)('$formatId $name', async (fixture) => {
    const { handlers, status, close } = await openHere(fileURLToPath(fixture.input))
    await expectTables(handlers, status.log, indexedLog(bytesOfFixture(fixture)))
    await close()
  })

  test.each(someCorpusLogs())('%s', async (path) => {
    const log = indexedLog(corpusBytes(path), filesBeside(path))
    await expectTables(answering(log), '', log)
  })

  test('and of two calls of unknown length that end with one event, the longer time is unknown', () => {
    const member = { teamName: 't', memberName: 'a', memberDisplayName: 'A', memberRole: 'r' }
    const of = (seq: number, timestamp: number, event: object): AgentEvent =>
      ({
        ...{ eventId: `e${seq}`, agentId: 'a', agentType: 'claude-code', timestamp, teamMetadata: member },
        ...event
      }) as AgentEvent
    const borrowed = { timestampFrom: 'previous' }
    const prompt = { type: 'text', text: 'Go on.', role: 'user', category: 'user-message' }
    const log = indexedLog(
      normalizedBytes([
        of(0, 1000, prompt),
        of(1, 1000, { ...borrowed, type: 'tool.started', toolName: 'Bash', toolId: 'c1', input: {} }),
        of(2, 1001, { type: 'tool.started', toolName: 'Bash', toolId: 'c2', input: {} }),
        of(3, 1001, { ...borrowed, type: 'tool.completed', toolId: 'c2', output: 'Done' }),
        of(4, 1001, { ...borrowed, type: 'tool.completed', toolId: 'c1', output: 'Done' }),
        of(5, 1001, prompt)
      ])
    )
    expect(analyzedLog(log)).toEqual(analyzedByOracle(log).analyzed)
    expect(analyzedLog(log).unknown).toEqual([[1000, 1001]])
  })

  test('of any session with subagents, and so are its spans', async () => {
    const seen = { below: 0, parallel: 0, unknown: 0, waits: 0 }
    await fc.assert(
      fc.asyncProperty(anySession, async (events) => {
        const log = indexedLog(normalizedBytes(events))
        const { analyzed, idleMs, parallelMs } = analyzedByOracle(log)
        const ours = analyzedLog(log)
        expect(ours).toEqual(analyzed)
        expect(ours.running.selfMs - parallelMs + idleMs).toBe(ours.split?.wallMs ?? 0)
        await expectTables(answering(log), '', log)
        if (ours.running.selfMs < ours.running.callMs) seen.below++
        if (parallelMs > 0) seen.parallel++
        if ((ours.split?.unknownMs ?? 0) > 0) seen.unknown++
        if ((ours.split?.waitingMs ?? 0) > 0) seen.waits++
      }),
      { numRuns: 100 }
    )
    for (const [what, count] of Object.entries(seen)) expect([what, count > 0]).toEqual([what, true])
  })
})

/** One of each format and of many calls each, as the oracle takes the square of the number of events. */
function someCorpusLogs(): string[] {
  const byFormat = new Map<string, string[]>()
  for (const path of corpusFiles()) {
    const format = formatOfCorpusFile(path)
    const bytes = format === null || path.includes('/subagents/') ? 0 : corpusBytes(path).length
    if (format !== null && bytes > 60_000 && bytes < 400_000)
      byFormat.set(format, [...(byFormat.get(format) ?? []), path])
  }
  return [...byFormat.values()].flatMap((paths) => paths.slice(0, 3))
}

async function wholeSpans(analysis: LogAnalysis, shown: RunIndex, settled: RunIndex): Promise<Result<'log.spans'>> {
  for (;;) {
    const answer = await analysis.spans(shown, settled, 0, 200_000)
    if (answer.counted === answer.rows) return answer
  }
}

describe('a log that grows', () => {
  test.each(chosen.filter((_, i) => i % 3 === 0))(
    '$formatId $name: what has settled stays, and the rest is that of the log as it is',
    async (fixture) => {
      const bytes = bytesOfFixture(fixture)
      const { format, framing } = openLog(bytes)
      const reader = new RunReader(format, new RunIndex(format), { framing })
      const growing = new LogAnalysis(async () => null)
      let kept: Result<'log.spans'> | null = null
      const step = Math.max(97, Math.ceil(bytes.length / 60))
      for (let at = 0; at < bytes.length; at += step) {
        reader.push(0, bytes.subarray(at, at + step))
        const shown = reader.endedCopy()
        if (shown === null) continue
        const spans = await wholeSpans(growing, shown, reader.sink)
        const anew = await wholeSpans(new LogAnalysis(async () => null), shown, shown)
        const columns = ({ begin, end, kind, first, last }: Result<'log.spans'>) => [
          new Float64Array(begin),
          new Float64Array(end),
          new Uint8Array(kind),
          new Int32Array(first),
          new Int32Array(last)
        ]
        const sorted = (of: Result<'log.spans'>) => {
          const lists = columns(of)
          return Array.from({ length: of.count }, (_, i) => lists.map((list) => list[i]))
            .map(String)
            .toSorted()
        }
        expect(sorted(spans)).toEqual(sorted(anew))
        if (kept !== null) {
          const { settled } = kept
          expect(columns(spans).map((list) => list.slice(0, settled))).toEqual(
            columns(kept).map((list) => list.slice(0, settled))
          )
        }
        kept = spans
      }
      expect(kept?.total).toBeGreaterThan(0)
    }
  )
})

test('only the calls that a search found are counted', async () => {
  const fixture = chosen.find(({ formatId }) => formatId === 'claude-transcript')
  const found = new FoundRows()
  const { handlers, status, close } = await openHere(fileURLToPath(fixture?.input ?? ''), (progress) =>
    found.onNotice('log.found', progress)
  )
  const { log } = status
  const all = await wholeTable(handlers, log, {})
  const [tool] = all.groups
  const query = { text: tool?.term ?? '', isQuery: true, regex: false, caseSensitive: false, as: 'filter 1' }
  const { find } = await handlers['log.find']({ log, ...query })
  await vi.waitUntil(async () => {
    const table = await wholeTable(handlers, log, { find })
    return table.all.calls === tool?.calls && table.total === 1
  }, 60_000)
  await close()
})

async function wholeContext(handlers: Pick<Handlers, 'log.context'>, log: string): Promise<Result<'log.context'>> {
  for (;;) {
    const answer = await handlers['log.context']({ log, range: null, prices: null, from: 0, count: 1000 })
    if (answer.counted === answer.rows) return answer
  }
}

describe.skipIf(!corpusIsHere)('the context of a log', () => {
  test.each([
    ['recorded/claude/compacted/stdout.jsonl', 'stated'],
    [
      'recorded/codex/compacted/transcript/sessions/2026/11/21/rollout-2026-11-21T22-02-45-01a20022-1d77-7d33-b840-53b96c027f99.jsonl',
      'derived'
    ]
  ])('%s has a compaction, whose size before is %s', async (path, beforeIs) => {
    const { handlers, status, close } = await openHere(corpusPath(path))
    const { compactions, requests, total } = await wholeContext(handlers, status.log)
    expect(total).toBe(requests.length)
    expect(compactions.length).toBeGreaterThan(0)
    for (const { beforeIs: is, before } of compactions) {
      expect(is).toBe(beforeIs)
      expect(before).toBeGreaterThan(0)
    }
    await close()
  })

  test('what a request got is the results since the request before it, each once', async () => {
    const { handlers, status, close } = await openHere(corpusPath('claude-transcript/entireio__cli__27fe42cd.jsonl'))
    const { log } = status
    const { requests } = await wholeContext(handlers, log)
    const results = requests.flatMap(({ added }) => added).reduce((sum, { results: count }) => sum + count, 0)
    const { all } = await wholeTable(handlers, log, {})
    const spans = await handlers['log.spans']({ log, from: 0, count: 200_000 })
    const isAnswered = [...new Int32Array(spans.last)].filter((last, i) => {
      return new Uint8Array(spans.kind)[i] === spanKinds.indexOf('call') && last >= 0
    })
    // Results of the last request of a track came before no request.
    expect(results).toBeGreaterThan(0.9 * isAnswered.length)
    expect(results).toBeLessThanOrEqual(isAnswered.length)
    expect(all.tokensAtLeast).toBe(true)
    await close()
  })
})
