import type { Redactor } from '#core/export/redact.ts'
import type { FoldedEvent } from '#core/formats/log-format.ts'
import type { Bookmark, PlaceInRun } from '#core/replay/review.ts'

/** The bookmarks of a log, by the events they are set on. */
export class BookmarkNotes {
  readonly #byPlace = new Map<string, Bookmark>()
  readonly #met: Bookmark[] = []

  /** Without the secrets in them, where there is a `redactor`. */
  constructor(bookmarks: readonly Bookmark[], redactor: Redactor | null) {
    for (const bookmark of bookmarks) this.#byPlace.set(keyOf(bookmark.place), redacted(bookmark, redactor))
  }

  /** All of them, in the order in which they were set. */
  get all(): readonly Bookmark[] {
    return [...this.#byPlace.values()]
  }

  /** Those that `of` has met, in the order of the events. */
  get met(): readonly Bookmark[] {
    return this.#met
  }

  of({ at: { file, line }, ordinal }: FoldedEvent): Bookmark | undefined {
    if (this.#byPlace.size === 0) return undefined
    const bookmark = this.#byPlace.get(keyOf({ file: file ?? null, line, ordinal }))
    if (bookmark !== undefined) this.#met.push(bookmark)
    return bookmark
  }
}

function keyOf({ file, line, ordinal }: Pick<PlaceInRun, 'file' | 'line' | 'ordinal'>): string {
  return `${line} ${ordinal} ${file ?? ''}`
}

function redacted(bookmark: Bookmark, redactor: Redactor | null): Bookmark {
  if (redactor === null) return bookmark
  const { place, note } = bookmark
  redactor.place = { file: place.file, line: place.line }
  const file = place.file && redactor.text(place.file)
  return { ...bookmark, note: redactor.text(note), place: { ...place, file, text: redactor.text(place.text) } }
}
