import { describe, expect, test } from 'vitest'
import { corpusIsHere } from './corpus.ts'
import { readRun, type RunSeen } from './read-run.ts'

if (!corpusIsHere) console.warn('claude-runs.test.ts: skipped, ../shared/corpus is not here')

/** How many events each track has in each file. */
function tracksOf({ events }: RunSeen): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { trackId, source } of events) {
    const key = `${trackId ?? 'main'} in ${source?.file?.replace(/^.*\//, '') ?? 'the session'}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

describe.skipIf(!corpusIsHere)('where Claude Code kept the transcripts of subagents (formats.md 4.1)', () => {
  test('1.0.128: inline', () => {
    const run = readRun('claude-transcript/generated/c10128-agenttask/7c8058c3-660d-49f8-830a-3ec26bbd66e8.jsonl')
    expect(tracksOf(run)).toEqual({
      'main in the session': 8,
      'toolu_365fb1cdab564b4621 in the session': 5,
      'toolu_375fb1cdab564b4621 in the session': 6
    })
  })

  test('2.0.70: beside the session, with two warm-up agents that are no part of it', () => {
    const run = readRun('claude-transcript/generated/c2070-agenttask/557edf66-596b-4c40-b99d-2986a04cbc39.jsonl')
    expect(tracksOf(run)).toEqual({
      'main in the session': 8,
      'toolu_3617952c4050094698 in agent-aeac22e.jsonl': 5,
      'toolu_3717952c4050094698 in agent-aa850af.jsonl': 6
    })
  })

  test('2.1.39: in a folder, and most messages in the session as well: each counts once, all on one track', () => {
    const run = readRun('claude-transcript/marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl')
    expect(tracksOf(run)).toEqual({
      'main in the session': 412,
      'toolu_017pLRuPHYTX5t99EnLyV53m in the session': 67,
      'toolu_017pLRuPHYTX5t99EnLyV53m in agent-a2898e3.jsonl': 7
    })
    expect(run.marks.length).toBe(67)
    expect(new Set(run.marks.map(({ mark }) => mark))).toEqual(new Set(['duplicate']))
  })
})
