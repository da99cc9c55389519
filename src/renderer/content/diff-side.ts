/** One side of a diff: its lines, their offsets in its text, and their known numbers. */
export interface DiffSide {
  readonly text: string
  /** Start of each line, and one more for the end. */
  readonly starts: readonly number[]
  /** The line number of a 0-based line; null if unknown. */
  readonly numberOf: (line: number) => number | null
}

/** A side with these lines. `numberOf`: as in DiffSide. */
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

/** The range of a line in the text of its side. */
export function lineRange({ starts }: DiffSide, line: number): { from: number; to: number } {
  const from = starts[line] ?? 0
  return { from, to: Math.max(from, (starts[line + 1] ?? from + 1) - 1) }
}
