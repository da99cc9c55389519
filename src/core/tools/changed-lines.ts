import type { RecordedDiff } from '../formats/record-facts.ts'
import { isSameFile } from '../paths/path-names.ts'
import type { FileEdit } from './file-edits.ts'
import { hunkCounts, lineCounts, type LineCounts, textLines } from './line-diff.ts'

type NamedFile = Pick<FileEdit, 'path'>

/** Line counts of edits in a call's input, as their diffs show them. Patches are counted elsewhere. */
export function linesOfEdits(files: readonly FileEdit[]): LineCounts {
  return total(
    files.flatMap(({ kind, edits }) =>
      edits.map((edit) => {
        if (edit.kind === 'replace') return lineCounts(edit.before.text, edit.after.text)
        if (edit.kind === 'patch') return none
        const lines = textLines(edit.text.text).length
        return kind === 'deleted' ? { added: 0, deleted: lines } : { added: lines, deleted: 0 }
      })
    )
  )
}

/** Line counts recorded by the agent; null unless each file has a record. */
export function linesOfRecord(files: readonly NamedFile[], recorded: readonly RecordedDiff[]): LineCounts | null {
  const patches = files.map((file) => recordOf(file, files.length, recorded))
  return patches.length > 0 && patches.every((patch) => patch !== null) ? total(patches.map(hunkCounts)) : null
}

/** The recorded patch of a file: by path, or the only one. */
export function recordOf(file: NamedFile, files: number, recorded: readonly RecordedDiff[]): string | null {
  const own = recorded.find(({ path }) => path === file.path || isSameFile(path, file.path))
  const only = files === 1 && recorded.length === 1 ? recorded[0] : undefined
  return (own ?? only)?.patch ?? null
}

const none: LineCounts = { added: 0, deleted: 0 }

function total(counts: readonly LineCounts[]): LineCounts {
  return counts.reduce(
    (sum, { added, deleted }) => ({ added: sum.added + added, deleted: sum.deleted + deleted }),
    none
  )
}
