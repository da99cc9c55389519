import type { EventSet } from '#core/export/event-set.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import type { Redactor } from '#core/export/redact.ts'
import type { Bookmark } from '#core/replay/review.ts'
import type { ReadLog } from '../sources/read-log.ts'
import type { RunOptions } from '../sources/run.ts'
import type { Output } from './output.ts'

/** What an export is made of. */
export interface ExportRequest {
  readonly source: RunOptions
  /** Include the source line of each event (JSONL only). */
  readonly raw: boolean
  /** Null: secrets are kept. */
  readonly redactor: Redactor | null
  /** To estimate costs with; null: none. */
  readonly prices: PriceTable | null
  /** Null: the whole session. */
  readonly events: EventSet | null
  /** Bookmarks of these events. */
  readonly bookmarks: readonly Bookmark[]
  /** Of Playhead. */
  readonly version: string
  /** Reports progress in bytes. */
  read(bytes: number, all: number): void
}

/** What was written, for the user: "12 events"; with notes about the log. */
export interface Exported extends Pick<ReadLog, 'note' | 'notes' | 'unread'> {
  readonly what: string
}

/** Writes an export, a piece at a time. */
export type WriteExport = (output: Output, request: ExportRequest) => Promise<Exported>
