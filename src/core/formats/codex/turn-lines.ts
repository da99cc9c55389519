import { ByteOffsets } from '../../byte-offsets.ts'
import type { LinePosition, LineStart } from '../log-format.ts'

/** A run may have many files. */
const chunkBits = 9

/** Line offsets of a file's turns, to mark those rolled back. Numbers only, as a log may have millions of lines. */
export class TurnLines {
  private readonly file: string | undefined
  /** Start offsets of lines. */
  private readonly starts = new ByteOffsets(chunkBits)
  /** By turn of the user: its first line. */
  private readonly turns: number[] = []
  /** The possible first line of the next turn: context and copies precede a prompt. */
  private next: number | undefined

  constructor(file: string | undefined) {
    this.file = file
  }

  add({ offset }: LinePosition): void {
    this.starts.push(offset)
  }

  /** The current line may start a turn. */
  possibleStart(): void {
    this.next ??= this.starts.length - 1
  }

  /** The current line is a prompt. */
  addTurn(): void {
    this.turns.push(this.next ?? this.starts.length - 1)
    this.next = undefined
  }

  /** The agent acted, or the turn ended. */
  clearStart(): void {
    this.next = undefined
  }

  /** Removes the last `count` turns. Returns their lines, without the current one. */
  rollBack(count: number): readonly LineStart[] {
    const start = count < 1 ? undefined : this.turns[Math.max(0, this.turns.length - count)]
    this.next = undefined
    if (start === undefined) return []
    this.turns.length = Math.max(0, this.turns.length - count)
    const current = this.starts.length - 1
    const lines: LineStart[] = []
    for (let line = start; line < current; line++) lines.push(this.startOf(line))
    const { offset } = this.startOf(current)
    this.starts.truncate(start)
    this.starts.push(offset)
    return lines
  }

  private startOf(line: number): LineStart {
    const offset = this.starts.at(line)
    return this.file === undefined ? { offset } : { file: this.file, offset }
  }
}
