import { Column } from '../column.ts'
import { textHash } from '../formats/text-hash.ts'
import { GrowingList } from '../growing-list.ts'
import { HashNumbers } from '../hash-numbers.ts'

const chunkBits = 10

/** The texts of todo items by number, each kept once. */
export class ItemTexts {
  private readonly texts = new GrowingList<string>()
  private readonly hashes = new HashNumbers(chunkBits)
  /** By number of a hash: that of its text. */
  private readonly textOfHash = new Column('uint32', chunkBits)

  /** The text of a number that `numberOf` gave. */
  at(number: number): string {
    return this.texts.at(number) ?? ''
  }

  /** The number of a text, which has one from here on. */
  numberOf(text: string): number {
    const hash = textHash(text)
    const known = this.withHash(text, hash)
    if (known >= 0) return known
    const number = this.texts.length
    this.texts.push(text)
    // Where another text has the hash, or there is no room for it, the text is kept as often as it comes.
    if ((this.hashes.add(hash) ?? -1) >= 0) this.textOfHash.push(number)
    return number
  }

  /** The number of a text; -1 where it has none. */
  known(text: string): number {
    return this.withHash(text, textHash(text))
  }

  private withHash(text: string, hash: number): number {
    const known = this.hashes.numberOf(hash)
    const number = known < 0 ? -1 : this.textOfHash.at(known)
    return number >= 0 && this.texts.at(number) === text ? number : -1
  }
}
