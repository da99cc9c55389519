import type { LinePosition } from '../log-format.ts'

/** Where the turns of a file stand, so that those taken back can be marked. Numbers only: a log has millions of lines. */
export class TurnLines {
  private readonly file: string | undefined
  /** Line, offset and length of each line in turn. */
  private readonly places: number[] = []
  /** Where in `#places` each turn of the user begins. */
  private readonly turns: number[] = []
  /** Where the next turn of the user began, if it has: context and copies of a prompt stand before it. */
  private next: number | undefined

  constructor(file: string | undefined) {
    this.file = file
  }

  /** A line begins. */
  add({ line, offset, length }: LinePosition): void {
    this.places.push(line, offset, length)
  }

  /** The line may be the first of a turn. */
  mayBegin(): void {
    this.next ??= this.places.length - 3
  }

  /** The line is the user's prompt. */
  prompted(): void {
    this.turns.push(this.next ?? this.places.length - 3)
    this.next = undefined
  }

  /** The agent is at work, or the turn is over. */
  goesOn(): void {
    this.next = undefined
  }

  /** Takes the last `count` turns back: the lines from there up to the current one, which stays. */
  takeBack(count: number): readonly LinePosition[] {
    const start = count < 1 ? undefined : this.turns[Math.max(0, this.turns.length - count)]
    this.next = undefined
    if (start === undefined) return []
    this.turns.length = Math.max(0, this.turns.length - count)
    const current = this.places.splice(-3)
    const lines: LinePosition[] = []
    for (let at = start; at < this.places.length; at += 3) lines.push(this.lineAt(at))
    this.places.length = start
    this.places.push(...current)
    return lines
  }

  private lineAt(at: number): LinePosition {
    const [line = 0, offset = 0, length = 0] = this.places.slice(at, at + 3)
    return this.file === undefined ? { line, offset, length } : { file: this.file, line, offset, length }
  }
}
