import type { Doubt, LineAuthor } from '#contract/files.ts'
import type { Confidence } from '#core/files/confidence.ts'
import { doubtText } from '#core/files/file-state.ts'
import type { LineDeed } from '#core/files/line-history.ts'
import type { FileEffect } from '#core/formats/file-effect.ts'
import type { FileStates } from '../../stores/touched-files.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import type { IconName } from '../../ui/icons.tsx'

/** A file at an event, in one sign and in words. */
export interface FileLook {
  readonly sign: string
  readonly tone: 'new' | 'edit' | 'del' | 'read' | 'later'
  readonly words: string
}

export function fileLook(states: FileStates, file: number): FileLook {
  const [edits, reads] = [states.edits[file] ?? 0, states.reads[file] ?? 0]
  if ((states.last[file] ?? -1) < 0) return { sign: '', tone: 'later', words: 'no event about it yet' }
  const counts = [
    ...(edits > 0 ? [edits === 1 ? 'changed once' : `changed ${formatCount(edits)} times`] : []),
    ...(reads > 0 ? [formatPlural(reads, 'read')] : [])
  ]
  if (states.deleted[file] === 1) return { sign: '−', tone: 'del', words: ['deleted', ...counts].join(', ') }
  if (states.created[file] === 1) return { sign: '+', tone: 'new', words: ['created', ...counts].join(', ') }
  if (edits > 0) return { sign: `${formatCount(edits)}×`, tone: 'edit', words: counts.join(', ') }
  return { sign: 'r', tone: 'read', words: `only read, ${counts.join(', ')}` }
}

/** What an event did to a file, as its name before its number: "Edit 257". */
export const stepNames: Readonly<Record<FileEffect['what'], string>> = {
  shown: 'Read',
  confirmed: 'Read',
  replaced: 'Edit',
  written: 'Write',
  appended: 'Append',
  patched: 'Patch',
  changed: 'Change',
  deleted: 'Delete',
  moved: 'Move',
  named: 'Named'
}

export function stepIcon(what: FileEffect['what'] | undefined): IconName {
  switch (what) {
    case undefined:
    case 'shown':
    case 'confirmed':
    case 'named':
      return 'read'
    case 'written':
      return 'write'
    case 'deleted':
      return 'remove'
    case 'moved':
      return 'moved'
    default:
      return 'edit'
  }
}

/** What an event did to some lines. */
export const deedWords: Readonly<Record<LineDeed, string>> = {
  wrote: 'wrote them',
  removed: 'removed lines between them',
  showed: 'showed them',
  changed: 'changed the file, at a place that is not known',
  doubted: 'may have changed them'
}

/** How sure a line is. */
export const confidenceWords: Readonly<Record<Confidence, string>> = {
  seen: 'seen',
  written: 'written',
  derived: 'derived',
  stale: 'stale'
}

/** As a part of a sentence. `seqOf`: the event of a row. */
export function confidenceText(
  confidence: Confidence,
  confirmed: number,
  stale: Doubt | null,
  seqOf: (row: number) => number
): string {
  const at = `event ${formatCount(seqOf(confirmed))}`
  switch (confidence) {
    case 'seen':
      return `seen: ${at} showed it`
    case 'written':
      return `written: known from ${at}`
    case 'derived':
      return 'derived: its place follows from an edit that was not exact'
    case 'stale':
      return stale === null
        ? `stale: last known at ${at}`
        : `stale since event ${formatCount(seqOf(stale.row))}: ${doubtText(stale)}`
  }
}

/** "event 257", "before the session", "outside the session". */
export function authorWords(author: LineAuthor, seqOf: (row: number) => number): string {
  if (author === 'before') return 'there before the session'
  if (typeof author === 'object')
    return `changed outside of this log before event ${formatCount(seqOf(author.outsideBefore))}`
  return `written by event ${formatCount(seqOf(author))}`
}
