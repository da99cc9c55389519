import { Column } from '../../column.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import { textHash } from '../text-hash.ts'
import type { RolloutDecoded } from './rollout-decoded.ts'

/** Detects repeated lines: docs/formats/codex-rollout.md#copied-lines-are-marked. */
export class CopiedLines {
  /** The first file of each turn or session; null for the main one. */
  private readonly owners = new Map<string, string | null>()
  /** Ids of response items, and by their numbers the hash of the latest text. */
  private readonly itemIds = new HashNumbers()
  private readonly items = new Column('float64', 12)
  /** Files that repeat lines of another. */
  private readonly replaying = new Set<string>()
  private readonly hasManyFiles: boolean

  /** `hasManyFiles`: the run has several files. */
  constructor(hasManyFiles: boolean) {
    this.hasManyFiles = hasManyFiles
  }

  /** Whether a line is a copy. `first`: it is the first of its file. */
  isCopy(file: string | undefined, first: boolean, { turnId, itemId, itemHash, steps }: RolloutDecoded): boolean {
    if (this.hasManyFiles) {
      const [step] = steps
      if (turnId !== undefined) this.follow(file, turnId, true)
      else if (step?.kind === 'session' && step.id !== undefined) this.follow(file, step.id, first)
    }
    if (itemId !== undefined) {
      const hash = itemHash + (turnId === undefined ? 0 : textHash(turnId))
      if (this.isRepeated(textHash(itemId), hash)) return true
    }
    return file !== undefined && this.replaying.has(file)
  }

  private isRepeated(id: number, hash: number): boolean {
    const added = this.itemIds.add(id)
    if (added !== null) {
      if (added >= 0) this.items.push(hash)
      return false
    }
    const number = this.itemIds.numberOf(id)
    if (this.items.at(number) === hash) return true
    this.items.set(number, hash)
    return false
  }

  /** `own`: assign an unknown turn or session to this file. */
  private follow(file: string | undefined, id: string, own: boolean): void {
    const owner = this.owners.get(id)
    if (owner === undefined && own) this.owners.set(id, file ?? null)
    if (file === undefined) return
    if (owner !== undefined && owner !== file) this.replaying.add(file)
    else if (owner !== undefined || own) this.replaying.delete(file)
  }
}
