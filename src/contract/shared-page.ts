import * as z from 'zod'
import { Bookmark, maxBookmarks } from '#core/replay/review.ts'
import { PriceTable } from '#core/requests/prices.ts'
import { SharedLog } from './methods.ts'

/** The page of `playhead export --to html`: gzipped files as base64 in inert script elements, facts and code. */

/** Ids and types of the elements, and the only trusted types policy, for threads. `data-file`: the file of an element. */
export const sharedPage = {
  facts: { id: 'playhead-facts', type: 'application/json' },
  thread: { id: 'playhead-thread', type: 'text/plain' },
  bytes: { type: 'application/gzip', fileAttribute: 'data-file' },
  threadPolicy: 'playhead-thread'
} as const

const Framing = z.enum(['lines', 'document'])

/** The page's facts of its run. */
export const SharedRun = z.object({
  /** Of Playhead. */
  version: z.string(),
  /** The main file's, without folders. */
  name: z.string(),
  /** The log format; null: none. */
  format: z.string().nullable(),
  formatNote: z.string().nullable(),
  notes: z.array(z.string()),
  /** The main file first, without a name. `bytes`: not compressed. */
  files: z.array(
    z.object({
      name: z.string().optional(),
      callId: z.string().optional(),
      framing: Framing,
      bytes: z.int().min(0)
    })
  ),
  /** The bookmarks of the exporting user; absent: not shared. */
  bookmarks: z.array(Bookmark).max(maxBookmarks).optional(),
  /** To estimate costs with; absent: none. */
  prices: PriceTable.optional(),
  shared: SharedLog
})
export type SharedRun = z.infer<typeof SharedRun>
