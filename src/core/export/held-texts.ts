import type { Redactor, SecretPlace } from './redact.ts'

/** A text of an exported item: a piece of a text, or a whole text. */
export interface HeldText {
  /** Texts of one stream follow each other; others may be between. */
  readonly stream: string
  readonly text: string
  /** Of a piece: the number of its text. Null: a whole text. */
  readonly pieceOf: number | null
}

interface Held<T> {
  readonly item: T
  readonly place: SecretPlace | null
  readonly size: number
  readonly texts: readonly HeldText[]
  /** The redacted texts; null if unchanged. */
  clean: string[] | null
}

/** Items are released after this many without text, or at the limits; then all but the last ones. */
const quietItems = 200
const maxItems = 5000
const maxSize = 8 << 20

/** Holds items until it is known whether a secret begins in one text and ends in a later one. */
export class HeldTexts<T> {
  private readonly redactor: Redactor
  /** Called once per item, in order. `clean`: its texts if they changed. */
  private readonly emit: (item: T, clean: readonly string[] | null) => void
  private held: Held<T>[] = []
  private size = 0
  private quiet = 0

  constructor(redactor: Redactor, emit: (item: T, clean: readonly string[] | null) => void) {
    this.redactor = redactor
    this.emit = emit
  }

  get isEmpty(): boolean {
    return this.held.length === 0
  }

  /** `size`: approximate memory in bytes. `place`: of the item in the log. */
  add(item: T, size: number, texts: readonly HeldText[], place: SecretPlace | null): void {
    if (texts.length === 0 && this.held.length === 0) {
      this.redactor.place = place
      this.emit(item, null)
      return
    }
    this.held.push({ item, place, size, texts, clean: null })
    this.size += size
    this.quiet = texts.length === 0 ? this.quiet + 1 : 0
    if (this.quiet >= quietItems) this.release(0)
    else if (this.held.length >= maxItems || this.size >= maxSize) this.release(quietItems)
  }

  /** Releases all items. */
  end(): void {
    this.release(0)
  }

  /** Releases all items but the last `kept`. */
  private release(kept: number): void {
    for (const stream of this.streams().values()) this.redact(stream)
    const released = this.held.splice(0, Math.max(this.held.length - kept, 1))
    this.size = this.held.reduce((sum, { size }) => sum + size, 0)
    this.quiet = 0
    for (const { item, place, clean } of released) {
      this.redactor.place = place
      this.emit(item, clean)
    }
  }

  private streams(): Map<string, { held: Held<T>; index: number }[]> {
    const streams = new Map<string, { held: Held<T>; index: number }[]>()
    for (const held of this.held) {
      for (const [index, { stream }] of held.texts.entries()) {
        const texts = streams.get(stream)
        if (texts) texts.push({ held, index })
        else streams.set(stream, [{ held, index }])
      }
    }
    return streams
  }

  private redact(stream: readonly { held: Held<T>; index: number }[]): void {
    const textOf = ({ held, index }: { held: Held<T>; index: number }): string =>
      held.clean?.[index] ?? held.texts[index]?.text ?? ''
    const pieceOf = ({ held, index }: { held: Held<T>; index: number }): number | null =>
      held.texts[index]?.pieceOf ?? null
    const apply = (places: readonly { held: Held<T>; index: number }[], isPiece: boolean): void => {
      const texts = places.map(textOf)
      const at = places.map(({ held }) => held.place)
      // The pieces of a streamed text are close together.
      this.redactor.place = at[0] ?? null
      const clean = isPiece ? this.redactor.pieces(texts) : this.redactor.across(texts, at)
      for (const [i, { held, index }] of places.entries()) {
        if (clean[i] === texts[i]) continue
        held.clean ??= held.texts.map(({ text }) => text)
        held.clean[index] = clean[i] ?? ''
      }
    }
    const pieces = stream.filter((place) => pieceOf(place) !== null)
    // First each text by itself, as the one before may end in a letter; then all, for what goes on in the next.
    let text: typeof pieces = []
    for (const [i, place] of pieces.entries()) {
      text.push(place)
      const next = pieces[i + 1]
      if (next !== undefined && pieceOf(next) === pieceOf(place)) continue
      if (text.length < pieces.length) apply(text, true)
      text = []
    }
    if (pieces.length > 0) apply(pieces, true)
    apply(
      stream.filter((place) => pieceOf(place) === null),
      false
    )
  }
}
