/**
 * docs/formats/codex-rollout.md#texts-stand-twice. Matched as multisets of hashes.
 */
export class SpokenTwice {
  private readonly unmatched = { item: new Map<number, number>(), event: new Map<number, number>() }

  /** Whether a text is new, and not the other half of one that was met before. */
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

  /** A turn begins or ends. */
  clear(): void {
    this.unmatched.item.clear()
    this.unmatched.event.clear()
  }
}
