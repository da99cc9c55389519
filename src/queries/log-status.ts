import type { LogFormat, MissingLogs } from '#core/formats/log-format.ts'
import { noMissingLogs } from '#core/formats/log-format.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import type { LogStatus } from '#contract/methods.ts'

/** What is known of a log before it is read. */
type OpenedLog = Pick<LogStatus, 'log' | 'path' | 'name' | 'phase' | 'error'>

/** The part of a status that only a log that grows has. */
type Growth = Pick<
  LogStatus,
  'generation' | 'generationNote' | 'settled' | 'fileState' | 'grownAt' | 'waitingBytes' | 'savedRows' | 'marked'
>

/** What was read of the files of a run. */
export interface ReadRun {
  readonly format: LogFormat
  readonly formatNote: string | null
  readonly notes: readonly string[]
  /** The main file first. */
  readonly files: readonly LogStatus['files'][number][]
  readonly missing: MissingLogs
  readonly index: RunIndex
}

/** The status of a log. `read`: null before its files are found. Without `growth`, all of the index is final. */
export function logStatus(log: OpenedLog, read: ReadRun | null, growth: Partial<Growth> = {}): LogStatus {
  if (read === null) return { ...unread, ...log, ...growth }
  const { format, formatNote, notes, files, missing, index } = read
  const [{ bytes, bytesRead, lines } = unread, ...others] = files
  const { rows, todos, agentType } = index
  const counts = { rows: rows.rows, events: rows.events, todoSnapshots: todos.length }
  return {
    ...unread,
    ...log,
    ...{ format: format.id, formatTitle: format.title, formatNote, notes: [...notes], files: others, missing },
    ...{ bytes, bytesRead, lines },
    ...counts,
    settled: counts,
    marked: rows.marked,
    issues: { ...rows.issues.counts },
    failedCalls: rows.failedCalls,
    firstTimestamp: rows.firstTimestamp,
    lastTimestamp: rows.lastTimestamp,
    model: rows.model,
    sessionId: rows.sessionId,
    agent: rows.agentType ?? agentType,
    tools: [...rows.tools],
    tracks: [...rows.tracks],
    ...growth
  }
}

const unread: Omit<LogStatus, keyof OpenedLog> = {
  ...{ format: null, formatTitle: '', formatNote: null, notes: [], files: [], missing: noMissingLogs },
  ...{ bytes: 0, bytesRead: 0, lines: 0, rows: 0, events: 0, todoSnapshots: 0 },
  ...{ generation: 1, generationNote: null, settled: { rows: 0, events: 0, todoSnapshots: 0 } },
  ...{ fileState: 'there', grownAt: null, waitingBytes: 0, savedRows: 0, marked: 0 },
  issues: { malformed: 0, violation: 0, notice: 0 },
  failedCalls: 0,
  ...{ firstTimestamp: null, lastTimestamp: null, model: null, sessionId: null, agent: null, tools: [], tracks: [] }
}
