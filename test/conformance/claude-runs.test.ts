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

describe.skipIf(!corpusIsHere)('where Claude Code kept the transcripts of subagents', () => {
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

  test.each([
    ['1.0.128, inline', 'generated/c10128-agenttask/7c8058c3-660d-49f8-830a-3ec26bbd66e8', 0],
    ['1.0.71, never written', 'slopus__happy__131a601a', 0],
    ['2.0.70, beside the session', 'generated/c2070-agenttask/557edf66-596b-4c40-b99d-2986a04cbc39', 0],
    ['2.1.330, in a folder', 'generated/c330-agent/d7cbf5a2-16f4-4f8d-b8eb-4094d68ce00d', 0],
    ['2.1.39, in a folder and in part in the session', 'marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569', 0],
    ['2.0.67, not here', 'dagster-io__erk__76f9e465', 5],
    ['2.1.56, here only in part, in the session', 'dagster-io__erk__a98d6941', 15]
  ])('%s: so many logs of subagents are missing', (_, path, named) => {
    expect(readRun(`claude-transcript/${path}.jsonl`).missing).toEqual({ named, perhaps: false })
  })
})
