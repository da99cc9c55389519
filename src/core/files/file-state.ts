import type { Confidence } from './confidence.ts'
import type { DoubtCause } from './step-code.ts'
import { type FileContent, type Line, outsideEvent } from './file-content.ts'
import { isUnplaced } from '../paths/log-path.ts'
import { type Doubted, worstOf } from './run-files.ts'

/** How much of a file is known: all, some lines, or only its name. */
export type Knowledge = 'full' | 'part' | 'none'

export function knowledgeOf(content: FileContent): Knowledge {
  if (content.deleted || content.isFull) return 'full'
  return content.knownLines > 0 ? 'part' : 'none'
}

/** The worst that may have happened since the least certain known line; null: nothing. */
export function staleOf(content: FileContent, doubts: readonly Doubted[]): Doubted | null {
  let oldest = Infinity
  for (const line of content.lines) if (line !== null) oldest = Math.min(oldest, line.confirmed)
  return oldest === Infinity ? null : worstOf(doubts, oldest)
}

/** How sure a line of the file at `path` is. A file whose folder is not known may be another one, so its lines are derived. */
export function confidenceOf({ source, confirmed }: Line, path: string, doubts: readonly Doubted[]): Confidence {
  // They are in the order of events.
  if ((doubts.at(-1)?.seq ?? -1) >= confirmed) return 'stale'
  return isUnplaced(path) ? 'derived' : source
}

/** Who wrote a line, for people: `event 12`, `before the session`, `outside, before event 12`. */
export function authorText(author: number): string {
  const outside = outsideEvent(author)
  return outside !== null ? `outside, before event ${outside}` : author < 0 ? 'before the session' : `event ${author}`
}

const doubtWords: Readonly<Record<DoubtCause, string>> = {
  read: 'a command ran',
  move: 'a command moved, made or deleted files',
  check: 'tests, a build or a linter ran',
  install: 'packages were installed',
  commit: 'a commit or push may have run hooks',
  unknown: 'a command ran whose effect is not known',
  git: 'git may have changed files',
  write: 'a command may have written to it',
  format: 'a formatter or a hook may have changed it',
  rewind: 'the person went back to an earlier prompt'
}

/** Why a file may have changed, as a part of a sentence. */
export function doubtText({ effect }: Pick<Doubted, 'effect'>): string {
  return doubtWords[effect]
}

/** Lines that are not known, as ranges from 1; the last is open if the length is not known. */
export function unknownRanges(content: FileContent): { readonly from: number; readonly to: number | null }[] {
  if (content.deleted) return []
  const ranges: { from: number; to: number | null }[] = []
  for (const [at, line] of content.lines.entries()) {
    if (line !== null) continue
    const last = ranges.at(-1)
    if (last?.to === at) last.to = at + 1
    else ranges.push({ from: at + 1, to: at + 1 })
  }
  if (content.total === null) ranges.push({ from: content.lines.length + 1, to: null })
  return ranges
}
