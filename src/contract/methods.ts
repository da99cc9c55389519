import * as z from 'zod'
import { AgentEvent } from '#core/events/agent-event.ts'
import { TodoItem, TodoStatus } from '#core/events/todo.ts'
import { type IssueCode, issueCodes, issueSeverities } from '#core/formats/issue.ts'
import { imageTypes } from '#core/media/image-type.ts'
import { maxQueryLength } from '#core/query/query.ts'
import { Review } from '#core/replay/review.ts'
import { commandIds } from './commands.ts'
import { exportMethods } from './exports.ts'
import { libraryMethods, libraryNotices } from './library.ts'
import { liveRunMethods, liveRunNotices } from './live-runs.ts'
import { taskMethods, taskNotices } from './tasks.ts'

/**
 * The only list of what the page may ask of a host. Adding a method: an entry here and its handler in `backend/`.
 * Values are JSON-safe, but for `ArrayBuffer`s at the top level of a result (bulk columns).
 */

const LogId = z.string().min(1).max(64)
const Row = z.int().min(0)
const Buffer = z.instanceof(ArrayBuffer)
const Severity = z.enum(issueSeverities)
const knownIssueCodes = Object.keys(issueCodes) as IssueCode[]

/** How far a log is read, and what is in it so far. Sent as the notice `log.progress` while it changes. */
export const LogStatus = z.object({
  log: LogId,
  path: z.string(),
  name: z.string(),
  /**
   * `reading`: on the way to the end of what is there. `done`: all of it is read, and what is added is followed; a small addition
   * is read without leaving this phase. `failed`: reading stopped, `error` says why; what was read stays usable.
   */
  phase: z.enum(['reading', 'done', 'failed']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** null: no format claims the log; it is shown as raw rows and `formatNote` says why. */
  format: z.string().nullable(),
  formatTitle: z.string(),
  formatNote: z.string().nullable(),
  /** Sentences about other files of the run that are not shown, e.g. "3 warm-up agents not shown". */
  notes: z.array(z.string()),
  /** The files of the run beside this one, whose rows stand among its own; names relative to its folder. */
  files: z.array(z.object({ name: z.string(), bytes: z.number(), bytesRead: z.number(), lines: z.number() })),
  /**
   * Logs of subagents that this log tells of, and that are not among `files`: how many it names; `perhaps`: calls without a result may have
   * started more.
   */
  missing: z.object({ named: z.int(), perhaps: z.boolean() }),
  /** `bytes`, `bytesRead` and `lines` are those of the file itself, the other numbers those of the whole run. */
  bytes: z.number(),
  bytesRead: z.number(),
  lines: z.number(),
  rows: z.number(),
  events: z.number(),
  /**
   * Counts from 1. A new generation begins when the file was truncated, replaced or rotated (`generationNote` says so), or when its run
   * has to be put in order anew: rows, seqs and snapshots of the one before mean nothing any more.
   */
  generation: z.int(),
  /** Why this generation began, a sentence for people; null for the first, and where nothing is lost. */
  generationNote: z.string().nullable(),
  /**
   * How much of this generation is final. What comes after it tells how the log ends as it is now (a cut last line, a last turn that is
   * over) and is taken back when the log goes on.
   */
  settled: z.object({ rows: z.int(), events: z.int(), todoSnapshots: z.int() }),
  /** What has become of the file: `gone` and `unreadable` keep what was read, and it is looked for again. */
  fileState: z.enum(['there', 'gone', 'unreadable']),
  /** When the log last grew while it was open, ms since the epoch; null: not yet. */
  grownAt: z.number().nullable(),
  /** Bytes of a last line without line end that waits for the rest of it; 0: none does. */
  waitingBytes: z.int(),
  /** How many rows came from a saved index and not from reading the log. */
  savedRows: z.int(),
  /** How often a row was marked: when it grows, the `mark` column of rows asked for before may have changed. */
  marked: z.number(),
  todoSnapshots: z.number(),
  issues: z.object({ malformed: z.number(), violation: z.number(), notice: z.number() }),
  /** Calls that failed so far, by `isFailedCall`; a call counts once. */
  failedCalls: z.int(),
  /** Milliseconds since the epoch, null if no record states a time. */
  firstTimestamp: z.number().nullable(),
  lastTimestamp: z.number().nullable(),
  model: z.string().nullable(),
  sessionId: z.string().nullable(),
  /** As its events name it; null: not known. */
  agent: z.string().nullable(),
  /** Interned names: the `tool` column counts from 1 in here, 0 is no tool. */
  tools: z.array(z.string()),
  /**
   * The `track` column indexes here; 0 is the main agent. `label`: what the track was asked to do, if it is known. `call`: the row of
   * the call that started it, -1 where there is none that is known.
   */
  tracks: z.array(z.object({ trackId: z.string().nullable(), label: z.string(), depth: z.int(), call: z.int() }))
})
export type LogStatus = z.infer<typeof LogStatus>

/** An issue as the page shows it. `path`: JSON path in the record, null where the line is no JSON. */
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
  /** By how much `completed` grew against the snapshot before, may be negative. */
  completedDelta: z.int()
})
export type TodoProgress = z.infer<typeof TodoProgress>

/** A timeline row's content beside its columns: bounded, one line, no markup. */
export const RowSummary = z.object({
  row: Row,
  /** At most 300 characters; control characters and line ends shown as spaces. */
  text: z.string(),
  /** Secondary text after `text`: a subagent's type, "general-purpose". */
  detail: z.string(),
  /** Monospaced: commands, paths and raw records. */
  mono: z.boolean(),
  /** Short facts at the row's end, e.g. "12 lines", "exit 1". */
  badges: z.array(z.object({ text: z.string(), tone: z.enum(['plain', 'bad', 'add', 'del']) })),
  todo: TodoProgress.nullable(),
  issues: z.array(RowIssue)
})
export type RowSummary = z.infer<typeof RowSummary>

/** What became of one item: `from` and `to` are statuses, of a move places in the list (from 0). `dropped`: removed before it was finished. */
export const TodoChange = z.object({
  kind: z.enum(['added', 'removed', 'status', 'moved']),
  text: z.string(),
  from: z.union([z.string(), z.number()]).optional(),
  to: z.union([z.string(), z.number()]).optional(),
  dropped: z.literal(true).optional()
})

/** What the record of an event says of it beside the event itself; null: nothing. */
export const RowFacts = z.object({
  /** The model that wrote it. */
  model: z.string().nullable(),
  /** Tokens of the message, or of a subagent that answered, in the vendor's own names. */
  usage: z.record(z.string(), z.unknown()).nullable(),
  exitCode: z.number().nullable(),
  /** What became of files, as hunks of a unified diff. At most a million characters; none where there are more. */
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
  outputByText: Total
})

/** Tokens of some rows, as `core/requests/usage.ts` has them. */
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

/** A run in numbers, as `playhead stats` and reports count it. What the log does not state is null. */
export const RunSummary = z.object({
  /** The numbers are those of so many rows, of `rows` there are so far. */
  counted: z.int(),
  rows: z.int(),
  turns: z.int(),
  /** ms since the epoch, and ms. */
  begin: z.number().nullable(),
  time: z.object({ wallMs: z.number(), activeMs: z.number(), waitingMs: z.number() }).nullable(),
  calls: ToolCalls.extend({ byTool: z.array(ToolCalls.extend({ tool: z.string() })) }),
  /** `track`: an index in `LogStatus.tracks`. `wallMs`: from its first to its last record. */
  subagents: z.array(z.object({ track: z.int(), calls: z.int(), failed: z.int(), wallMs: Duration })),
  /** The longest first, at most ten. `row`: the call, or its result where the log does not hold the call. */
  longest: z.array(z.object({ row: Row, tool: z.string(), tookMs: z.number() })),
  /** What only calls and results tell themselves, files and failures, is that of so many rows. */
  read: z.int(),
  /** Why they cannot be read any further, a sentence for people; null: they can. */
  problem: z.string().nullable(),
  /** Failed calls that say the same, most first. `row`: the result of the first of them. */
  failures: z.object({
    groups: z.array(z.object({ tool: z.string(), text: z.string(), count: z.int(), row: Row })),
    /** Failed calls beyond these groups. */
    further: z.int()
  }),
  /** `total`: how many files calls changed, of which `changed` has those that changed most. */
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

/** One request to a model, or what the end of a turn states of several (`core/requests/request-list.ts`). */
export const ModelRequest = z.object({
  of: z.enum(['request', 'turn', 'rest']),
  trackId: z.string().nullable(),
  model: z.string().nullable(),
  rowFirst: Row,
  rowLast: Row,
  /** The first and the last event of these rows; -1 where they have none. */
  seqFirst: z.int(),
  seqLast: z.int(),
  tokens: z.object({
    input: z.int().optional(),
    cacheRead: z.int().optional(),
    cacheWrite: z.int().optional(),
    output: z.int().optional(),
    reasoning: z.int().optional()
  }),
  outputIs: z.enum(['stated', 'understated', 'unknown']),
  written: z.int(),
  settled: z.boolean(),
  window: z.number().nullable(),
  firstTokenMs: z.number().nullable(),
  /** ms since the epoch: of what the track did before, and of the last line. Null: not stated. */
  begin: z.number().nullable(),
  end: z.number().nullable()
})
export type ModelRequest = z.infer<typeof ModelRequest>

/** The whole list of a track after event `seq`, and what the event changed. */
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
  /** As `playhead todos` tells them: an item whose text was edited is one removed and one added. */
  changes: z.array(TodoChange),
  /** How many there are beside them: at most a thousand are told. */
  moreChanges: z.int().min(0),
  /** How many items of the track are dropped so far: they went before they were finished, and have not come back. */
  dropped: z.int().min(0),
  /** Parallel to `items`: the number of each item's lane, and since which event, at what time (ms), it has its status. */
  lanes: z.array(z.int()),
  sinceSeq: z.array(z.int()),
  since: z.array(z.number()),
  /** Parallel to `items`: how long a completed one was in progress before, in ms; null: not known. */
  tookMs: z.array(Duration),
  /** The items that are ones of the list before with another text: the place in `items`, and the text before. */
  edited: z.array(z.object({ place: z.int(), from: z.string() })),
  /** The places of items that come back: a list of the track had them, the last one had not. */
  returned: z.array(z.int())
})
export type TodoSnapshot = z.infer<typeof TodoSnapshot>

/** A log opened before, with its state at that time. */
export const RecentLog = z.object({
  path: z.string(),
  name: z.string(),
  /** null: the file is gone. */
  bytes: z.number().nullable(),
  format: z.string().nullable(),
  /** Absent: remembered before agents were. */
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
  /** How often secrets of each kind were taken out, the most frequent first; null: none was looked for. */
  redacted: z.array(z.object({ kind: z.string(), count: z.int().min(1) })).nullable(),
  /** How many events of the session it holds; absent: the whole session. */
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
      /**
       * The folder in which files land that are sent with HTTP PUT to `/drop/GROUP/PATH`, the answer's `path` can be opened; null: none can be
       * sent. Files that were given at once are a group, with a folder of its own there, in which they lie as they lay before.
       */
      drops: z.string().nullable(),
      sample: z.string().nullable(),
      platform: z.string(),
      /** Agents can be started here (`agent.*`, `run.*`). */
      runs: z.boolean(),
      /** Stores the user's tasks and the reports of agents' hooks (`task.*`, `tool.result`). */
      tasks: z.boolean(),
      /** Logs can be exported (`export.*`). */
      exports: z.boolean(),
      /** The page holds one log, and can open and close none; null: logs are opened from files. */
      shared: SharedLog.nullable(),
      /** Earlier sentences of `host.problem`. */
      problems: z.array(z.string())
    })
  },
  /** Logs that are open, in the order they were opened. The page shows the last one at start. */
  'log.list': { params: z.object({}), result: z.object({ logs: z.array(LogStatus) }) },
  /** Opens a log, or finds it among the open ones. Returns at once; reading goes on. */
  'log.open': {
    params: z.object({ path: z.string().min(1).max(4096), format: z.string().max(64).optional() }),
    result: LogStatus
  },
  'log.close': { params: z.object({ log: LogId }), result: z.object({}) },
  'log.status': { params: z.object({ log: LogId }), result: LogStatus },
  /**
   * Columns of rows `from` … `from + count`, fewer where the log ends (`count` of the result). Little-endian typed arrays.
   * kind Uint8 (index in `rowKinds`) · severity Uint8 (0 none, 1 notice, 2 violation, 3 malformed: the worst of the row)
   * · issues Uint16 (how many) · time Float64 (ms, NaN unknown) · line Uint32 · seq Int32 (-1: record)
   * · tool Uint16 · track Uint16 · pair Int32 (on a tool's completion the row of its start, or of the list
   * it wrote, else -1) · took Float64 (on a tool's completion the ms that the call took, NaN where that is not known)
   * · mark Uint8 (index in `rowMarks`) · file Uint16 (whose line it is: 0 the log itself, n the file n - 1 of `LogStatus.files`)
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
  /** Requests `from` … `from + count` of the log, in the order in which they began; `total`: how many there are. */
  'log.requests': {
    params: z.object({ log: LogId, from: z.int().min(0), count: z.int().min(1).max(1000) }),
    result: z.object({ from: z.int(), total: z.int(), requests: z.array(ModelRequest) })
  },
  /** What the requests that began in rows `from` … `to - 1` took, for each range; null where the log states no tokens there. */
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
  /**
   * The run in numbers, as far as they are counted: one answer counts for some tens of ms, and the next one goes on from there. Ask again while
   * `counted`, or that of the files, is less than `rows`.
   */
  'log.summary': { params: z.object({ log: LogId }), result: RunSummary },
  /** Summaries of single rows, read from the file again. Order as asked. */
  'log.rows': {
    params: z.object({ log: LogId, rows: z.array(Row).min(1).max(400) }),
    result: z.object({ rows: z.array(RowSummary) })
  },
  /**
   * One row whole. Strings longer than `limit` characters are cut; `cut` names their JSON paths in the event and true lengths.
   * `event` is null for a record; `record` is then its JSON value (cut the same way), null if the line is not JSON.
   * `pair`: for `tool.started`, and the `todo_list` of a call, the effective (last) completion; for `tool.completed` one of those two. Null
   * if there is none.
   * `results`: of either the rows of all completions of the call, the effective one first; at most a thousand.
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
  /**
   * Characters (UTF-16 code units) `from` … `from + count` of one string of the row's event, or of its record where it has none: `path` as
   * `log.event` names it. `length`: of the whole string. One fewer where the piece would end inside a surrogate pair. `not-found` if
   * no string is there.
   */
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
   * The images in the row's record that belong to its event: of a tool's call and result those of that call, of any other row those of no
   * call. `type`: what the bytes are, whatever the record declares; null: they are not given, and `problem` says why, for people.
   * `offset` and `length` in `bytes`. At most 20 images and 32 MiB, none over 16 MiB.
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
  /**
   * Bytes `from` … of the row's line, exactly as they stand in the file (of a compressed one: in its text). `length`: of the whole
   * line. `file`: the name of another file of the run, null for the log itself. `end`: what ends the line; null where it is a record of a
   * document, which may stand on several lines or share one.
   */
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
   * The next call after row `from` (before it, where `direction` is -1) that is about a file the call at `row`, or that of the result there,
   * is about: one that its input names, or its command line. `files`: those of the row, as it names them; none: it names none. One
   * answer looks at some megabytes of calls: where it has found nothing yet, `goOnFrom` says from where to ask again; null: nothing is
   * left.
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
  /**
   * Where todo snapshots lie: for snapshot i its seq (Int32), row (Int32), track (Uint16), completed (Uint16), total (Uint16), and how many
   * items of its track are dropped so far (Uint32). An event whose list says the same as the last one of its track has no snapshot.
   */
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
   * What became of the todo items, from transition `from` on, in the order of the snapshots: each puts a lane into a state. `snapshot`
   * Uint32 · lane Uint32 (numbered as they appear; a lane is of the track of its snapshots) · state Uint8 (index in `laneStates`) · text
   * Uint32 (index in `texts`: the item's text from here on) · beside Int32 (where the lane belongs among those of its track, in the order
   * of the lists: n after lane n - 1, -n before it, 0 after all there were before). `transitions` and `lanes`: how many there are. Fewer
   * than `count` come where there are no more, or where texts would be too much for one answer, but always one if there is any.
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
  /**
   * Issues in row order; with `code` those of one code only. `row`: not from the `from`-th on, but from the first one that stands at this
   * row or after it. `from` of the result: how many stand before the first one; `total`: how many there are. `codes`: all codes of the
   * log, the worst first.
   */
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
   * Begins to search the lines of a log; `log.found` tells how far it is. A later search of the same log and name (`as`, 'find' where
   * nothing is said) ends an earlier one; of several names those of 'find' and 'filter' go first, the others one after the other; at most
   * 32. A literal `text` is found as it is and as JSON writes it inside a string; a `regex` (JavaScript's, with the flags `u`, and `i`
   * unless `caseSensitive`) is matched against each line as it is written. Without `caseSensitive`, letters of a literal that differ only
   * in case are the same: A-Z, and those of other scripts whose cases are equally long in UTF-8. What is added to the log later is searched
   * as well. With `isQuery`, the text is a query (docs/query.md), and the rows that meet it are found; of a log that grows, rows found
   * before may be found no longer. `bad-params` with a reason for people where `text` is no regular expression, or no query about rows.
   */
  'log.find': {
    params: z.object({
      log: LogId,
      text: z.string().min(1).max(maxQueryLength),
      regex: z.boolean(),
      caseSensitive: z.boolean(),
      isQuery: z.boolean().optional(),
      as: z.string().min(1).max(60).optional()
    }),
    result: z.object({ find: z.int() })
  },
  /**
   * The rows (Uint32) found so far, from the `from`-th on, in the order they were found: ascending for a log of one file. Fewer than
   * `count` where there are no more yet; none for a search that was ended.
   */
  'log.hits': {
    params: z.object({ log: LogId, find: z.int(), from: z.int().min(0), count: z.int().min(1).max(1_000_000) }),
    result: z.object({ rows: Buffer })
  },
  /** Ends a search; no error if it has ended. */
  'log.endFind': { params: z.object({ log: LogId, find: z.int() }), result: z.object({}) },
  /**
   * What a person noted of a log: kept by the host from one time to the next, for the file that the log is. `revision` counts what was
   * set of a log, by whichever page. What is left out of `review.set` stays as it is. `unavailable` where it cannot be kept.
   */
  'review.get': { params: z.object({ log: LogId }), result: Review.extend({ revision: z.int() }) },
  'review.set': {
    params: Review.partial().extend({ log: LogId }),
    result: z.object({ revision: z.int() })
  },
  'recent.list': { params: z.object({}), result: z.object({ recent: z.array(RecentLog) }) },
  /** Asks the person for a file. Only where `capabilities.openDialog`. Empty: they cancelled. */
  'dialog.open': {
    params: z.object({ what: z.enum(['files', 'folder']) }),
    result: z.object({ paths: z.array(z.string()) })
  },
  ...exportMethods,
  ...libraryMethods,
  ...liveRunMethods,
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
  /** Of the rows found before, those from this one on may be others. Absent: rows were only added after them. */
  changedFrom: z.int().optional()
})
export type FindProgress = z.infer<typeof FindProgress>

/** The notices of the host. */
export const notices = {
  'log.progress': LogStatus,
  'log.found': FindProgress,
  /** A page has set the review of a log; also sent to that page. */
  'review.changed': Review.extend({ log: LogId, revision: z.int() }),
  /** The host was asked (second start, menu, link) to show this log; `seq`: at this event. */
  'log.show': z.object({ log: LogId, seq: z.int().min(0).optional() }),
  /** The user chose a command of the page in the host's menu. */
  'host.command': z.object({ command: z.enum(commandIds) }),
  /** Playhead could not store data of its own: names the file and the reason. Each sentence is sent once. */
  'host.problem': z.object({ message: z.string() }),
  /** The list of recent logs changed. */
  'recent.changed': z.object({}),
  ...libraryNotices,
  ...liveRunNotices,
  ...taskNotices
} as const satisfies Record<string, z.ZodType>

export type MethodName = keyof typeof methods
export type Params<M extends MethodName> = z.infer<(typeof methods)[M]['params']>
export type Result<M extends MethodName> = z.infer<(typeof methods)[M]['result']>
export type NoticeName = keyof typeof notices
export type Notice<N extends NoticeName> = z.infer<(typeof notices)[N]>

/** What the interface talks to: Electron's main process, the loopback server, or a thread of a page that holds its log. The page never asks which. */
export interface Host {
  call<M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>>
  /** Returns a function that removes the listener. */
  on<N extends NoticeName>(notice: N, listener: (payload: Notice<N>) => void): () => void
  onClose(listener: () => void): void
}

/** What a host implements. `log` methods of an open log are answered by its worker. */
export type Handlers = { [M in MethodName]: (params: Params<M>) => Promise<Result<M>> }
