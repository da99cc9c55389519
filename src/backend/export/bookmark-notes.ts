import type { Redactor } from '#core/export/redact.ts'
import type { FoldedEvent } from '#core/formats/log-format.ts'
import type { Bookmark, PlaceInRun } from '#core/replay/review.ts'

/** The bookmarks of a log by event. */
export class BookmarkNotes {
  readonly #byPlace = new Map<string, Bookmark>()
  readonly #matched: Bookmark[] = []

  constructor(bookmarks: readonly Bookmark[], redactor: Redactor | null) {
    for (const bookmark of bookmarks) this.#byPlace.set(keyOf(bookmark.place), redacted(bookmark, redactor))
  }

  /** In the order in which they were set. */
  get all(): readonly Bookmark[] {
    return [...this.#byPlace.values()]
  }

  /** The bookmarks that `of` has returned, in the order of events. */
  get matched(): readonly Bookmark[] {
    return this.#matched
  }

  of({ at: { file, line }, ordinal }: FoldedEvent): Bookmark | undefined {
    if (this.#byPlace.size === 0) return undefined
    const bookmark = this.#byPlace.get(keyOf({ file: file ?? null, line, ordinal }))
    if (bookmark !== undefined) this.#matched.push(bookmark)
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
