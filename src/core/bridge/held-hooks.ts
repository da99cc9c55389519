interface Hook {
  readonly result: { readonly content: string } | null
}

const maxHeld = 1000
const maxText = 16 << 20

/** Hooks of calls that are not in the recording yet. */
export class HeldHooks<H extends Hook> {
  readonly #held = new Map<string, H>()
  #text = 0

  /** Holds the hook of a call in place of an earlier one. Returns the oldest ones above the limits, which are no longer held. */
  hold(tool: string, hook: H): readonly H[] {
    this.release(tool)
    this.#held.set(tool, hook)
    this.#text += hook.result?.content.length ?? 0
    const dropped: H[] = []
    for (const [oldest, held] of this.#held) {
      if (this.#held.size <= maxHeld && this.#text <= maxText) break
      this.release(oldest)
      dropped.push(held)
    }
    return dropped
  }

  release(tool: string): H | undefined {
    const held = this.#held.get(tool)
    if (held === undefined) return undefined
    this.#held.delete(tool)
    this.#text -= held.result?.content.length ?? 0
    return held
  }

  releaseAll(): readonly H[] {
    const all = [...this.#held.values()]
    this.#held.clear()
    this.#text = 0
    return all
  }
}
