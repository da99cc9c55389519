import { ByteOffsets } from '../../byte-offsets.ts'
import { Column } from '../../column.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import type { LineStart } from '../log-format.ts'

const chunkBits = 12
const maxFiles = 0x1_0000

/** Positions of lines by the hash of their `uuid`, about 20 bytes a line, 2 more with several files. */
export class KnownLines {
  private readonly hashes = new HashNumbers()
  private readonly offsets = new ByteOffsets(chunkBits)
  /** By row; null while there is only one file. */
  private files: Column | null = null
  private readonly fileNames: (string | undefined)[] = []
  private readonly fileNumbers = new Map<string | undefined, number>()

  /** The row of a line; -1 if unknown. */
  rowOf(hash: number): number {
    return this.hashes.numberOf(hash)
  }

  /** Adds a line. Returns its row; -1 if there is no room, null if it is known. */
  add(hash: number, at: LineStart): number | null {
    const file = this.fileOf(at.file)
    if (file >= maxFiles) return this.hashes.numberOf(hash) < 0 ? -1 : null
    const row = this.hashes.add(hash)
    if (row === null || row < 0) return row
    this.offsets.push(at.offset)
    if (file > 0) this.files ??= Column.zeros('uint16', chunkBits, row)
    this.files?.push(file)
    return row
  }

  startOf(row: number): LineStart {
    const offset = this.offsets.at(row)
    const file = this.fileNames[this.files?.at(row) ?? 0]
    return file === undefined ? { offset } : { file, offset }
  }

  private fileOf(name: string | undefined): number {
    let number = this.fileNumbers.get(name)
    if (number === undefined) this.fileNumbers.set(name, (number = this.fileNames.push(name) - 1))
    return number
  }
}
