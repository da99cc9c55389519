import * as z from 'zod'
import { CostAnswer } from '#core/requests/cost.ts'
import { PriceTable } from '#core/requests/prices.ts'

/** Where time and tokens of a log went (docs/analysis.md). The counts agree with `log.summary`. */

const LogId = z.string().min(1).max(64)
const Buffer = z.instanceof(ArrayBuffer)
const Ms = z.number()

/** A part of a log, without `to`: of its time, in ms since the epoch, or of its rows. */
export const Range = z.object({ by: z.enum(['time', 'rows']), from: z.number(), to: z.number() })
export type Range = z.infer<typeof Range>

/**
 * Of how many rows the answer is. Answers work for a while, in slices of 25 ms: ask again while `counted` is less than
 * `rows`. Meanwhile, the answer about a log that grew is that of the rows before, and the first one is empty.
 */
const Progress = { counted: z.int(), rows: z.int() } as const

/** `core/analysis/time-split.ts`. All parts are derived. */
export const TimeSplit = z.object({
  begin: Ms,
  end: Ms,
  wallMs: Ms,
  waitingMs: Ms,
  toolsMs: Ms,
  modelMs: Ms,
  unknownMs: Ms
})
export type TimeSplit = z.infer<typeof TimeSplit>

export const Parallelism = z.object({
  callMs: Ms,
  selfMs: Ms,
  busyMs: Ms,
  mostCalls: z.int(),
  mostSubagents: z.int()
})
export type Parallelism = z.infer<typeof Parallelism>

/** What the rows of a call table are. `command`: first word, `command2`: first two words. `todo`: the item in progress. */
export const callGroups = ['tool', 'file', 'command', 'command2', 'subagent', 'turn', 'model', 'todo'] as const
export type CallGroup = (typeof callGroups)[number]

export const callColumns = [
  'name',
  'calls',
  'failed',
  'totalMs',
  'selfMs',
  'longestMs',
  'p50Ms',
  'p95Ms',
  'bytesOut',
  'tokensOut',
  'cost'
] as const
export type CallColumn = (typeof callColumns)[number]

/** Null: not known for any call. */
const Known = Ms.nullable()

/** The calls of one group (`core/analysis/call-table.ts`). */
export const CallRow = z.object({
  /** As a query names it: a tool, a path, words of a command, a track's id, the number of a turn from 1, a model, a todo text. Null: none. */
  name: z.string().nullable(),
  /** A term of a query that only these calls meet; null: there is none. */
  term: z.string().nullable(),
  calls: z.int(),
  failed: z.int(),
  /** Calls whose length is unknown. They are in no other time. */
  unknownLengths: z.int(),
  /** Calls whose length the log states. Other known lengths are derived from the times of records. */
  statedLengths: z.int(),
  totalMs: Known,
  /** Without the calls of subagents below. Derived. */
  selfMs: Known,
  longestMs: Known,
  /** The row of the longest call. */
  longestRow: z.int().nullable(),
  /** Nearest rank. */
  p50Ms: Known,
  p95Ms: Known,
  /** Of the log's lines with the first results, so more than the outputs. A line with several counts for the first. */
  bytesOut: z.int(),
  /** Output of the requests that made the calls, allocated: in equal parts to the calls of a request. Null: not stated. */
  tokensOut: z.number().nullable(),
  /** It is a lower bound: outputs are understated, or not stated. */
  tokensAtLeast: z.boolean(),
  /**
   * Of the requests that made the calls, allocated as their output: stated, else by prices (`callCostReason`). A lower
   * bound if it is not known for every call; the gaps count calls.
   */
  cost: CostAnswer
})
export type CallRow = z.infer<typeof CallRow>

/** One request and what stands in its context. */
export const ContextRequest = z.object({
  /** Its number in `log.requests`. */
  request: z.int(),
  of: z.enum(['request', 'turn', 'rest']),
  track: z.int(),
  model: z.string().nullable(),
  rowFirst: z.int(),
  rowLast: z.int(),
  begin: z.number().nullable(),
  end: z.number().nullable(),
  /** Null: not stated. */
  cacheRead: z.int().nullable(),
  cacheWrite: z.int().nullable(),
  input: z.int().nullable(),
  output: z.int().nullable(),
  outputIs: z.enum(['stated', 'understated', 'unknown']),
  /** The output estimated by the characters written; null: no need. */
  outputByText: z.int().nullable(),
  window: z.number().nullable(),
  /** Stated, else by prices (`costWords`). A lower bound if its own output is understated. */
  cost: CostAnswer,
  /**
   * Lines of results on its track since the previous request, most bytes first. At most 20 tools. Bytes, not tokens. `row`:
   * of the longest of them.
   */
  added: z.array(z.object({ tool: z.string(), results: z.int(), bytes: z.int(), row: z.int() }))
})
export type ContextRequest = z.infer<typeof ContextRequest>

/** The agent replaced its context by a summary. */
export const Compaction = z.object({
  row: z.int(),
  track: z.int(),
  at: z.number().nullable(),
  /** Tokens of the context before: stated by the log; else what the previous request sent (`beforeIs: derived`). */
  before: z.int().nullable(),
  beforeIs: z.enum(['stated', 'derived', 'unknown']),
  /** After: stated by the log; else what the next request of the track sent. */
  after: z.int().nullable(),
  afterIs: z.enum(['stated', 'derived', 'unknown'])
})
export type Compaction = z.infer<typeof Compaction>

export const analysisMethods = {
  /**
   * Spans `from` … `from + count`, fewer at the end. In the order in which they end in the log, then, once all rows are
   * counted, those still open and the run. Those below `settled` never change: keep them, and ask from there when the log grew; a new generation begins
   * anew. Little-endian typed arrays: kind Uint8 (index in `spanKinds`) · flags Uint8 (`spanFlags`) · track Uint16 · begin, end
   * Float64 (ms, NaN unknown) · first Int32 (row) · last Int32 (row; of a call its result, -1 none) · parent Int32 (the first
   * row of the span around it, -1 none). `tiersOf` places calls that overlap.
   */
  'log.spans': {
    params: z.object({ log: LogId, from: z.int().min(0), count: z.int().min(1).max(200_000) }),
    result: z.object({
      ...Progress,
      from: z.int(),
      total: z.int(),
      settled: z.int(),
      count: z.int(),
      kind: Buffer,
      flags: Buffer,
      track: Buffer,
      begin: Buffer,
      end: Buffer,
      first: Buffer,
      last: Buffer,
      parent: Buffer
    })
  },
  /** Without a range: of the whole log. `split` null: fewer than two times are stated there. */
  'log.timeSplit': {
    params: z.object({ log: LogId, range: Range.nullable() }),
    result: z.object({
      ...Progress,
      split: TimeSplit.nullable(),
      parallelism: Parallelism,
      calls: z.int(),
      unknownLengths: z.int()
    })
  },
  /**
   * Groups of the calls that begin in the range. `find`: only calls of which a row was found by this search (`log.find`).
   * `null`s are last in any order. Ask again while `counted` is less than `rows` (for files and commands, lines are read
   * again) or `read` is less than `spans`. Groups beyond 100,000 are one.
   */
  'log.callTable': {
    params: z.object({
      log: LogId,
      groupBy: z.enum(callGroups),
      range: Range.nullable(),
      find: z.int().nullable(),
      sort: z.enum(callColumns),
      descending: z.boolean(),
      /** To estimate costs with (`settings.get`); null: none. */
      prices: PriceTable.nullable(),
      from: z.int().min(0),
      count: z.int().min(1).max(1000)
    }),
    result: z.object({
      ...Progress,
      /** Spans added up so far, of all. */
      read: z.int(),
      spans: z.int(),
      /** Why lines could not be read again, for people; null: they could. */
      problem: z.string().nullable(),
      /** A call may be in several groups, so the sum of the groups is more than `all`. */
      several: z.boolean(),
      from: z.int(),
      total: z.int(),
      groups: z.array(CallRow),
      all: CallRow
    })
  },
  /**
   * Requests `from` … `from + count` of the range in order, and all compactions in it (at most 1,000). Ask again while
   * `counted` is less than `rows`.
   */
  'log.context': {
    params: z.object({
      log: LogId,
      range: Range.nullable(),
      /** As in `log.callTable`. */
      prices: PriceTable.nullable(),
      from: z.int().min(0),
      count: z.int().min(1).max(1000)
    }),
    result: z.object({
      ...Progress,
      from: z.int(),
      total: z.int(),
      requests: z.array(ContextRequest),
      compactions: z.array(Compaction)
    })
  }
} as const
