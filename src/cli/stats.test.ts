import { statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { file, good, init, json, jsonl, playhead } from '../../test/command-line.ts'

describe('stats', () => {
  test('counts what is in the log', async () => {
    const path = file('stats.jsonl', good + 'oops\n' + jsonl({ type: 'brand_new', session_id: 's1' }))
    expect(await json('stats', path)).toEqual({
      file: path,
      format: 'claude-stream-json',
      bytes: statSync(path).size,
      lines: 8,
      events: 8,
      byType: {
        'session.started': 1,
        text: 2,
        'tool.started': 1,
        'tool.completed': 0,
        'turn.completed': 0,
        error: 1,
        todo_list: 3
      },
      tools: { Bash: 1 },
      tracks: [
        { trackId: null, events: 7 },
        { trackId: 'sub', events: 1 }
      ],
      issues: { malformed: 1, violation: 0, notice: 1 },
      todoSnapshots: 3,
      firstTimestamp: Date.parse('2026-01-02T03:04:05.000Z'),
      lastTimestamp: Date.parse('2026-01-02T03:04:05.000Z'),
      parseMs: expect.any(Number),
      peakRssBytes: expect.any(Number)
    })
    expect((await playhead('stats', path)).out).toContain('firstTimestamp  2026-01-02T03:04:05.000Z\n')
  })

  test('a log without times has none', async () => {
    expect(await json('stats', file('timeless', jsonl(init)))).toMatchObject({
      firstTimestamp: null,
      lastTimestamp: null
    })
  })
})
