import * as z from 'zod'

/** Exports of a log, and what they would redact. The page asks for one piece after the other: nothing piles up. */

export const exportForms = ['jsonl', 'md', 'html', 'raw'] as const
export type ExportForm = (typeof exportForms)[number]

/** A digit stands for five events (`core/export/event-set.ts`). */
const maxDigits = 12_000_000
const SecretId = z.string().min(1).max(64)

/** A secret of the export, as often as it stands there. */
export const ListedSecret = z.object({
  /** The same for the same secret, in each export of the log. */
  id: SecretId,
  /** As in the mark that takes its place, e.g. `GitHub token`. */
  kind: z.string(),
  /** Its first characters at most. */
  masked: z.string(),
  count: z.int().min(1),
  /** Where it was found first; null: in no line. `file`: the name of another file of the run. */
  place: z.object({ file: z.string().nullable(), line: z.int() }).nullable()
})
export type ListedSecret = z.infer<typeof ListedSecret>

/** So many secrets are listed; the others are counted. */
export const maxListed = 500

export const exportMethods = {
  /**
   * Begins an export. `events`: those to export; null: the whole session. `keep`: secrets that stay. `preview`: nothing is written, only
   * secrets are looked for. A host with save dialogs asks for a path first and writes there; `path` is null where the page gets the
   * bytes, and `export` where the person cancelled.
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
  /**
   * The next piece: when there is one, when all is done, or after a moment. `read` of `all` bytes of the log are read. `secrets`: all that
   * were met so far. An export that is not asked about for a minute ends.
   */
  'export.next': {
    params: z.object({ export: z.string().min(1).max(64) }),
    result: z.object({
      bytes: z.instanceof(ArrayBuffer),
      read: z.number(),
      all: z.number(),
      secrets: z.array(ListedSecret),
      /** Different secrets that are not listed. */
      moreSecrets: z.int(),
      done: z.boolean(),
      /** Of what is done: sentences about what could not be read. */
      notes: z.array(z.string())
    })
  },
  /** Ends an export that is not done, and removes what was written. */
  'export.end': { params: z.object({ export: z.string().min(1).max(64) }), result: z.object({}) }
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>
