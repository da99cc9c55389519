import { describe, expect, it } from 'vitest'
import type { LogStatus } from '#contract/methods.ts'
import { contentTexts, liveText, progressText, statusSentence, waitingText } from './status-text.ts'

const done: LogStatus = {
  log: '1',
  path: '/runs/a.jsonl',
  name: 'a.jsonl',
  phase: 'done',
  error: null,
  format: 'claude-stream-json',
  formatTitle: 'Claude Code stream-json',
  formatNote: null,
  notes: [],
  files: [],
  missing: { named: 0, perhaps: false },
  bytes: 9_431_040,
  bytesRead: 9_431_040,
  lines: 2560,
  rows: 2893,
  events: 2318,
  generation: 1,
  generationNote: null,
  settled: { rows: 2893, events: 2318, todoSnapshots: 12 },
  fileState: 'there',
  grownAt: null,
  waitingBytes: 0,
  savedRows: 0,
  marked: 0,
  todoSnapshots: 12,
  issues: { malformed: 2, violation: 1, notice: 0 },
  failedCalls: 0,
  firstTimestamp: 0,
  lastTimestamp: 1,
  model: null,
  sessionId: null,
  agent: 'claude-code',
  tools: [],
  tracks: [{ trackId: null, label: 'main', depth: 0, call: -1 }]
}
const reading: LogStatus = { ...done, phase: 'reading', bytes: 1_000_000_000, bytesRead: 610_000_000, rows: 3_200_000 }

describe('status texts', () => {
  it('states the contents of a log', () => {
    expect(statusSentence(done, null, false, true)).toBe(
      '2,560 lines · 2,893 rows · 2,318 events · 9.4 MB · 2 malformed · 1 violation · Indexed'
    )
  })

  it('adds up the files of a session', () => {
    const files = [
      { name: 'subagents/a.jsonl', bytes: 500_000, bytesRead: 500_000, lines: 40 },
      { name: 'subagents/b.jsonl', bytes: 500_000, bytesRead: 100_000, lines: 2 }
    ]
    expect(contentTexts({ ...done, files })).toEqual(['3 files', '2,602 lines', '2,893 rows', '2,318 events', '10 MB'])
    const part = { ...reading, bytes: 1_000_000, bytesRead: 400_000, files, rows: 9 }
    expect(progressText(part, null, true)).toBe('reading 50% · 9 rows')
  })

  it('states the progress, and the remaining time when the rate is known', () => {
    expect(progressText(reading, null, true)).toBe('reading 61% · 3.2M rows')
    expect(progressText(reading, 210_000_000, true)).toBe('reading 61% · 3.2M rows · 210 MB/s · 2 s left')
  })

  it('calls a log indexed only when its rows are loaded', () => {
    expect(progressText(done, null, false)).toBe('Loading rows…')
    expect(liveText({ ...done, grownAt: 5 }, null, 300, { loaded: false, following: false })).toBe('Loading rows…')
    expect(progressText({ ...done, fileState: 'gone' }, null, false)).toBe('File not found')
  })

  it('marks counts that still grow', () => {
    expect(statusSentence(reading, null, false, true)).toContain('2,560 lines…')
  })

  it('states that a log grows, that its end is followed, or that its file is gone', () => {
    const grown: LogStatus = { ...done, grownAt: 5 }
    expect([300, 2900].map((growth) => liveText(grown, null, growth, { loaded: true, following: true }))).toEqual([
      'Live · grew just now',
      'Live · grew 2 s ago'
    ])
    expect([true, false].map((following) => liveText(grown, null, null, { loaded: true, following }))).toEqual([
      'Indexed · following',
      'Indexed'
    ])
    expect(statusSentence(grown, null, true, true)).toMatch(/Indexed · live$/)
    expect(liveText({ ...grown, fileState: 'gone' }, null, 300, { loaded: true, following: true })).toBe(
      'File not found'
    )
    expect(liveText({ ...grown, fileState: 'unreadable' }, null, 300, { loaded: true, following: true })).toBe(
      'File unreadable'
    )
    expect(liveText(reading, null, 300, { loaded: true, following: true })).toBe(progressText(reading, null, true))
  })

  it('states the bytes of an unfinished line', () => {
    const waiting = (waitingBytes: number) => waitingText({ ...done, grownAt: 1, waitingBytes })
    expect([0, 1, 132, 12_000_000].map(waiting)).toEqual([
      '',
      '1 byte of an unfinished line',
      '132 bytes of an unfinished line',
      '12 MB of an unfinished line'
    ])
  })

  it('calls a last line unfinished only in a log that is being written', () => {
    expect(waitingText({ ...done, grownAt: null, waitingBytes: 632 })).toBe('')
  })

  it('handles an empty log', () => {
    expect(progressText({ ...reading, bytes: 0, bytesRead: 0, rows: 0 }, 0, true)).toBe('reading 0% · 0 rows')
  })
})
