import {
  withoutComparing,
  withoutExports,
  withoutLibrary,
  withoutRuns,
  withoutSettings
} from '#contract/refused-methods.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, LogStatus, Result } from '#contract/methods.ts'

/** A status a reader of a test can recognise by its path. */
export function statusOf(path: string): LogStatus {
  return {
    log: 'l1',
    path,
    name: path.split('/').at(-1) ?? path,
    phase: 'done',
    error: null,
    format: 'claude-stream-json',
    formatTitle: 'Claude Code stream-json',
    formatNote: null,
    notes: [],
    files: [],
    missing: { named: 0, perhaps: false },
    bytes: 10,
    bytesRead: 10,
    lines: 1,
    rows: 1,
    events: 1,
    generation: 1,
    generationNote: null,
    settled: { rows: 1, events: 1, todoSnapshots: 0 },
    fileState: 'there',
    grownAt: null,
    waitingBytes: 0,
    savedRows: 0,
    marked: 0,
    todoSnapshots: 0,
    issues: { malformed: 0, violation: 0, notice: 0 },
    failedCalls: 0,
    firstTimestamp: null,
    lastTimestamp: null,
    model: null,
    sessionId: null,
    agent: 'claude-code',
    tools: [],
    tracks: [{ trackId: null, label: 'main', depth: 0, call: -1 }]
  }
}

/** Columns of rows `from` … `from + count` in which every value is its row's number. */
export function columnsOf(from: number, count: number): Result<'log.columns'> {
  const rows = Array.from({ length: count }, (_, i) => from + i)
  return {
    from,
    count,
    kind: Uint8Array.from(rows).buffer,
    severity: new Uint8Array(count).buffer,
    issues: new Uint16Array(count).buffer,
    time: Float64Array.from(rows).buffer,
    line: Uint32Array.from(rows).buffer,
    seq: Int32Array.from(rows).buffer,
    tool: new Uint16Array(count).buffer,
    track: new Uint16Array(count).buffer,
    pair: new Int32Array(count).fill(-1).buffer,
    took: new Float64Array(count).fill(NaN).buffer,
    mark: new Uint8Array(count).buffer,
    file: new Uint16Array(count).buffer
  }
}

/** Handlers without a backend: for tests of what lies between page and host. */
export function fakeHandlers(): Handlers {
  const unavailable = async (): Promise<never> => {
    throw new HostError('unavailable', 'This test does not need that.')
  }
  return {
    ...withoutSettings('no settings here'),
    ...withoutRuns('This test does not need that.'),
    ...withoutLibrary('This test does not need that.'),
    ...withoutComparing('This test does not need that.'),
    ...withoutExports('This test does not need that.'),
    'host.capabilities': async () => ({
      host: 'browser',
      version: '0.0.0',
      openDialog: false,
      drops: '/drops',
      sample: null,
      runs: false,
      tasks: false,
      exports: false,
      shared: null,
      problems: [],
      platform: 'test'
    }),
    'log.list': async () => ({ logs: [] }),
    'log.open': async ({ path }) => statusOf(path),
    'log.close': async () => ({}),
    'log.status': async () => statusOf('/logs/a.jsonl'),
    'log.columns': async ({ from, count }) => columnsOf(from, count),
    'log.rows': unavailable,
    'log.requests': unavailable,
    'log.usage': unavailable,
    'log.summary': unavailable,
    'log.spans': unavailable,
    'log.timeSplit': unavailable,
    'log.callTable': unavailable,
    'log.context': unavailable,
    'log.findings': unavailable,
    'log.event': unavailable,
    'log.text': unavailable,
    'log.images': unavailable,
    'log.raw': unavailable,
    'log.sameFile': unavailable,
    'log.files': unavailable,
    'log.fileAt': unavailable,
    'log.fileLines': unavailable,
    'log.todoColumns': unavailable,
    'log.todos': unavailable,
    'log.todoLanes': unavailable,
    'log.issues': unavailable,
    'log.find': unavailable,
    'log.hits': unavailable,
    'log.endFind': unavailable,
    'review.get': unavailable,
    'review.set': unavailable,
    'recent.list': async () => ({ recent: [] }),
    'dialog.open': unavailable
  }
}
