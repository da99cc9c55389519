/**
 * Emits each part of an agent's text once, as early as possible. Pieces arrive before the event with the whole text, or
 * instead of it; the whole text adds only what the pieces did not contain.
 */
export class StreamedText {
  /** By track: text of pieces that no event has covered yet. */
  readonly #pending = new Map<string, string>()

  /** Adds a piece; all of it is new. */
  piece(track: string, text: string): string {
    this.#pending.set(track, (this.#pending.get(track) ?? '') + text)
    return text
  }

  /** Adds a whole text; returns its new part. */
  whole(track: string, text: string): string {
    const pending = this.#pending.get(track)
    if (pending === undefined) return text
    // Pieces of several blocks may precede the event of the first.
    if (pending.length > text.length && pending.startsWith(text)) {
      this.#pending.set(track, pending.slice(text.length))
      return ''
    }
    this.#pending.delete(track)
    // Emitted text cannot be retracted: if the final text differs, it is emitted too.
    return text.startsWith(pending) ? text.slice(pending.length) : text
  }
}
