import * as z from 'zod'

/** Exports of a log and their redactions. The page requests one piece after the other, so nothing is buffered. */

export const exportForms = ['jsonl', 'md', 'html', 'atif', 'otlp', 'trace', 'parquet', 'raw'] as const
export type ExportForm = (typeof exportForms)[number]

/** A digit encodes five events (`core/export/event-set.ts`). */
const maxDigits = 12_000_000
const SecretId = z.string().min(1).max(64)

/** A secret of the export with its count. */
export const ListedSecret = z.object({
  /** Stable across exports of the log. */
  id: SecretId,
  /** As in its mark, e.g. `GitHub token`. */
  kind: z.string(),
  /** At most its first characters. */
  masked: z.string(),
  count: z.int().min(1),
  /** The first place; null: in no line. `file`: name of another file of the run. */
  place: z.object({ file: z.string().nullable(), line: z.int() }).nullable()
})
export type ListedSecret = z.infer<typeof ListedSecret>

/** Limit of listed secrets; others are counted. */
export const maxListed = 500

export const exportMethods = {
  /**
   * `events` null: the whole session. `keep`: secrets to keep. `preview`: only search for secrets. A host with save dialogs
   * asks for a path and writes there. `path` null: the page gets the bytes. `export` null: cancelled.
   */
  'export.start': {
    params: z.object({
      log: z.string().min(1).max(64),
      form: z.enum(exportForms),
      events: z.string().max(maxDigits).nullable(),
      redact: z.boolean(),
      keep: z.array(SecretId).max(maxListed),
      bookmarks: z.boolean(),
      preview: z.boolean()
    }),
    result: z.object({ export: z.string().nullable(), name: z.string(), path: z.string().nullable() })
  },
  /** The next piece, possibly empty, and the progress: `read` of `all` bytes. An export without a call for a minute ends. */
  'export.next': {
    params: z.object({ export: z.string().min(1).max(64) }),
    result: z.object({
      bytes: z.instanceof(ArrayBuffer),
      read: z.number(),
      all: z.number(),
      secrets: z.array(ListedSecret),
      /** Number of distinct secrets that are not listed. */
      moreSecrets: z.int(),
      done: z.boolean(),
      /** Sentences about what could not be read. */
      notes: z.array(z.string())
    })
  },
  /** Cancels an export and removes its file. */
  'export.end': { params: z.object({ export: z.string().min(1).max(64) }), result: z.object({}) }
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>
