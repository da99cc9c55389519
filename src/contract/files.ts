import * as z from 'zod'
import { fileChanges } from '#core/formats/file-effect.ts'
import { confidences } from '#core/files/file-state.ts'
import { commandEffects } from '#core/shell/command-effect.ts'

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
export const Doubt = z.object({ row: Row, effect: z.enum(commandEffects) })
export type Doubt = z.infer<typeof Doubt>

export const TouchedFile = z.object({
  file: FileNumber,
  path: z.string(),
  created: z.boolean(),
  deleted: z.boolean(),
  edits: z.int(),
  reads: z.int(),
  rowFirst: Row,
  rowLast: Row
})
export type TouchedFile = z.infer<typeof TouchedFile>

/** Who wrote a line: a row, `before` the session, or nobody of the log before a row. */
export const LineAuthor = z.union([Row, z.literal('before'), z.object({ outsideBefore: Row })])

export const KnownLine = z.object({ text: z.string(), author: LineAuthor, confidence: z.enum(confidences) })

/** How far a content is. Null: it is complete. */
const Making = z.object({ done: z.int(), of: z.int() }).nullable()

export const fileMethods = {
  /** The files with an event up to `seq`, in the order of their first events. `folder`: of the session. */
  'log.files': {
    params: z.object({ log: LogId, seq: Seq, from: z.int().min(0), count: z.int().min(1).max(10_000) }),
    result: z.object({
      ...Progress,
      folder: z.string().nullable(),
      total: z.int(),
      further: z.int(),
      files: z.array(TouchedFile)
    })
  },
  /** Lines `from` … of a file after event `seq`; null: not known. `length`: lines that are told; `total`: of the file. */
  'log.fileAt': {
    params: z.object({
      ...{ log: LogId, file: FileNumber, seq: Seq },
      ...{ from: z.int().min(0), count: z.int().min(0).max(5000) }
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
      lines: z.array(KnownLine.nullable())
    })
  },
  /** The events about a file, in log order. */
  'log.fileSteps': {
    params: z.object({ log: LogId, file: FileNumber, from: z.int().min(0), count: z.int().min(1).max(10_000) }),
    result: z.object({
      ...Progress,
      total: z.int(),
      steps: z.array(z.object({ row: Row, what: z.enum(fileChanges) }))
    })
  },
  /**
   * The changes of a file after event `a` (null: from the start) up to event `b`, as hunks of a unified diff. `patch` is
   * null where a side is not fully known, or the diff has more than a million characters.
   */
  'log.fileDiff': {
    params: z.object({ log: LogId, file: FileNumber, a: Seq.nullable(), b: Seq }),
    result: z.object({ ...Progress, making: Making, patch: z.string().nullable() })
  }
} as const
