import * as z from 'zod'
import { Bookmark, maxBookmarks } from '#core/replay/review.ts'
import { SharedLog } from './methods.ts'

/**
 * A run as one page that holds it (`playhead export --to html`): its files, gzip-compressed, as base64 in script elements that are no
 * scripts, in any number of elements a file; what the page has to know of them; and the code of the page and of the thread that
 * reads the log.
 */

/**
 * Ids and types of the elements; `data-file` says which file of the run an element's bytes belong to, in the order of the elements. And the
 * name of the policy for trusted types by which the page starts threads, the only one that its content security policy lets it make.
 */
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
  shared: SharedLog
})
export type SharedRun = z.infer<typeof SharedRun>
