import { fileMethods } from './files.ts'
import * as z from 'zod'
import { ruleNames } from '#core/findings/finding.ts'
import { AgentEvent } from '#core/events/agent-event.ts'
import { TodoItem, TodoStatus } from '#core/events/todo.ts'
import { type IssueCode, issueCodes, issueSeverities } from '#core/formats/issue.ts'
import { imageTypes } from '#core/media/image-type.ts'
import { maxQueryLength } from '#core/query/query.ts'
import { maxBookmarks, PlaceInRun, Review } from '#core/replay/review.ts'
import { requestTiers } from '#core/requests/request-note.ts'
import { TokenGroup } from '#core/requests/token-groups.ts'
import { analysisMethods } from './analysis.ts'
import { commandIds } from './commands.ts'
import { compareMethods, compareNotices } from './compare.ts'
import { exportMethods } from './exports.ts'
import { libraryMethods, libraryNotices } from './library.ts'
import { liveRunMethods, liveRunNotices } from './live-runs.ts'
import { settingsMethods, settingsNotices } from './settings.ts'
import { taskMethods, taskNotices } from './tasks.ts'

/** The only list of methods. Values are JSON-safe, except for `ArrayBuffer`s at the top level of a result (columns). */

const LogId = z.string().min(1).max(64)
const Row = z.int().min(0)
const Buffer = z.instanceof(ArrayBuffer)
const Severity = z.enum(issueSeverities)
const knownIssueCodes = Object.keys(issueCodes) as IssueCode[]

/** The progress and counts of a log. Sent as the notice `log.progress` while it changes. */
export const LogStatus = z.object({
  log: LogId,
  path: z.string(),
  name: z.string(),
  /** `done`: read to the end and followed; small additions stay in it. `failed`: see `error`; rows stay usable. */
  phase: z.enum(['reading', 'done', 'failed']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Null: unknown, so the log has raw rows; `formatNote` says why. */
  format: z.string().nullable(),
  formatTitle: z.string(),
  formatNote: z.string().nullable(),
  /** Sentences about other files of the run that are not shown, e.g. "3 warm-up agents not shown". */
  notes: z.array(z.string()),
  /** Other files of the run, whose rows are among the log's; names relative to its folder. */
  files: z.array(z.object({ name: z.string(), bytes: z.number(), bytesRead: z.number(), lines: z.number() })),
  /** Logs of subagents that are named and not among `files`. `perhaps`: calls without a result may have started more. */
  missing: z.object({ named: z.int(), perhaps: z.boolean() }),
  /** `bytes`, `bytesRead` and `lines` are of the main file, other numbers of the whole run. */
  bytes: z.number(),
  bytesRead: z.number(),
  lines: z.number(),
  rows: z.number(),
  events: z.number(),
  /** From 1. A new one, with new rows and seqs, begins if the file was truncated or replaced, or rows are reordered. */
  generation: z.int(),
  /** Why this generation began, for people; null: the first one, or nothing was lost. */
  generationNote: z.string().nullable(),
  /** The final part of this generation. Later rows depend on the end of the log and are replaced when it grows. */
  settled: z.object({ rows: z.int(), events: z.int(), todoSnapshots: z.int() }),
  /** `gone` and `unreadable` keep the rows; the file is checked again. */
  fileState: z.enum(['there', 'gone', 'unreadable']),
  /** When the log last grew while it was open, ms since the epoch; null: not yet. */
  grownAt: z.number().nullable(),
  /** Bytes of an unterminated last line. */
  waitingBytes: z.int(),
  /** Rows of a saved index. */
  savedRows: z.int(),
  /** Number of marks. When it grows, the `mark` column of earlier rows may have changed. */
  marked: z.number(),
  todoSnapshots: z.number(),
  issues: z.object({ malformed: z.number(), violation: z.number(), notice: z.number() }),
  /** By `isFailedCall`; a call counts once. */
  failedCalls: z.int(),
  /** Milliseconds since the epoch, null if no record states a time. */
  firstTimestamp: z.number().nullable(),
  lastTimestamp: z.number().nullable(),
  model: z.string().nullable(),
  sessionId: z.string().nullable(),
  /** The name in its events; null: unknown. */
  agent: z.string().nullable(),
  /** The `tool` column is an index here, from 1; 0: no tool. */
  tools: z.array(z.string()),
  /** Indexed by the `track` column; 0: main agent. `label`: its task, if known. `call`: the row that started it, or -1. */
  tracks: z.array(z.object({ trackId: z.string().nullable(), label: z.string(), depth: z.int(), call: z.int() }))
})
export type LogStatus = z.infer<typeof LogStatus>

/** `path`: JSON path in the record; null: the line is not JSON. */
export const RowIssue = z.object({
  code: z.string(),
  severity: Severity,
  path: z.string().nullable(),
  message: z.string()
})
export type RowIssue = z.infer<typeof RowIssue>

/** The progress of a todo list after an event. */
export const TodoProgress = z.object({
  /** In list order, at most 200. */
  statuses: z.array(TodoStatus),
  total: z.int(),
  completed: z.int(),
  /** Against the previous snapshot. */
  completedDelta: z.int()
})
export type TodoProgress = z.infer<typeof TodoProgress>

/** A timeline row's content beside its columns: bounded, one line, no markup. */
export const RowSummary = z.object({
  row: Row,
  /** At most 300 characters; control characters and line ends shown as spaces. */
  text: z.string(),
  /** A term of a query that the row meets because of `text`: `file:src/a.ts`. */
  term: z.string().optional(),
  /** Secondary text after `text`: a subagent's type, "general-purpose". */
  detail: z.string(),
  /** Monospaced: commands, paths and raw records. */
  mono: z.boolean(),
  /** Short facts at the row's end, e.g. "12 lines", "exit 1". */
  badges: z.array(
    z.object({ text: z.string(), tone: z.enum(['plain', 'bad', 'add', 'del']), term: z.string().optional() })
  ),
  todo: TodoProgress.nullable(),
  issues: z.array(RowIssue)
})
export type RowSummary = z.infer<typeof RowSummary>

/** `from` and `to`: statuses; for a move places from 0. `dropped`: removed before it was finished. */
export const TodoChange = z.object({
  kind: z.enum(['added', 'removed', 'status', 'moved']),
  text: z.string(),
  from: z.union([z.string(), z.number()]).optional(),
  to: z.union([z.string(), z.number()]).optional(),
  dropped: z.literal(true).optional()
})

/** Facts in an event's record beside the event. */
export const RowFacts = z.object({
  /** The model that wrote it. */
  model: z.string().nullable(),
  /** Tokens of the message or of a subagent, with the vendor's names. */
  usage: z.record(z.string(), z.unknown()).nullable(),
  exitCode: z.number().nullable(),
  /** File changes as hunks of a unified diff; none above a million characters. */
  diffs: z.array(z.object({ path: z.string(), created: z.boolean(), patch: z.string() })),
  /** Number of images of `log.images`. */
  images: z.int()
})
export type RowFacts = z.infer<typeof RowFacts>

const Total = z.int().min(0).nullable()
const TokenTotals = z.object({
  requests: Total,
  input: Total,
  cacheRead: Total,
  cacheWrite: Total,
  output: Total,
  reasoning: Total,
  understatedRequests: z.int().min(0),
  outputByText: Total,
  spent: z.array(TokenGroup)
})

/** Tokens of a range of rows (`core/requests/usage.ts`). */
export const Usage = TokenTotals.extend({
  byTrack: z.array(TokenTotals.extend({ trackId: z.string().nullable() })),
  byModel: z.array(TokenTotals.extend({ model: z.string().nullable() }))
})
export type Usage = z.infer<typeof Usage>

const Duration = z.number().nullable()
const ToolCalls = z.object({
  total: z.int(),
  failed: z.int(),
  /** Of calls with a known duration, in ms; null: none. */
  durationMs: Duration,
  unknownDurations: z.int()
})

/** The numbers of a run, as in `playhead stats` and reports. Null: not stated. */
export const RunSummary = z.object({
  /** Counted rows, of `rows`. */
  counted: z.int(),
  rows: z.int(),
  turns: z.int(),
  /** Milliseconds since the epoch. */
  begin: z.number().nullable(),
  time: z.object({ wallMs: z.number(), activeMs: z.number(), waitingMs: z.number() }).nullable(),
  calls: ToolCalls.extend({ byTool: z.array(ToolCalls.extend({ tool: z.string() })) }),
  /** `track`: an index in `LogStatus.tracks`. `wallMs`: from its first to its last record. */
  subagents: z.array(z.object({ track: z.int(), calls: z.int(), failed: z.int(), wallMs: Duration })),
  /** The ten longest. `row`: the call, or its result if the call is not in the log. */
  longest: z.array(z.object({ row: Row, tool: z.string(), tookMs: z.number() })),
  /** Rows read again for `files` and `failures`. */
  read: z.int(),
  /** Why they cannot be read again, for people; null: they can. */
  problem: z.string().nullable(),
  /** Failed calls with the same text, most first. `row`: the result of the first one. */
  failures: z.object({
    groups: z.array(z.object({ tool: z.string(), text: z.string(), count: z.int(), row: Row })),
    /** Failed calls beyond these groups. */
    further: z.int()
  }),
  /** `changed`: the files with most changes, of `total`. */
  files: z.object({
    changed: z.array(z.object({ path: z.string(), calls: z.int(), added: z.int(), deleted: z.int() })),
    total: z.int(),
    /** There are more than `total`. */
    more: z.boolean()
  }),
  /** The main agent's last list; null: none. */
  todos: z.object({ completed: z.int(), total: z.int() }).nullable(),
  costUsd: z.number().nullable()
})
export type RunSummary = z.infer<typeof RunSummary>

const RuleName = z.enum(ruleNames)

/** Something notable in what the agent did (`core/findings/finding.ts`). */
export const Finding = z.object({
  rule: RuleName,
  /** One sentence. */
  text: z.string(),
  /** A few words for a mark. */
  short: z.string(),
  /** The rows of the events that show it, ascending; at least one, at most 200. */
  rows: z.array(Row),
  /** Further events that are only counted. */
  more: z.int()
})
export type Finding = z.infer<typeof Finding>

/** The findings of a run. */
export const RunFindings = z.object({
  /** In the order of their first rows; at most 1,000. */
  findings: z.array(Finding),
  /** By rule: findings that are only counted. */
  further: z.partialRecord(RuleName, z.int())
})
export type RunFindings = z.infer<typeof RunFindings>

/** One request to a model, or the sum that the end of a turn states (`core/requests/request-list.ts`). */
export const ModelRequest = z.object({
  of: z.enum(['request', 'turn', 'rest']),
  trackId: z.string().nullable(),
  model: z.string().nullable(),
  rowFirst: Row,
  rowLast: Row,
  /** The first and last event of these rows; -1: none. */
  seqFirst: z.int(),
  seqLast: z.int(),
  tokens: z.object({
    input: z.int().optional(),
    cacheRead: z.int().optional(),
    cacheWrite: z.int().optional(),
    cacheWriteHour: z.int().optional(),
    output: z.int().optional(),
    reasoning: z.int().optional()
  }),
  outputIs: z.enum(['stated', 'understated', 'unknown']),
  written: z.int(),
  settled: z.boolean(),
  window: z.number().nullable(),
  firstTokenMs: z.number().nullable(),
  /** Null: the log does not tell. */
  tier: z.enum(requestTiers).nullable(),
  /** What the log says it cost, in US dollars. */
  costUsd: z.number().nullable(),
  /** It is part of what the log says that the whole run cost. */
  inRunCost: z.boolean(),
  /** Milliseconds since the epoch, of the track's previous event and of the last line. Null: not stated. */
  begin: z.number().nullable(),
  end: z.number().nullable()
})
export type ModelRequest = z.infer<typeof ModelRequest>

/** The list of a track after event `seq`, and the event's changes. */
export const TodoSnapshot = z.object({
  /** Position among all snapshots of the log. */
  index: z.int(),
  seq: z.int(),
  row: Row,
  line: z.int(),
  timestamp: z.number(),
  trackId: z.string().nullable(),
  todoId: z.string(),
  items: z.array(TodoItem),
  /** As in `playhead todos`: an edited item is removed and added. At most 1,000. */
  changes: z.array(TodoChange),
  /** Changes beyond these. */
  moreChanges: z.int().min(0),
  /** Dropped items of the track so far: removed unfinished, and not returned. */
  dropped: z.int().min(0),
  /** Parallel to `items`: the lane of each item, and the event and time (ms) since which it has its status. */
  lanes: z.array(z.int()),
  sinceSeq: z.array(z.int()),
  since: z.array(z.number()),
  /** Parallel to `items`: how long a completed one was in progress, in ms; null: unknown. */
  tookMs: z.array(Duration),
  /** Edited items of the previous list: the place in `items` and the old text. */
  edited: z.array(z.object({ place: z.int(), from: z.string() })),
  /** Places of items that were in an earlier list and not in the previous one. */
  returned: z.array(z.int())
})
export type TodoSnapshot = z.infer<typeof TodoSnapshot>

/** A log opened before, with its state at that time. */
export const RecentLog = z.object({
  path: z.string(),
  name: z.string(),
  /** Null: the file is gone. */
  bytes: z.number().nullable(),
  format: z.string().nullable(),
  /** Absent: written by an older version. */
  agent: z.string().nullable().optional(),
  openedAt: z.number(),
  events: z.number(),
  malformed: z.number(),
  violation: z.number(),
  todo: z.object({ completed: z.int(), total: z.int() }).nullable()
})
export type RecentLog = z.infer<typeof RecentLog>

/** A log exported as a shared page. */
export const SharedLog = z.object({
  /** Ms since the epoch. */
  exportedAt: z.number(),
  /** Removed secrets by kind, most first; null: not redacted. */
  redacted: z.array(z.object({ kind: z.string(), count: z.int().min(1) })).nullable(),
  /** Its number of events; absent: the whole session. */
  part: z.object({ events: z.int(), of: z.int() }).optional()
})
export type SharedLog = z.infer<typeof SharedLog>

export const methods = {
  'host.capabilities': {
    params: z.object({}),
    result: z.object({
      /** `shared`: a page with its log. */
      host: z.enum(['electron', 'browser', 'shared']),
      version: z.string(),
      /** Has a native open dialog (`dialog.open`). */
      openDialog: z.boolean(),
      /** The folder for files sent with PUT to `/drop/GROUP/PATH`, with a folder for each group; null: not possible. */
      drops: z.string().nullable(),
      sample: z.string().nullable(),
      platform: z.string(),
      /** Agents can be started here (`agent.*`, `run.*`). */
      runs: z.boolean(),
      /** Stores the user's tasks and the reports of agents' hooks (`task.*`, `tool.result`). */
      tasks: z.boolean(),
      /** Logs can be exported (`export.*`). */
      exports: z.boolean(),
      /** The one log of a shared page; null: logs are opened from files. */
      shared: SharedLog.nullable(),
      /** Earlier sentences of `host.problem`. */
      problems: z.array(z.string())
    })
  },
  /** The open logs in order. The page shows the last one at start. */
  'log.list': { params: z.object({}), result: z.object({ logs: z.array(LogStatus) }) },
  /** Opens a log, or returns an open one. Resolves before the log is read. */
  'log.open': {
    params: z.object({ path: z.string().min(1).max(4096), format: z.string().max(64).optional() }),
    result: LogStatus
  },
  'log.close': { params: z.object({ log: LogId }), result: z.object({}) },
  'log.status': { params: z.object({ log: LogId }), result: LogStatus },
  /**
   * Columns of rows `from` … `from + count`, fewer at the end of the log. Little-endian typed arrays: kind Uint8 (index in
   * `rowKinds`) · severity Uint8 (the worst issue: 0 none, 1 notice, 2 violation, 3 malformed) · issues Uint16 (count) ·
   * time Float64 (ms, NaN unknown) · line Uint32 · seq Int32 (-1: record) · tool Uint16 · track Uint16 · pair Int32 (of a
   * completion: the row of its start or of the list it wrote; of a text about a call: that call's; else -1) · took Float64 (of a completion: ms, NaN unknown) ·
   * mark Uint8 (index in `rowMarks`) · file Uint16 (0: main file, n: `LogStatus.files[n - 1]`)
   */
  'log.columns': {
    params: z.object({ log: LogId, from: Row, count: z.int().min(1).max(200_000) }),
    result: z.object({
      from: Row,
      count: z.int(),
      kind: Buffer,
      severity: Buffer,
      issues: Buffer,
      time: Buffer,
      line: Buffer,
      seq: Buffer,
      tool: Buffer,
      track: Buffer,
      pair: Buffer,
      took: Buffer,
      mark: Buffer,
      file: Buffer
    })
  },
  /** In the order of their first rows. */
  'log.requests': {
    params: z.object({ log: LogId, from: z.int().min(0), count: z.int().min(1).max(1000) }),
    result: z.object({ from: z.int(), total: z.int(), requests: z.array(ModelRequest) })
  },
  /** Tokens of the requests that began in rows `from` … `to - 1`, for each range; null: not stated. */
  'log.usage': {
    params: z.object({
      log: LogId,
      ranges: z
        .array(z.object({ from: Row, to: Row }))
        .min(1)
        .max(200)
    }),
    result: z.object({ usages: z.array(Usage.nullable()) })
  },
  /** Counts for some tens of ms, after the last call. Call again while `counted` or `read` is less than `rows`. */
  'log.summary': { params: z.object({ log: LogId }), result: RunSummary },
  /** Works for about 25 ms, then answers; call again until `read` is `rows`. */
  'log.findings': { params: z.object({ log: LogId }), result: RunFindings },
  /** Summaries of rows, read from the file again, in the given order. */
  'log.rows': {
    params: z.object({ log: LogId, rows: z.array(Row).min(1).max(400) }),
    result: z.object({ rows: z.array(RowSummary) })
  },
  /**
   * `cut`: paths and full lengths of strings longer than `limit` characters. For a row without event, `record` is the JSON
   * value, null if the line is not JSON. `pair`: of `tool.started` or the `todo_list` of a call, its last completion; of
   * `tool.completed` and of a text about a call, its start or list. `results`: rows of up to 1,000 completions of the call, the last one first.
   */
  'log.event': {
    params: z.object({ log: LogId, row: Row, limit: z.int().min(100).max(4_000_000) }),
    result: z.object({
      row: Row,
      event: AgentEvent.nullable(),
      record: z.unknown(),
      cut: z.array(z.object({ path: z.string(), length: z.int() })),
      facts: RowFacts,
      pair: z
        .object({
          row: Row,
          event: AgentEvent,
          cut: z.array(z.object({ path: z.string(), length: z.int() })),
          facts: RowFacts
        })
        .nullable(),
      results: z.array(Row),
      issues: z.array(RowIssue)
    })
  },
  /** UTF-16 units of a string that `log.event` cut; does not split surrogate pairs. `not-found`: no such string. */
  'log.text': {
    params: z.object({
      log: LogId,
      row: Row,
      path: z.string().min(1).max(100_000),
      from: z.int().min(0),
      count: z.int().min(2).max(4_000_000)
    }),
    result: z.object({ text: z.string(), length: z.int() })
  },
  /**
   * The images of the row's event. `type`: by their bytes; null: left out, see `problem`. `offset` and `length`: in `bytes`.
   * At most 20 images and 32 MiB, none over 16 MiB.
   */
  'log.images': {
    params: z.object({ log: LogId, row: Row }),
    result: z.object({
      images: z.array(
        z.object({
          path: z.string(),
          declared: z.string(),
          type: z.enum(imageTypes).nullable(),
          offset: z.int(),
          length: z.int(),
          problem: z.string().nullable()
        })
      ),
      bytes: Buffer
    })
  },
  /** Bytes of a line of the (unpacked) file. `length`: of the line. `file` null: main file. `end` null: in a document. */
  'log.raw': {
    params: z.object({ log: LogId, row: Row, from: z.int().min(0), count: z.int().min(1).max(1_048_576) }),
    result: z.object({
      file: z.string().nullable(),
      line: z.int(),
      offset: z.number(),
      length: z.number(),
      end: z.enum(['lf', 'crlf', 'none']).nullable(),
      bytes: Buffer
    })
  },
  /**
   * The next call after (-1: before) row `from` whose input or command line names a file of the call at `row`. `files`: of the
   * call at `row`. One call reads a few megabytes; continue at `goOnFrom`, null: nothing is left.
   */
  'log.sameFile': {
    params: z.object({
      log: LogId,
      row: Row,
      from: z.int().min(-1),
      direction: z.union([z.literal(1), z.literal(-1)])
    }),
    result: z.object({ row: Row.nullable(), goOnFrom: z.int().nullable(), files: z.array(z.string()) })
  },
  ...fileMethods,
  /** By snapshot: seq Int32 · row Int32 · track, completed, total Uint16 · dropped Uint32 (of its track so far). */
  'log.todoColumns': {
    params: z.object({ log: LogId, from: z.int().min(0) }),
    result: z.object({
      from: z.int(),
      count: z.int(),
      seq: Buffer,
      row: Buffer,
      track: Buffer,
      completed: Buffer,
      total: Buffer,
      dropped: Buffer
    })
  },
  'log.todos': {
    params: z.object({ log: LogId, from: z.int().min(0), count: z.int().min(1).max(200) }),
    result: z.object({ snapshots: z.array(TodoSnapshot) })
  },
  /**
   * State changes of lanes in the order of snapshots: snapshot Uint32 · lane Uint32 (numbered by appearance) · state Uint8
   * (index in `laneStates`) · text Uint32 (index in `texts`) · beside Int32 (the place among the lanes of the track: n after
   * lane n - 1, -n before it, 0 last). `transitions`, `lanes`: totals. Long texts reduce the count, to one at least.
   */
  'log.todoLanes': {
    params: z.object({ log: LogId, from: z.int().min(0), count: z.int().min(1).max(200_000) }),
    result: z.object({
      from: z.int(),
      transitions: z.int(),
      lanes: z.int(),
      snapshot: Buffer,
      lane: Buffer,
      state: Buffer,
      text: Buffer,
      beside: Buffer,
      /** Cut at 1000 characters. */
      texts: z.array(z.string())
    })
  },
  /** Issues in row order, of one `code` or all, from the `from`-th or `row` on. `codes`: of the log, worst first. */
  'log.issues': {
    params: z.object({
      log: LogId,
      from: z.int().min(0),
      count: z.int().min(1).max(1000),
      code: z.enum(knownIssueCodes).optional(),
      row: Row.optional()
    }),
    result: z.object({
      from: z.int(),
      total: z.int(),
      codes: z.array(z.object({ code: z.enum(knownIssueCodes), severity: Severity, count: z.int() })),
      issues: z.array(RowIssue.extend({ row: Row, file: z.string().nullable(), line: z.int() }))
    })
  },
  /**
   * Searches the lines of a log, also those added later; `log.found` has the progress. A search replaces one of the same name
   * (`as`, default 'find'); 'find' and names that begin with 'filter' run first, others in order, at most 64. A literal `text` is found plain and
   * escaped as in a JSON string; a `regex` (flag `u`, and `i` unless `caseSensitive`) matches each line as written. Without
   * `caseSensitive`, cases of equal UTF-8 length are equal. With `isQuery`, `text` is a query (docs/query.md); rows of a
   * growing log may then be removed. `bad-params` with a reason for an invalid expression or query.
   */
  'log.find': {
    params: z.object({
      log: LogId,
      text: z.string().min(1).max(maxQueryLength),
      regex: z.boolean(),
      caseSensitive: z.boolean(),
      isQuery: z.boolean().optional(),
      /** For queries that ask for them: pages keep the bookmarks of shared logs. */
      bookmarks: z.array(PlaceInRun).max(maxBookmarks).optional(),
      as: z.string().min(1).max(60).optional()
    }),
    result: z.object({ find: z.int() })
  },
  /** The rows (Uint32) in the order found, which is ascending for a log of one file. None after the search ended. */
  'log.hits': {
    params: z.object({ log: LogId, find: z.int(), from: z.int().min(0), count: z.int().min(1).max(1_000_000) }),
    result: z.object({ rows: Buffer })
  },
  /** Ends a search; no error if it has ended. */
  'log.endFind': { params: z.object({ log: LogId, find: z.int() }), result: z.object({}) },
  /** Kept by path. `revision` counts changes by all pages. Absent members stay. `unavailable`: not saved. */
  'review.get': { params: z.object({ log: LogId }), result: Review.extend({ revision: z.int() }) },
  'review.set': {
    params: Review.partial().extend({ log: LogId }),
    result: z.object({ revision: z.int() })
  },
  'recent.list': { params: z.object({}), result: z.object({ recent: z.array(RecentLog) }) },
  /** Only with `capabilities.openDialog`. Empty: cancelled. */
  'dialog.open': {
    params: z.object({ what: z.enum(['files', 'folder']) }),
    result: z.object({ paths: z.array(z.string()) })
  },
  ...analysisMethods,
  ...compareMethods,
  ...exportMethods,
  ...libraryMethods,
  ...liveRunMethods,
  ...settingsMethods,
  ...taskMethods
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>

/** The progress of a search. Sent at the start, about ten times a second, at the end, and for hits in additions. */
export const FindProgress = z.object({
  log: LogId,
  find: z.int(),
  /** The name of the search. */
  as: z.string(),
  /** Of the log's generation when it began; a new generation ends it. */
  generation: z.int(),
  searching: z.boolean(),
  hits: z.int(),
  /** Of all files of the run. */
  bytesSearched: z.number(),
  bytes: z.number(),
  /** Why it stopped early, a sentence for the user; hits are kept. */
  error: z.string().nullable(),
  /** Earlier results from this row on may have changed. Absent: rows were only appended. */
  changedFrom: z.int().optional()
})
export type FindProgress = z.infer<typeof FindProgress>

/** The notices of the host. */
export const notices = {
  'log.progress': LogStatus,
  'log.found': FindProgress,
  /** A page has set the review of a log; also sent to that page. */
  'review.changed': Review.extend({ log: LogId, revision: z.int() }),
  /** The host was asked (second start, menu, link) to show this log. `seq`: at this event; `where`: only the rows of this query. */
  'log.show': z.object({
    log: LogId,
    seq: z.int().min(0).optional(),
    where: z.string().max(maxQueryLength).optional()
  }),
  /** The user chose a command of the page in the host's menu. */
  'host.command': z.object({ command: z.enum(commandIds) }),
  /** Playhead could not store data of its own: names the file and the reason. Each sentence is sent once. */
  'host.problem': z.object({ message: z.string() }),
  /** The list of recent logs changed. */
  'recent.changed': z.object({}),
  ...compareNotices,
  ...libraryNotices,
  ...liveRunNotices,
  ...settingsNotices,
  ...taskNotices
} as const satisfies Record<string, z.ZodType>

export type MethodName = keyof typeof methods
export type Params<M extends MethodName> = z.infer<(typeof methods)[M]['params']>
export type Result<M extends MethodName> = z.infer<(typeof methods)[M]['result']>
export type NoticeName = keyof typeof notices
export type Notice<N extends NoticeName> = z.infer<(typeof notices)[N]>

/** Electron's main process, the loopback server, or a thread of a shared page. The page never depends on which. */
export interface Host {
  call<M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>>
  /** Returns a function that removes the listener. */
  on<N extends NoticeName>(notice: N, listener: (payload: Notice<N>) => void): () => void
  onClose(listener: () => void): void
}

/** What a host implements. `log` methods of an open log are answered by its worker. */
export type Handlers = { [M in MethodName]: (params: Params<M>) => Promise<Result<M>> }
