/** One side of a diff: its lines, where they lie in its text, and their numbers as far as they are known. */
export interface DiffSide {
  readonly text: string
  /** Where each line begins, and at the end where one more would. */
  readonly starts: readonly number[]
  /** The number of a line, counted from 0 here; null: not known. */
  readonly numberOf: (line: number) => number | null
}

/** A side made of these lines. `numberOf`: as in DiffSide. */
export function diffSide(lines: readonly string[], numberOf: (line: number) => number | null): DiffSide {
  const starts: number[] = []
  let at = 0
  for (const line of lines) {
    starts.push(at)
    at += line.length + 1
  }
  starts.push(at)
  return { text: lines.join('\n'), starts, numberOf }
}

/** From where to where a line lies in the text of its side. */
export function lineRange({ starts }: DiffSide, line: number): { from: number; to: number } {
  const from = starts[line] ?? 0
  return { from, to: Math.max(from, (starts[line + 1] ?? from + 1) - 1) }
}
