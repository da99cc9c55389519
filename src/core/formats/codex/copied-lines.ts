import { Column } from '../../column.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import { textHash } from '../text-hash.ts'
import type { RolloutDecoded } from './rollout-decoded.ts'

/**
 * Lines that stand in the log a second time: docs/formats/codex-rollout.md#copied-lines-are-marked.
 */
export class CopiedLines {
  /** In which file a turn or a session was met first; null for the main one. */
  private readonly owners = new Map<string, string | null>()
  /** The ids of response items, and by their numbers what the last one of each says. */
  private readonly itemIds = new HashNumbers()
  private readonly items = new Column('float64', 12)
  /** Files that are telling another file's story. */
  private readonly replaying = new Set<string>()
  private readonly isRun: boolean

  /** `isRun`: there are several files. */
  constructor(isRun: boolean) {
    this.isRun = isRun
  }

  /** Whether a line was there before. `first`: it is the first of its file. */
  isCopy(file: string | undefined, first: boolean, { turnId, itemId, itemHash, steps }: RolloutDecoded): boolean {
    if (this.isRun) {
      const [step] = steps
      if (turnId !== undefined) this.follow(file, turnId, true)
      else if (step?.kind === 'session' && step.id !== undefined) this.follow(file, step.id, first)
    }
    if (itemId !== undefined) {
      const hash = itemHash + (turnId === undefined ? 0 : textHash(turnId))
      if (this.isSaidAgain(textHash(itemId), hash)) return true
    }
    return file !== undefined && this.replaying.has(file)
  }

  private isSaidAgain(id: number, hash: number): boolean {
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

  /** `own`: where nobody has the turn or session yet, it is this file's own. */
  private follow(file: string | undefined, id: string, own: boolean): void {
    const owner = this.owners.get(id)
    if (owner === undefined && own) this.owners.set(id, file ?? null)
    if (file === undefined) return
    if (owner !== undefined && owner !== file) this.replaying.add(file)
    else if (owner !== undefined || own) this.replaying.delete(file)
  }
}
