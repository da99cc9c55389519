/**
 * What agents say, given as soon as a piece of it is known, and once. Pieces come before the event with the whole text, or in its place; the
 * whole gives only what no piece has given.
 */
export class StreamedText {
  /** By track: what pieces have given and no event has told since. */
  readonly #given = new Map<string, string>()

  /** A piece: all of it is new. */
  piece(track: string, text: string): string {
    this.#given.set(track, (this.#given.get(track) ?? '') + text)
    return text
  }

  /** An event tells a whole text: what of it is new. */
  whole(track: string, text: string): string {
    const given = this.#given.get(track)
    if (given === undefined) return text
    // Several blocks of a message may stand in pieces before the first of them is told.
    if (given.length > text.length && given.startsWith(text)) {
      this.#given.set(track, given.slice(text.length))
      return ''
    }
    this.#given.delete(track)
    // What was given cannot be taken back: where the agent says another text in the end, that one is given, too.
    return text.startsWith(given) ? text.slice(given.length) : text
  }
}
