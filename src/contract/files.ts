import * as z from 'zod'
import { confidences } from '#core/files/confidence.ts'
import { lineDeeds } from '#core/files/line-history.ts'
import { doubtCauses } from '#core/files/step-code.ts'

/** What files held, from the log alone (docs/files.md). */

const LogId = z.string().min(1).max(64)
const Row = z.int().min(0)
/** The number of a file in `log.files`. It never changes while the log grows. */
const FileNumber = z.int().min(0)
/** An event. */
const Seq = z.int().min(0)

/** How far the index of files is. Ask again while `read` is less than `rows`, unless there is a `problem`. */
const Progress = { read: z.int(), rows: z.int(), problem: z.string().nullable() } as const

/** A command that may have changed the file since a line was confirmed. */
const Doubt = z.object({ row: Row, effect: z.enum(doubtCauses) })
export type Doubt = z.infer<typeof Doubt>

/** Who wrote a line: a row, `before` the session, or nobody of the log before a row. */
const LineAuthor = z.union([Row, z.literal('before'), z.object({ outsideBefore: Row })])
export type LineAuthor = z.infer<typeof LineAuthor>

/** Lines after each other with the same origin. `known`: null if they are not known. */
const LineRun = z.object({
  count: z.int().min(1),
  known: z
    .object({
      author: LineAuthor,
      confidence: z.enum(confidences),
      /** The last event that tells that the lines stand there. */
      confirmed: Row,
      /** The worst command since. */
      stale: Doubt.nullable()
    })
    .nullable()
})
export type LineRun = z.infer<typeof LineRun>

/** How far a content is. Null: it is complete. */
const Making = z.object({ done: z.int(), of: z.int() }).nullable()
const Buffer = z.instanceof(ArrayBuffer)

export const fileMethods = {
  /**
   * What happened to which file, in log order, from step `step` on: the file, the row and a code of `step-code.ts`. Also the
   * commands that may have changed any file, from number `doubt` on, and the paths of files from number `file` on.
   */
  'log.files': {
    params: z.object({
      ...{ log: LogId, file: FileNumber, step: z.int().min(0), doubt: z.int().min(0) },
      count: z.int().min(1).max(200_000)
    }),
    result: z.object({
      ...Progress,
      /** Of the session. */
      folder: z.string().nullable(),
      /** Effects beyond the limits. */
      further: z.int(),
      /** All so far, and those that are never taken back. */
      total: z.object({ files: z.int(), steps: z.int(), doubts: z.int() }),
      settled: z.object({ files: z.int(), steps: z.int(), doubts: z.int() }),
      paths: z.array(z.string()),
      ...{ stepFile: Buffer, stepRow: Buffer, stepKind: Buffer },
      ...{ doubtSeq: Buffer, doubtKind: Buffer }
    })
  },
  /**
   * Lines `from` … of a file after event `seq`, or just before the first change after it. `text`: the lines, joined by line
   * feeds, where unknown ones are empty; `count`: how many. `length`: lines that can be told; `total`: of the file.
   */
  'log.fileAt': {
    params: z.object({
      ...{ log: LogId, file: FileNumber, seq: z.int().min(-1), beforeChange: z.boolean().optional() },
      ...{ from: z.int().min(0), count: z.int().min(0).max(100_000) }
    }),
    result: z.object({
      ...Progress,
      making: Making,
      knowledge: z.enum(['full', 'part', 'none']),
      deleted: z.boolean(),
      tooLarge: z.boolean(),
      total: z.int().nullable(),
      length: z.int(),
      known: z.int(),
      /** The last event that changed it at an unknown place. */
      unplaced: Row.nullable(),
      stale: Doubt.nullable(),
      text: z.string(),
      count: z.int(),
      runs: z.array(LineRun)
    })
  },
  /** The events about lines `from` … `to` (from 0, exclusive) of a file after event `seq`, in log order. Null: not complete yet. */
  'log.fileLines': {
    params: z.object({
      ...{ log: LogId, file: FileNumber, seq: Seq },
      ...{ from: z.int().min(0), to: z.int().min(0) }
    }),
    result: z.object({
      ...Progress,
      making: Making,
      /** Earlier ones that are not listed. */
      further: z.int(),
      events: z.array(z.object({ row: Row, did: z.enum(lineDeeds) })).nullable()
    })
  }
} as const
