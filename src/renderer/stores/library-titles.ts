import { lastName } from '#core/paths/path-names.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import { printQuery } from '#core/query/print-query.ts'
import type { LibraryAccess } from './library-state.ts'

const loadAfterMs = 50
const maxPaths = 100
/** Interval in ms after which missing titles are requested again. */
const reloadAfterMs = 5000

/** Titles of logs outside the list: open and recent ones. */
export class LibraryTitles {
  readonly #library: LibraryAccess
  readonly #missing = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #reloadedAt = 0

  constructor(library: LibraryAccess) {
    this.#library = library
  }

  /** Loads the titles of these logs' sessions. */
  load(paths: readonly string[]): void {
    const { titles, presence } = this.#library.get()
    if (presence === 'none') return
    const unknown = paths.filter((path) => titles.get(path) == null)
    if (unknown.length === 0) return
    const missing = unknown.filter((path) => !titles.has(path))
    if (missing.length > 0) this.#set(missing.map((path) => [path, null]))
    for (const path of unknown) this.#missing.add(path)
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => void this.#request(), loadAfterMs)
  }

  /** Loads all titles requested so far; the library was not known then. */
  reloadAll(): void {
    this.load([...this.#library.get().titles.keys()])
  }

  /** Sessions have changed: a missing title may exist now. */
  reload(): void {
    if (Date.now() - this.#reloadedAt < reloadAfterMs) return
    this.#reloadedAt = Date.now()
    this.reloadAll()
  }

  /** Sessions that were loaded for another reason. */
  update(cards: readonly SessionCard[]): void {
    const { titles } = this.#library.get()
    const news = cards.filter(({ path, title }) => titles.has(path) && titles.get(path) !== title)
    if (news.length > 0) this.#set(news.map(({ path, title }) => [path, title]))
  }

  async #request(): Promise<void> {
    this.#timer = undefined
    const paths = [...this.#missing].slice(0, maxPaths)
    this.#missing.clear()
    const { host, get } = this.#library
    if (get().presence !== 'there') return
    for (const path of paths) {
      // The file name: within the length limit, and part of few paths.
      const text = lastName(path)
      const where = printQuery({ op: 'text', value: { type: 'quoted', text: text.slice(0, 1000) } })
      const query = { where, sort: 'last' as const, descending: true, group: 'none' as const }
      try {
        const { cards } = await host.call('library.cards', { query, from: 0, count: 20 })
        const title = cards.find((card) => card.path === path)?.title ?? null
        if (get().titles.get(path) !== title) this.#set([[path, title]])
      } catch {
        return // the file name is shown instead
      }
    }
  }

  #set(news: readonly (readonly [path: string, title: string | null])[]): void {
    const { get, set } = this.#library
    set({ titles: new Map([...get().titles, ...news]) })
  }
}
