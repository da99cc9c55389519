import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { readLog } from '../../src/backend/sources/read-log.ts'
import { corpusFiles, corpusIsHere, corpusPath } from './corpus.ts'

if (!corpusIsHere) console.warn('corpus-runs.test.ts: skipped, ../shared/corpus is not here')

interface Expected {
  /** Part of the path of the main file. */
  readonly main: string
  /** The other files' own names, in order. */
  readonly files: readonly string[]
  /** Tracks in order of appearance, the main agent first. */
  readonly tracks: readonly (string | undefined)[]
  readonly notes?: readonly string[]
}

const runs: readonly Expected[] = [
  {
    main: 'claude-transcript/generated/c330-agent/d7cbf5a2',
    files: ['agent-a455a0ad19f1abc77.jsonl', 'agent-a8e9970cfc386f3ae.jsonl'],
    tracks: [undefined, 'toolu_356596849590c246a8', 'toolu_366596849590c246a8']
  },
  {
    main: 'claude-transcript/marot__spotter__4d5611e5',
    files: ['agent-a2898e3.jsonl'],
    tracks: [undefined, 'toolu_017pLRuPHYTX5t99EnLyV53m']
  },
  {
    main: 'claude-transcript/generated/c2070-agenttask/557edf66',
    files: ['agent-aa850af.jsonl', 'agent-aeac22e.jsonl'],
    tracks: [undefined, 'toolu_3617952c4050094698', 'toolu_3717952c4050094698'],
    notes: ['2 warm-up agents not shown']
  },
  {
    main: 'recorded/claude-2.0.77/todowrite/transcript/projects/-tmp-demo-project/aaaaac2a',
    files: [],
    tracks: [undefined],
    notes: ['3 warm-up agents not shown']
  },
  {
    main: 'recorded/claude/subagent-todowrite/transcript/projects/-tmp-demo-project/e2622f4f',
    files: ['agent-ab4e02f6059c26097.jsonl'],
    tracks: [undefined, 'toolu_01000012fake']
  },
  {
    main: 'gemini-chat/agunginsani__expenses-tracker/session-2026-04-11T15-32-52c73acd',
    files: ['3seg2q.json'],
    tracks: [undefined, '3seg2q']
  },
  {
    main: 'gemini-chat/agunginsani__expenses-tracker/session-2026-04-12T01-18-01b2c62e',
    files: ['ngzcxj.json', 'shcg5o.json'],
    tracks: [undefined, 'shcg5o', 'ngzcxj']
  }
]

describe.skipIf(!corpusIsHere)('the runs of the corpus', () => {
  test.each(runs)('$main', async ({ main, files, tracks, notes = [] }) => {
    const path = corpusFiles().find((name) => name.startsWith(main) && dirname(name) === dirname(main))
    const events: AgentEvent[] = []
    const rows = new Map<string | undefined, number>()
    const log = await readLog(
      { path: corpusPath(path ?? main), format: null, single: false },
      {
        line: ({ at, blank }) => void (blank || rows.set(at.file, (rows.get(at.file) ?? 0) + 1)),
        event: (event) => void events.push(event)
      }
    )
    expect(log.files.map(({ name }) => name.split('/').at(-1))).toEqual(files)
    expect(log.notes).toEqual(notes)
    expect([...new Set(events.map(({ trackId }) => trackId))]).toEqual(tracks)
    expect(rows.size).toBe(files.length + 1)
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length)

    // A file's own lines keep their order, and the other files add no event to the main one's and take none.
    const alone: AgentEvent[] = []
    await readLog(
      { path: corpusPath(path ?? main), format: null, single: true },
      { event: (event) => void alone.push(event) }
    )
    const own = events.filter(({ source }) => source?.file === undefined)
    expect(own.map(({ source }) => source?.offset)).toEqual(alone.map(({ source }) => source?.offset))
  })
})
