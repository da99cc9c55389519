import type { SessionCard } from '#core/library/session-card.ts'
import type { LibraryAccess } from './library-state.ts'

const askAfter = 50
const mostAsked = 100
/** Titles that were not known are asked for again, when sessions have changed, in ms. */
const againAfter = 5000

/** What logs are called that are not in the list: those that are open, and recent ones. */
export class LibraryTitles {
  readonly #library: LibraryAccess
  readonly #wanted = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #askedAgainAt = 0

  constructor(library: LibraryAccess) {
    this.#library = library
  }

  /** Asks what the sessions of these logs are called. */
  want(paths: readonly string[]): void {
    const { titles, presence } = this.#library.get()
    if (presence === 'none') return
    const unknown = paths.filter((path) => titles.get(path) == null)
    if (unknown.length === 0) return
    const missing = unknown.filter((path) => !titles.has(path))
    if (missing.length > 0) this.#set(missing.map((path) => [path, null]))
    for (const path of unknown) this.#wanted.add(path)
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => void this.#ask(), askAfter)
  }

  /** All that were ever wanted: there is a library now. */
  wantAll(): void {
    this.want([...this.#library.get().titles.keys()])
  }

  /** Sessions have changed: what had no title may have one now. */
  askAgain(): void {
    if (Date.now() - this.#askedAgainAt < againAfter) return
    this.#askedAgainAt = Date.now()
    this.wantAll()
  }

  /** These cards came for another reason. */
  learn(cards: readonly SessionCard[]): void {
    const { titles } = this.#library.get()
    const news = cards.filter(({ path, title }) => titles.has(path) && titles.get(path) !== title)
    if (news.length > 0) this.#set(news.map(({ path, title }) => [path, title]))
  }

  async #ask(): Promise<void> {
    this.#timer = undefined
    const paths = [...this.#wanted].slice(0, mostAsked)
    this.#wanted.clear()
    const { host, get } = this.#library
    if (get().presence !== 'there') return
    for (const path of paths) {
      // A name without its folder: shorter than any limit, and in few paths.
      const text = path.split(/[\\/]/).at(-1) ?? path
      const query = { text: text.slice(0, 1000), sort: 'last' as const, descending: true, group: 'none' as const }
      try {
        const { cards } = await host.call('library.cards', { query, from: 0, count: 20 })
        const title = cards.find((card) => card.path === path)?.title ?? null
        if (get().titles.get(path) !== title) this.#set([[path, title]])
      } catch {
        return // the name of the file stays
      }
    }
  }

  #set(news: readonly (readonly [path: string, title: string | null])[]): void {
    const { get, set } = this.#library
    set({ titles: new Map([...get().titles, ...news]) })
  }
}
