import { messageOf } from '#contract/host-error.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { LibraryAccess, ShownPreview } from './library-state.ts'

/** A held key loads no session on its way. */
const loadAfterMs = 90

/** The session shown beside the list. */
export class LibraryPreview {
  readonly #library: LibraryAccess
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(library: LibraryAccess) {
    this.#library = library
  }

  show(card: SessionCard | null): void {
    if (card === null) return
    const { preview } = this.#library.get()
    if (preview?.card.id === card.id && preview.session !== null) return
    clearTimeout(this.#timer)
    this.#library.set({ preview: { card, session: null, error: null } })
    this.#timer = setTimeout(() => void this.#load(card), loadAfterMs)
  }

  /** Updates the preview if its session has changed. */
  refresh(cards: readonly SessionCard[]): void {
    const { preview, cursor } = this.#library.get()
    const now = cards.find(({ id }) => id === preview?.card.id)
    if (preview === null || now === undefined) return
    if (cursor?.card?.id === now.id) this.#library.set({ cursor: { ...cursor, card: now } })
    // A session is counted after its card was read: the preview may be that of an earlier count.
    const isCounted = now.counts?.events !== preview.card.counts?.events
    if (isCounted || now.bytes !== preview.card.bytes || now.state !== preview.card.state) void this.#load(now)
  }

  async #load(card: SessionCard): Promise<void> {
    const { host, get, set } = this.#library
    let session: ShownPreview['session'] = null
    let error: string | null = null
    try {
      session = await host.call('library.session', { session: card.id })
    } catch (thrown) {
      error = messageOf(thrown)
    }
    const { preview } = get()
    if (preview?.card.id !== card.id) return
    set({ preview: { card: session?.card ?? card, session: session ?? preview.session, error } })
  }
}
