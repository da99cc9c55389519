import { Column } from '../column.ts'
import { textHash } from '../formats/text-hash.ts'
import { HashNumbers } from '../hash-numbers.ts'

/** The row of each tool call by its id: about 20 bytes a call. */
export class CallRows {
  private readonly ids = new HashNumbers()
  private readonly rows = new Column('uint32', 12)

  /** A reused id means the latest call. */
  set(id: string, row: number): void {
    const { length } = this.ids
    const number = this.ids.numberFor(textHash(id))
    if (number === length) this.rows.push(row)
    else if (number >= 0) this.rows.set(number, row)
  }

  /** -1 if there is no such call. */
  rowOf(id: string): number {
    const number = this.ids.numberOf(textHash(id))
    return number < 0 ? -1 : this.rows.at(number)
  }
}
