import { diffWordsWithSpace } from 'diff'

/** Longer lines, or lines with more differences, are shown as changed altogether. */
const longestLine = 1000
const maxEdits = 60
/** If less of the lines is common, marked words are noise. */
const minCommon = 0.25

/** In characters. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** The differing ranges of two lines, in characters. Null: the whole lines differ. */
export function changedWords(before: string, after: string): { before: TextRange[]; after: TextRange[] } | null {
  if (before.length > longestLine || after.length > longestLine || before === after) return null
  const changes = diffWordsWithSpace(before, after, { maxEditLength: maxEdits })
  if (changes === undefined) return null
  const marks = { before: [] as TextRange[], after: [] as TextRange[] }
  const at = { before: 0, after: 0 }
  let common = 0
  for (const { value, added, removed } of changes) {
    const { length } = value
    if (!added && !removed && value.trim() !== '') common += length
    if (removed) marks.before.push({ from: at.before, to: at.before + length })
    if (added) marks.after.push({ from: at.after, to: at.after + length })
    if (!added) at.before += length
    if (!removed) at.after += length
  }
  return common < minCommon * Math.min(before.trim().length, after.trim().length) ? null : marks
}
