import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LogAnalysis } from '#queries/log-analysis.ts'
import { callGroups } from '#contract/analysis.ts'
import { RunAnalysis } from '#core/analysis/run-analysis.ts'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { usageOf } from '#core/requests/usage.ts'
import { allSteps } from '#core/steps.ts'
import { RunCounts } from '#core/summary/run-counts.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { indexedLog, type IndexedLog } from './indexed-log.ts'

/** Numbers and times of a log are as anybody wrote them. What is derived of them is a number, and no length is less than 0. */

const fixtures = allFixtures()
const chosen = [...new Set(fixtures.map(({ formatId }) => formatId))].flatMap((formatId) =>
  fixtures.filter((fixture) => fixture.formatId === formatId && fixture.name !== 'damage').slice(0, 2)
)

const hostileNumbers = [
  ...['-1', '-0', '0', '1e308', '-1e308', '1e400', '1e-320', '0.5', '4294967295', '4294967296'],
  ...['9007199254740993', '253402300800000', '8640000000000001', '-8640000000000000', '18446744073709551616']
]
const hostileTimes = [
  ...['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z'],
  ...['2026-08-01T06:00:00.000Z', '2026-08-01T05:59:59.999Z', '2026-13-45T99:99:99.999Z', 'soon', '']
]

/** Numbers and times of a log, of which every so many is another one. `picks`: from 0 to 1. */
function changed(log: string, every: number, picks: readonly number[]): string {
  let seen = 0
  const other = (list: readonly string[]): string => {
    const pick = picks[seen % picks.length] ?? 0
    return list[Math.floor(pick * list.length)] ?? ''
  }
  return log.replaceAll(
    /(?<=[:[,]\s*)-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?=\s*[,}\]])|"\d{4}-\d\d-\d\dT[^"]*"/g,
    (value) => {
      seen++
      if ((seen * 7919) % every !== 0) return value
      return value.startsWith('"') ? `"${other(hostileTimes)}"` : other(hostileNumbers)
    }
  )
}

/** The paths of numbers that are none, or less than 0 where nothing is; rows of nothing are -1. */
function faultsIn(value: unknown, path = ''): string[] {
  if (typeof value === 'number') {
    const isTime = /\.(?:begin|end|at|first|last|since|until|firstTimestamp|lastTimestamp)$/.test(path)
    if (!Number.isFinite(value)) return [`${path}: ${value}`]
    return value < 0 && !isTime ? [`${path}: ${value}`] : []
  }
  if (typeof value !== 'object' || value === null || value instanceof ArrayBuffer) return []
  return Object.entries(value).flatMap(([name, each]) => faultsIn(each, `${path}.${name}`))
}

/** What an event says that something took. */
function amountsOf(event: AgentEvent): object {
  if (event.type === 'tool.completed') return { took: event.durationMs }
  return event.type === 'turn.completed' ? { took: event.durationMs, cost: event.costUsd } : {}
}

async function answersOf({ index, events }: IndexedLog): Promise<Record<string, unknown>> {
  const analysis = new LogAnalysis(async ({ rows }, row) => events[rows.seqOf(row)] ?? null)
  const whole = async <Answer extends { readonly counted: number; readonly rows: number }>(
    ask: () => Promise<Answer>
  ): Promise<Answer> => {
    for (;;) {
      const answer = await ask()
      if (answer.counted === answer.rows) return answer
    }
  }
  const ranges = [null, { by: 'time', from: -1e308, to: 1e308 } as const, { by: 'rows', from: 2, to: 9 } as const]
  const answers: Record<string, unknown> = {}
  for (const [i, range] of ranges.entries()) {
    answers[`split ${i}`] = await whole(() => analysis.timeSplit(index, index, range))
    const ofContext = { range, prices: null, from: 0, count: 1000 }
    answers[`context ${i}`] = await whole(() => analysis.context(index, index, ofContext))
  }
  for (const groupBy of callGroups) {
    const params = { groupBy, range: null, find: null, sort: 'totalMs', descending: true, prices: null } as const
    answers[`table by ${groupBy}`] = await whole(() =>
      analysis.callTable(index, index, { ...params, from: 0, count: 1000 }, null)
    )
  }
  const calls = new RunCounts()
  calls.count(index.rows, index.rows.rows)
  answers['usage'] = usageOf(index.requests)
  answers['time'] = calls.times
  answers['stated cost'] = index.requests.runCostUsd
  answers['requests'] = [...index.requests]
  answers['stats'] = RunAnalysis.of(index).byTool(null)
  return answers
}

describe('what is derived of hostile numbers is a number, and no length or count is less than 0', () => {
  test.each(chosen)('$formatId $name', async (fixture) => {
    const log = new TextDecoder().decode(bytesOfFixture(fixture))
    const picks = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(1, 2, 3, 5), picks, async (every, picked) => {
        const bytes = new TextEncoder().encode(changed(log, every, picked))
        const indexed = indexedLog(bytes)
        const answers = await answersOf(indexed)
        expect(faultsIn(answers)).toEqual([])
        const run = RunAnalysis.of(indexed.index)
        const { split, parallelism } = allSteps(run.timesOf(null))
        if (split !== null) {
          expect(split.waitingMs + split.toolsMs + split.modelMs + split.unknownMs).toBe(split.wallMs)
          expect(parallelism.busyMs).toBeLessThanOrEqual(parallelism.selfMs)
        }
        for (const event of indexed.events) expect(faultsIn(amountsOf(event))).toEqual([])
      }),
      { numRuns: 10 }
    )
  })
})
