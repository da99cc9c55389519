import type { RowMark } from '../formats/log-format.ts'

/** Values of the `mark` column are indexes in this list. 0: none. */
export const rowMarks: readonly (RowMark | null)[] = [null, 'duplicate', 'retracted', 'abandoned']
