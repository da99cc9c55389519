import type { EventSet } from '#core/export/event-set.ts'
import type { Redactor } from '#core/export/redact.ts'
import type { Bookmark } from '#core/replay/review.ts'
import type { ReadLog } from '../sources/read-log.ts'
import type { RunOptions } from '../sources/run.ts'
import type { Output } from './output.ts'

/** What an export is made of. */
export interface ExportRequest {
  readonly source: RunOptions
  /** With the exact line each event came from (JSONL only). */
  readonly raw: boolean
  /** Takes the secrets out; null: they are kept. */
  readonly redactor: Redactor | null
  /** The events to export; null: the whole session. */
  readonly events: EventSet | null
  /** What a person noted of these events goes with them. */
  readonly bookmarks: readonly Bookmark[]
  /** Is told how much was read, of how much, in bytes. */
  read(bytes: number, all: number): void
}

/** What was written, for people: "12 events"; and what there is to say of the log. */
export interface Exported extends Pick<ReadLog, 'note' | 'notes' | 'unread'> {
  readonly what: string
}

/** Writes an export, a piece at a time. */
export type WriteExport = (output: Output, request: ExportRequest) => Promise<Exported>
