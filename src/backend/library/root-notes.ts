const most = 20

/** What there is to say about a root that is no session: sentences, each kind of thing counted. */
export class RootNotes {
  readonly #said: string[] = []
  readonly #counts = new Map<string, { count: number; many: string }>()

  say(sentence: string): void {
    if (this.#said.length < most) this.#said.push(sentence)
  }

  /** One more of what is left alone: what is said of one, and of several after their number. */
  count(one: string, many: string): void {
    const known = this.#counts.get(one)
    if (known === undefined) this.#counts.set(one, { count: 1, many })
    else known.count++
  }

  all(): string[] {
    const counted = [...this.#counts].map(([one, { count, many }]) => (count === 1 ? `1 ${one}` : `${count} ${many}`))
    return [...counted, ...this.#said].slice(0, most)
  }
}
