import * as z from 'zod'
import { stepClasses } from '#core/compare/compare-sessions.ts'
import { TodoStatus } from '#core/events/todo.ts'
import { TokenGroup } from '#core/requests/token-groups.ts'

/** Comparing two open logs (docs/compare.md). */

const LogId = z.string().min(1).max(64)
const Buffer = z.instanceof(ArrayBuffer)
const Track = z.object({ trackId: z.string().nullable() })

/** Of a session; unknown is null. */
export const ComparedTotals = z.object({
  wallMs: z.number().nullable(),
  activeMs: z.number().nullable(),
  turns: z.int(),
  calls: z.int(),
  failedCalls: z.int(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  /** The log understates the output. */
  outputAtLeast: z.boolean(),
  /** What the log states that the session cost, and what is not in it (`costOf`). */
  costUsd: z.number().nullable(),
  spent: z.array(TokenGroup),
  todosDone: z.int().nullable(),
  todosTotal: z.int().nullable(),
  filesChanged: z.int(),
  model: z.string().nullable()
})
export type ComparedTotals = z.infer<typeof ComparedTotals>

/** Rows of all sections, one after the other, as little-endian typed arrays. */
export const LogComparison = z.object({
  /** The main agents first. Null: only the other session has the track. */
  sections: z.array(z.object({ a: Track.nullable(), b: Track.nullable(), rows: z.int() })),
  /** Int32: the event in A, or -1. */
  seqA: Buffer,
  seqB: Buffer,
  /** Uint8: index in `stepClasses`. */
  class: Buffer,
  /** Uint8: index in `resultClasses` plus one; 0: no pair of calls. */
  result: Buffer,
  /** Int32: of a moved step, the event in the other session; else -1. */
  other: Buffer,
  /** Uint8: 1 if the row is a difference of the path. */
  differs: Buffer,
  counts: z.record(z.enum(stepClasses), z.int()),
  a: ComparedTotals,
  b: ComparedTotals,
  /** Changed files by path, at most 1,000, and the events that changed them, at most 100. Null: not changed by that side. */
  files: z.array(z.object({ path: z.string(), a: z.array(z.int()).nullable(), b: z.array(z.int()).nullable() })),
  /** Further changed files. */
  moreFiles: z.int(),
  todos: z.array(z.object({ text: z.string(), a: TodoStatus.nullable(), b: TodoStatus.nullable() })),
  /** The events of the last answers; null: none. */
  lastAnswer: z.object({ a: z.int().nullable(), b: z.int().nullable(), same: z.boolean().nullable() }),
  /** Sentences about what could not be read. */
  notes: z.array(z.string())
})
export type LogComparison = z.infer<typeof LogComparison>

export const compareMethods = {
  /** Reads both logs and aligns them, in a thread of its own. The notice `compare.progress` says how far it is. */
  'compare.logs': { params: z.object({ a: LogId, b: LogId }), result: LogComparison },
  /** Stops comparing; its call is rejected. Nothing happens if it has ended. */
  'compare.end': { params: z.object({ a: LogId, b: LogId }), result: z.object({}) }
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>

export const compareNotices = {
  /** Bytes read of both logs. */
  'compare.progress': z.object({ a: LogId, b: LogId, read: z.number(), all: z.number() })
} as const
