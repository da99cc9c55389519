import type { RowMark } from '../formats/log-format.ts'

/** The numbers of the `mark` column: the position of a mark in here. 0: none. */
export const rowMarks: readonly (RowMark | null)[] = [null, 'duplicate', 'retracted', 'abandoned']
