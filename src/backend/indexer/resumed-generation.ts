import { isDeepStrictEqual } from 'node:util'
import { type SavedFile, savedFiles } from '../saved/saved-files.ts'
import { freshNotes } from '../sources/log-watch.ts'
import type { Run } from '../sources/run.ts'
import type { ReleasedLog } from './indexer-messages.ts'
import type { Generation } from './reading.ts'

/** The files of a run that was read, for the thread that goes on with it. The text of a packed one is not there before it is unpacked. */
export async function filesNow(run: Run): Promise<SavedFile[]> {
  return await savedFiles(run, (i) => (run.files[i]?.source.packed ? 0 : (run.files[i]?.bytesRead ?? 0)))
}

/**
 * Which generation a released log is when it is read again: the same one where all its files are as they were, since the same bytes give the same
 * rows; else the next, with a note where something of it is lost. `run` has just been opened. Rejects where a file cannot be read.
 */
export async function generationAfter({ status, files: then }: ReleasedLog, run: Run): Promise<Generation> {
  const now = await savedFiles(run, (i) => then[i]?.indexed ?? 0)
  if (isDeepStrictEqual(now, then)) return { number: status.generation, note: status.generationNote }
  return { number: status.generation + 1, note: noteOf(run, then[0], now[0]) }
}

function noteOf({ chosen, main }: Run, then: SavedFile | undefined, now: SavedFile | undefined): string | null {
  // A document is written as a whole each time.
  if (then === undefined || now === undefined || chosen.framing === 'document') return null
  if (then.device !== now.device || then.inode !== now.inode) return freshNotes.replaced
  if (main.source.packed)
    return then.bytes === now.bytes && then.modified === now.modified ? null : freshNotes.rewritten
  if (now.bytes < then.indexed) return freshNotes.truncated
  return then.print === now.print ? null : freshNotes.rewritten
}
