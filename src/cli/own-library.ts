import type { LibraryStatus } from '#contract/library.ts'
import type { Notice, NoticeName } from '#contract/methods.ts'
import { HostError } from '#contract/host-error.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { SearchedSession } from '#backend/library/search/batches.ts'
import type { HostLibrary } from '#backend/library/library.ts'
import { cacheFolder } from '#backend/saved/cache-folder.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { type Environment, say } from './environment.ts'
import type { PricesPlace } from '#backend/prices.ts'
import { pricesPlace } from './prices-option.ts'
import { Progress } from './progress.ts'
import type { AskedSessions } from './session-filter.ts'

const maxParallelReads = 2

interface Opening {
  /** Folders to search instead of those of the agents and Playhead. */
  readonly roots: readonly string[] | null
  /** See `LibraryOptions`. */
  readonly patienceMs?: number
  /** Absent: those of the settings, else those that Playhead comes with. */
  readonly prices?: PricesPlace
}

type Listener = (name: NoticeName, payload: Notice<NoticeName>) => void

/** The library of this machine, in this process. */
export class OwnLibrary {
  readonly handlers: HostLibrary['handlers']
  readonly #library: HostLibrary
  readonly #environment: Environment
  readonly #listeners: Set<Listener>

  private constructor(library: HostLibrary, listeners: Set<Listener>, environment: Environment) {
    this.#environment = environment
    this.#library = library
    this.handlers = library.handlers
    this.#listeners = listeners
  }

  /** Runs `work` on the listed sessions of this machine, then closes the library. `what`: the label of the progress. */
  static async use<T>(
    environment: Environment,
    { what = 'looking for sessions', ...options }: Opening & { readonly what?: string },
    work: (library: OwnLibrary, progress: Progress, status: LibraryStatus) => Promise<T>
  ): Promise<T> {
    const progress = new Progress(environment, what, false)
    const library = await OwnLibrary.#open(environment, options)
    try {
      return await work(library, progress, await library.#listed(progress))
    } finally {
      progress.end()
      await library.#library.close()
    }
  }

  static async #open(
    environment: Environment,
    { roots, patienceMs = 0, prices = pricesPlace({}, environment) }: Opening
  ): Promise<OwnLibrary> {
    const { createWorker, createLibrary, variables, platform, home, now } = environment
    const listeners = new Set<Listener>()
    const library = await createLibrary({
      createWorker,
      cache: cacheFolder(variables, platform),
      state: roots === null ? stateFolder(variables, platform) : null,
      roots,
      variables,
      home,
      prices,
      patienceMs,
      notify: (name, payload) => {
        for (const listener of listeners) listener(name, payload)
      },
      problem: (message) => say(environment, message),
      now
    })
    return new OwnLibrary(library, listeners, environment)
  }

  /** Returns a function that removes the listener. */
  on<N extends NoticeName>(wanted: N, listener: (payload: Notice<N>) => void): () => void {
    const filtered: Listener = (name, payload) => {
      if (name === wanted) listener(payload as Notice<N>)
    }
    this.#listeners.add(filtered)
    return () => this.#listeners.delete(filtered)
  }

  /** Resolves when all sessions have cards. Whole logs are only read on request. */
  async #listed(progress: Progress): Promise<LibraryStatus> {
    const end = this.on('library.changed', ({ done, all }) => progress.at(done, all))
    try {
      await this.handlers['library.pause']({ isPaused: true })
      return await this.#library.ask('listed', null)
    } finally {
      end()
    }
  }

  /** Newest first. Also finds the target of a linked project folder, as agents record it. */
  async sessions(asked: AskedSessions, limit: number | null): Promise<readonly SearchedSession[]> {
    const found = await this.#library.ask('searched', await this.whereOf(asked))
    return limit === null ? found : found.slice(0, limit)
  }

  /** The query to ask, once it can be answered. */
  async whereOf({ where, read, orElse }: AskedSessions): Promise<string> {
    if (read !== null) await this.#readAll(read)
    const isAnswer = orElse === null || (await this.#library.ask('searched', where)).length > 0
    return isAnswer ? where : await this.whereOf(orElse)
  }

  async #readAll(where: string): Promise<void> {
    const uncounted = new Set(await this.#library.ask('uncounted', where))
    if (uncounted.size === 0) return
    const sessions = await this.#library.ask('searched', where)
    const wanted = sessions.filter(({ card }) => uncounted.has(card.id))
    const progress = new Progress(this.#environment, 'reading sessions', false)
    try {
      const read = this.read(wanted, { subagents: false, done: (count) => progress.at(count, wanted.length) })
      for await (const _ of read);
    } finally {
      progress.end()
    }
  }

  /** Reports unreadable folders; false if there are any. */
  async isWhole(): Promise<boolean> {
    const unread = await this.#library.ask('unreadFolders', null)
    for (const folder of unread) say(this.#environment, `${folder} cannot be read; sessions in it may be missing`)
    return unread.length === 0
  }

  /** Sessions and logs of their subagents. */
  async all(): Promise<readonly SessionCard[]> {
    return await this.#library.ask('all', null)
  }

  /** Yields sessions in order, each as soon as its whole log is read. */
  async *read(
    sessions: readonly SearchedSession[],
    { subagents, done }: { readonly subagents: boolean; readonly done: (count: number) => void }
  ): AsyncGenerator<SearchedSession> {
    const uncounted = new Set(await this.#library.ask('uncounted', ''))
    const reading: Promise<SearchedSession>[] = []
    const start = (session: SearchedSession | undefined): void => {
      if (session === undefined) return
      const read = this.#read(session, uncounted, subagents)
      // Thrown by the await below.
      read.catch(() => {})
      reading.push(read)
    }
    for (const session of sessions.slice(0, maxParallelReads)) start(session)
    for (let i = 0; i < sessions.length; i++) {
      const session = await reading.shift()
      if (session === undefined) return
      start(sessions[i + maxParallelReads])
      done(i + 1)
      yield session
    }
  }

  async #read(
    { card, subagents }: SearchedSession,
    uncounted: ReadonlySet<string>,
    withSubagents: boolean
  ): Promise<SearchedSession> {
    const read: SessionCard[] = []
    // In sequence: a session may have hundreds.
    if (withSubagents) for (const subagent of subagents) read.push(await this.#counted(subagent))
    return { card: uncounted.has(card.id) ? await this.#counted(card) : card, subagents: read }
  }

  async #counted(card: SessionCard): Promise<SessionCard> {
    try {
      return (await this.handlers['library.session']({ session: card.id })).card
    } catch (error) {
      // Deleted or unreadable meanwhile: the card has the known facts.
      if (error instanceof HostError) return card
      throw error
    }
  }
}
