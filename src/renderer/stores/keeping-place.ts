import type { AppStore } from './app-state.ts'
import type { LogState, LogStore } from './log-store.ts'
import { parsePlace, type Place, placeAt, placeText } from './place.ts'

/** Stores the place of a page: in its address, or in the browser's storage. Texts are those of `placeText`. */
export interface PlaceKeeper {
  /** The place in the address, which may come from anyone; null for none. */
  asked(): string | null
  /** The place that this page stored; null for none. */
  kept(): string | null
  keep(text: string): void
  /** Calls `listener` when the address of the open page changes. */
  onAsked(listener: (text: string) => void): void
  /** A link to an event of a log. `filter`: the query for its rows; empty for all. */
  linkTo(path: string, seq: number, filter: string): string
  /** Calls `listener` before the page is left, to store the place now. */
  onLeaving(listener: () => void): void
}

/** Minimum time between writes of the address: browsers refuse more than about seven a second. */
const pauseMs = 250

/** Stores the person's place, and restores it when the page is loaded again. */
export class KeepingPlace {
  readonly #app: Pick<AppStore, 'getState' | 'subscribe'>
  readonly #keeper: PlaceKeeper
  #kept: string | null
  /** The last stored text. */
  #written: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #isDue = false
  #watched: LogStore | undefined
  #stopWatching = () => {}
  /** The place of a foreign address, whose log is opened only if the person agrees. */
  #unanswered: Place | null = null
  #hasBegun = false

  constructor(app: Pick<AppStore, 'getState' | 'subscribe'>, keeper: PlaceKeeper) {
    this.#app = app
    this.#keeper = keeper
    this.#kept = keeper.kept()
    keeper.onAsked((text) => void this.#goTo(text))
    keeper.onLeaving(() => this.#write())
  }

  /** Shows the place of the address, or the stored one if the host opened no log. False for none, or on an error. */
  async restore(): Promise<boolean> {
    const { logs } = this.#app.getState()
    const kept = parsePlace(this.#kept ?? '')
    const fits = logs.length === 0 || logs.some(({ path }) => path === kept?.path)
    const isThere = await this.#show(parsePlace(this.#keeper.asked() ?? '') ?? (fits ? kept : null))
    if (!this.#hasBegun) this.#begin()
    return isThere
  }

  async #goTo(text: string): Promise<void> {
    const place = parsePlace(text)
    if (this.#hasBegun && place !== null && text !== this.#kept) await this.#show(place)
  }

  async #show(place: Place | null): Promise<boolean> {
    const { leaveLog, library } = this.#app.getState()
    if (place === null) return false
    if (place.path === null) {
      leaveLog()
      library.getState().choose({ text: place.filter })
      return true
    }
    if (!(await this.#isKnown(place.path))) {
      this.#unanswered = place
      this.#app.getState().offer(place.path)
      return false
    }
    const { compared } = place
    // Of an unknown address only the shown log was agreed to: opening another one can contact a server.
    const known = compared !== null && (await this.#isKnown(compared.a)) && (await this.#isKnown(compared.b))
    if (known) await this.#app.getState().compareLogs(compared.a, compared.b, true)
    await this.#app.getState().openLog(place.path)
    return this.#app.getState().openError === null && this.#resumeAt(place)
  }

  /** An address may come from anyone, and opening a file can contact a server. Stored logs are trusted. */
  async #isKnown(path: string): Promise<boolean> {
    const { logs, host } = this.#app.getState()
    if (logs.some((log) => log.path === path) || parsePlace(this.#kept ?? '')?.path === path) return true
    const { recent } = await host.call('recent.list', {}).catch(() => ({ recent: [] }))
    return recent.some((log) => log.path === path)
  }

  #resumeAt(place: Place): boolean {
    const { active, logStores, layout } = this.#app.getState()
    const log = logStores.get(active ?? '')
    if (log === undefined) return false
    layout.getState().setView(place.view)
    layout.getState().setIssuesOpen(place.issues)
    log.parts.resuming.resumeAt(place)
    return true
  }

  #begin(): void {
    this.#hasBegun = true
    this.#app.subscribe(() => this.#watch())
    this.#app.getState().layout.subscribe(() => this.#plan())
    this.#app.getState().library.subscribe(({ choice }, former) => choice !== former.choice && this.#plan())
    this.#app.getState().compare.subscribe(() => this.#plan())
    this.#watch()
  }

  /** Another log or generation may be shown. */
  #watch(): void {
    const { active, logs, logStores } = this.#app.getState()
    const path = logs.find(({ log }) => log === active)?.path
    const unanswered = this.#unanswered
    if (unanswered !== null && path === unanswered.path) {
      this.#unanswered = null
      this.#resumeAt(unanswered)
    }
    const log = logStores.get(active ?? '')
    if (log !== this.#watched) {
      this.#stopWatching()
      this.#watched = log
      this.#stopWatching = log?.subscribe(() => this.#plan()) ?? (() => {})
    }
    this.#plan()
  }

  /** Stores the first change at once, and further ones after a pause. */
  #plan(): void {
    if (this.#timer !== undefined) {
      this.#isDue = true
      return
    }
    this.#write()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#isDue) this.#plan()
    }, pauseMs)
  }

  #write(): void {
    this.#isDue = false
    if (!this.#hasBegun) return
    const kept = parsePlace(this.#kept ?? '')
    const place = this.#here(kept)
    // After a lost connection the logs are opened one by one.
    const isReopening = this.#app.getState().connection !== 'open' && place.path !== kept?.path
    const text = placeText(place)
    if (isReopening || text === this.#written) return
    this.#kept = this.#written = text
    this.#keeper.keep(text)
  }

  #here(kept: Place | null): Place {
    const { active, logStores, layout, library } = this.#app.getState()
    const log = logStores.get(active ?? '')?.getState()
    if (log === undefined) return { ...placeAt(null), filter: library.getState().choice.text }
    const { view, issuesOpen } = layout.getState()
    const { text, regex, caseSensitive } = log.find
    const { path } = log.status
    const where = log.resuming.currentPlace()
    // While the rows are loaded, the stored place is still the newest.
    if (where === null && !log.isComplete && kept?.path === path)
      return { ...kept, view, issues: issuesOpen, compared: this.#compared() }
    const { seq, row, following } = where ?? placeAt(path)
    const find = { text, regex, caseSensitive }
    const place = { path, seq, row, following, view, tab: log.inspectorTab, issues: issuesOpen, find }
    return { ...place, filter: log.filter.text, file: fileOf(log), compared: this.#compared() }
  }

  #compared(): Place['compared'] {
    const { active, compare, logs } = this.#app.getState()
    const compared = compare.getState().logs
    if (compared === null || (active !== compared.a && active !== compared.b)) return null
    const [a, b] = [compared.a, compared.b].map((id) => logs.find(({ log }) => log === id)?.path)
    return a === undefined || b === undefined ? null : { a, b }
  }
}

/** The file by the whole path, so that a link needs no row. */
function fileOf({ viewedFile, files }: LogState): Place['file'] {
  if (viewedFile === null) return null
  const { path, row, line } = viewedFile
  const file = files.numberOf(path, row)
  return { path: files.paths[file] ?? path, line }
}
