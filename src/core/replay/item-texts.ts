import { Column } from '../column.ts'
import { textHash } from '../formats/text-hash.ts'
import { GrowingList } from '../growing-list.ts'
import { HashNumbers } from '../hash-numbers.ts'

const chunkBits = 10

/** The texts of todo items by number, each stored once. */
export class ItemTexts {
  private readonly texts = new GrowingList<string>()
  private readonly hashes = new HashNumbers(chunkBits)
  /** By hash number: the number of its text. */
  private readonly textOfHash = new Column('uint32', chunkBits)

  get length(): number {
    return this.texts.length
  }

  /** The text of a number that `numberOf` returned. */
  at(number: number): string {
    return this.texts.at(number) ?? ''
  }

  /** The number of a text; adds a new text. */
  numberOf(text: string): number {
    const hash = textHash(text)
    const known = this.withHash(text, hash)
    if (known >= 0) return known
    const number = this.texts.length
    this.texts.push(text)
    // On a hash collision, or without room for the hash, the text is stored at each occurrence.
    if ((this.hashes.add(hash) ?? -1) >= 0) this.textOfHash.push(number)
    return number
  }

  /** The number of a text; -1 if it has none. */
  known(text: string): number {
    return this.withHash(text, textHash(text))
  }

  private withHash(text: string, hash: number): number {
    const known = this.hashes.numberOf(hash)
    const number = known < 0 ? -1 : this.textOfHash.at(known)
    return number >= 0 && this.texts.at(number) === text ? number : -1
  }
}
