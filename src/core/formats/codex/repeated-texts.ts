/** Matches texts recorded twice, as multisets of hashes: docs/formats/codex-rollout.md#texts-stand-twice. */
export class RepeatedTexts {
  private readonly unmatched = { item: new Map<number, number>(), event: new Map<number, number>() }

  /** False for the second record of a text. */
  isNew(hash: number, by: 'item' | 'event'): boolean {
    const others = this.unmatched[by === 'item' ? 'event' : 'item']
    const count = others.get(hash)
    if (count !== undefined) {
      if (count === 1) others.delete(hash)
      else others.set(hash, count - 1)
      return false
    }
    const own = this.unmatched[by]
    own.set(hash, (own.get(hash) ?? 0) + 1)
    return true
  }

  /** At turn boundaries. */
  clear(): void {
    this.unmatched.item.clear()
    this.unmatched.event.clear()
  }
}
