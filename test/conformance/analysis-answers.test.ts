import { describe, expect, test, vi } from 'vitest'
import { nearestRank } from '#core/analysis/call-table.ts'
import { firstWords } from '#core/analysis/first-words.ts'
import { spanKinds } from '#core/analysis/span-list.ts'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { RunReader } from '#core/formats/run-reader.ts'
import { stamp } from '#core/formats/stamp.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { commandOfCall, filesOfCall } from '#core/index/tool-files.ts'
import { rowKindOf, rowKinds } from '#core/index/row-kind.ts'
import { TurnStarts } from '#core/replay/turns.ts'
import { LogAnalysis } from '#queries/log-analysis.ts'
import type { CallGroup } from '#contract/analysis.ts'
import type { Handlers, Params, Result } from '#contract/methods.ts'
import { fileURLToPath } from 'node:url'
import { FoundRows } from '../found-rows.ts'
import { Oracle, type OracleCall } from './analysis-oracle.ts'
import { corpusIsHere, corpusPath } from './corpus.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { openHere } from './log-here.ts'
import { openLog } from './read-log.ts'

/** The tables that an open log answers are those of its events. */

if (!corpusIsHere) console.warn('analysis-answers.test.ts: ../shared/corpus is not here, only fixtures are asked')

const fixtures = allFixtures()
const someOf = (formatId: string) => fixtures.filter((fixture) => fixture.formatId === formatId).slice(0, 3)
const chosen = [...new Set(fixtures.map(({ formatId }) => formatId))].flatMap(someOf)

function eventsOf(main: Uint8Array): { events: AgentEvent[]; index: RunIndex } {
  const { format, framing } = openLog(main)
  const events: AgentEvent[] = []
  const index = new RunIndex(format)
  const sink = {
    line(line: Parameters<RunIndex['line']>[0]) {
      index.line(line)
      for (const folded of line.events) events.push(stamp(folded, format))
    },
    end(folded: Parameters<RunIndex['end']>[0], marks: Parameters<RunIndex['end']>[1]) {
      index.end(folded, marks)
      for (const one of folded) events.push(stamp(one, format))
    }
  }
  const reader = new RunReader(format, sink, { framing })
  reader.push(0, main)
  reader.end()
  return { events, index }
}

/** The names of a call's groups, from the events. */
function namesIn(events: readonly AgentEvent[], groupBy: CallGroup): ((call: OracleCall) => (string | null)[]) | null {
  switch (groupBy) {
    case 'tool':
      return ({ tool }) => [tool]
    case 'subagent':
      return ({ track }) => [track ?? 'main']
    case 'turn': {
      const rule = new TurnStarts()
      let turn = 0
      const turns = events.map((event) => {
        if (event.trackId === undefined && rule.next(rowKinds.indexOf(rowKindOf(event)))) turn++
        return turn
      })
      return ({ event }) => [turns[event] === 0 ? null : String(turns[event])]
    }
    case 'file':
      return ({ event }) => {
        const call = events[event]
        const files = call?.type === 'tool.started' ? filesOfCall(call.input) : []
        return files.length === 0 ? [null] : [...files]
      }
    case 'command2':
      return ({ event }) => {
        const call = events[event]
        const command = call?.type === 'tool.started' ? commandOfCall(call.input) : null
        return [(command === null ? null : firstWords(command, 2))?.join(' ') ?? null]
      }
    case 'todo':
      return ({ event, track }) => {
        const lists = events.slice(0, event + 1).filter((each) => each.type === 'todo_list')
        const of = (trackId: string | null) => lists.findLast((list) => (list.trackId ?? null) === trackId)
        const list = of(track) ?? of(null)
        const texts = list?.items.flatMap(({ text, status }) => (status === 'in_progress' ? [text] : [])) ?? []
        return texts.length === 0 ? [null] : texts
      }
    default:
      return null
  }
}

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

function numbersOf(calls: readonly OracleCall[]) {
  const lengths = Float64Array.from(calls.flatMap(({ durationMs }) => durationMs ?? [])).sort()
  return {
    calls: calls.length,
    failed: calls.filter(({ failed }) => failed).length,
    unknownLengths: calls.length - lengths.length,
    totalMs: lengths.length === 0 ? null : lengths.reduce((sum, ms) => sum + ms, 0),
    longestMs: lengths.at(-1) ?? null,
    p50Ms: nearestRank(lengths, 0.5)
  }
}

/** Sums of fractions depend on their order. */
const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 1000) / 1000)

describe('calls are grouped as their events say', () => {
  test.each(chosen)('$formatId $name', async (fixture) => {
    const { events, index } = eventsOf(bytesOfFixture(fixture))
    const oracle = new Oracle(events)
    const { handlers, status, close } = await openHere(fileURLToPath(fixture.input))
    const half = Math.floor(index.rows.rows / 2)
    for (const groupBy of ['tool', 'subagent', 'turn', 'file', 'command2', 'todo'] as const) {
      const namesOf = namesIn(events, groupBy)
      if (namesOf === null) continue
      for (const range of [null, { by: 'rows', from: 0, to: half } as const]) {
        const calls = oracle.calls.filter(({ event }) => range === null || index.rows.rowOf(event) < half)
        const groups = new Map<string | null, OracleCall[]>()
        for (const call of calls) {
          for (const name of namesOf(call)) groups.set(name, [...(groups.get(name) ?? []), call])
        }
        const table = await wholeTable(handlers, status.log, { groupBy, range })
        const found = table.groups.map(({ name, calls: count, failed, unknownLengths, totalMs, longestMs, p50Ms }) => {
          return { name, calls: count, failed, unknownLengths, totalMs: rounded(totalMs), longestMs, p50Ms }
        })
        const wanted = [...groups].map(([name, of]) => {
          const numbers = numbersOf(of)
          return { name, ...numbers, totalMs: rounded(numbers.totalMs) }
        })
        const byName = (a: { name: string | null }, b: { name: string | null }) =>
          (a.name ?? '') < (b.name ?? '') ? -1 : 1
        expect(found.toSorted(byName)).toEqual(wanted.toSorted(byName))
        expect(table.all.calls).toBe(calls.length)
      }
    }
    await close()
  })
})

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
  })
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
