import type { AppStore } from './app-state.ts'
import type { LogStore } from './log-store.ts'
import { parsePlace, type Place, placeAt, placeText } from './place.ts'

/** Where the place of a page is kept: in its address, or with what the browser keeps for it. Texts are those of `placeText`. */
export interface PlaceKeeper {
  /** What the page was asked to show, which may be anybody's wish; null: nothing. */
  asked(): string | null
  /** What this page kept before; null: nothing. */
  kept(): string | null
  keep(text: string): void
  /** Another place is asked for, of a page that is open. */
  onAsked(listener: (text: string) => void): void
  /** A link that a person can paste elsewhere to come to an event of a log. */
  linkTo(path: string, seq: number): string
  /** The page is being left: what is to be kept is kept now. */
  onLeaving(listener: () => void): void
}

/** The least time between two writes of the address: browsers refuse more than about seven a second. */
const pauseMs = 250

/** Keeps the place of the person in the page, and goes back to it when the page is loaded again. */
export class KeepingPlace {
  readonly #app: Pick<AppStore, 'getState' | 'subscribe'>
  readonly #keeper: PlaceKeeper
  #kept: string | null
  /** What this page has written. */
  #written: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #isDue = false
  #watched: LogStore | undefined
  #stopWatching = () => {}
  /** A log that somebody else's address names: the person is asked before it is opened. */
  #unanswered: Place | null = null
  #hasBegun = false

  constructor(app: Pick<AppStore, 'getState' | 'subscribe'>, keeper: PlaceKeeper) {
    this.#app = app
    this.#keeper = keeper
    this.#kept = keeper.kept()
    keeper.onAsked((text) => void this.#goTo(text))
    keeper.onLeaving(() => this.#write())
  }

  /**
   * The host has said which logs are open. Shows what the address asks for; else what was shown before, where the host was not started for
   * other logs. False: there is no such place, or its log cannot be opened.
   */
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
    const { leaveLog } = this.#app.getState()
    if (place === null) return false
    if (place.path === null) {
      leaveLog()
      return true
    }
    if (!(await this.#isKnown(place.path))) {
      this.#unanswered = place
      this.#app.getState().offer(place.path)
      return false
    }
    await this.#app.getState().openLog(place.path)
    return this.#app.getState().openError === null && this.#resumeAt(place)
  }

  /** Anybody can make an address, and opening a file may ask a server for it. What this person had open before is theirs. */
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
    this.#watch()
  }

  /** Another log may be shown, or another generation of it. */
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

  /** What changes first is kept at once, what comes soon after it a little later. */
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
    // When the host is back, the logs are opened again one by one.
    const isReopening = this.#app.getState().connection !== 'open' && place.path !== kept?.path
    const text = placeText(place)
    if (isReopening || text === this.#written) return
    this.#kept = this.#written = text
    this.#keeper.keep(text)
  }

  #here(kept: Place | null): Place {
    const { active, logStores, layout } = this.#app.getState()
    const log = logStores.get(active ?? '')?.getState()
    if (log === undefined) return placeAt(null)
    const { view, issuesOpen } = layout.getState()
    const { text, regex, caseSensitive } = log.find
    const { path } = log.status
    const where = log.resuming.whereabouts()
    // The rows are on their way, and the person waits for them: nothing is known that would be newer.
    if (where === null && !log.isComplete && kept?.path === path) return { ...kept, view, issues: issuesOpen }
    const { seq, row, following } = where ?? placeAt(path)
    const find = { text, regex, caseSensitive }
    return { path, seq, row, following, view, tab: log.inspectorTab, issues: issuesOpen, find, filter: log.filter }
  }
}
