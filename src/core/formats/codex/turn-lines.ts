import { ByteOffsets } from '../../byte-offsets.ts'
import type { LinePosition, LineStart } from '../log-format.ts'

/** A run may have many files. */
const chunkBits = 9

/** Where the turns of a file stand, so that those taken back can be marked. Numbers only: a log has millions of lines. */
export class TurnLines {
  private readonly file: string | undefined
  /** Where each line in turn begins. */
  private readonly starts = new ByteOffsets(chunkBits)
  /** Which of the lines each turn of the user begins with. */
  private readonly turns: number[] = []
  /** Where the next turn of the user began, if it has: context and copies of a prompt stand before it. */
  private next: number | undefined

  constructor(file: string | undefined) {
    this.file = file
  }

  /** A line begins. */
  add({ offset }: LinePosition): void {
    this.starts.push(offset)
  }

  /** The line may be the first of a turn. */
  mayBegin(): void {
    this.next ??= this.starts.length - 1
  }

  /** The line is the user's prompt. */
  prompted(): void {
    this.turns.push(this.next ?? this.starts.length - 1)
    this.next = undefined
  }

  /** The agent is at work, or the turn is over. */
  goesOn(): void {
    this.next = undefined
  }

  /** Takes the last `count` turns back: the lines from there up to the current one, which stays. */
  takeBack(count: number): readonly LineStart[] {
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
