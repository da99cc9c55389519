import { isDeepStrictEqual } from 'node:util'
import { type SavedFile, savedFiles } from '../saved/saved-files.ts'
import { resetNotes } from '../sources/log-watch.ts'
import type { Run } from '../sources/run.ts'
import type { ReleasedLog } from './indexer-messages.ts'
import type { Generation } from './reading.ts'

/** The files as read, for the thread that continues. A packed log has no text before it is unpacked. */
export async function filesNow(run: Run): Promise<SavedFile[]> {
  return await savedFiles(run, (i) => (run.files[i]?.source.packed ? 0 : (run.files[i]?.bytesRead ?? 0)))
}

/** The generation of a released log: the same if its files are unchanged, else the next. Rejects if one is unreadable. */
export async function generationAfter({ status, files: then }: ReleasedLog, run: Run): Promise<Generation> {
  const now = await savedFiles(run, (i) => then[i]?.indexed ?? 0)
  if (isDeepStrictEqual(now, then)) return { number: status.generation, note: status.generationNote }
  return { number: status.generation + 1, note: noteOf(run, then[0], now[0]) }
}

function noteOf({ chosen, main }: Run, then: SavedFile | undefined, now: SavedFile | undefined): string | null {
  // A document is rewritten on each change.
  if (then === undefined || now === undefined || chosen.framing === 'document') return null
  if (then.device !== now.device || then.inode !== now.inode) return resetNotes.replaced
  if (main.source.packed)
    return then.bytes === now.bytes && then.modified === now.modified ? null : resetNotes.rewritten
  if (now.bytes < then.indexed) return resetNotes.truncated
  return then.print === now.print ? null : resetNotes.rewritten
}
