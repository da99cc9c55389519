import type { LineMark, LinePosition, LineStart, RowMark } from '../src/core/formats/log-format.ts'

/** A mark with the line it falls on. */
export interface PlacedMark {
  readonly at: LinePosition
  readonly mark: RowMark
}

/** Finds the lines that marks fall on: a mark says no more than where its line begins. */
export class LinesMarked {
  readonly marks: PlacedMark[] = []
  readonly #lines = new Map<string, LinePosition>()

  /** A line was read, and with it these marks were given. */
  add(line: LinePosition, marks: readonly LineMark[] = []): void {
    this.#lines.set(keyOf(line), line)
    this.end(marks)
  }

  /** Throws where a line is marked that was not read. */
  end(marks: readonly LineMark[]): void {
    for (const { at, mark } of marks) {
      const line = this.#lines.get(keyOf(at))
      if (line === undefined) throw new Error(`the line at ${keyOf(at)} is marked, and was not read`)
      this.marks.push({ at: line, mark })
    }
  }
}

function keyOf({ file = '', offset }: LineStart): string {
  return `${offset} ${file}`
}
