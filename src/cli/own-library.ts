import type { LibraryStatus } from '#contract/library.ts'
import type { Notice, NoticeName } from '#contract/methods.ts'
import { HostError } from '#contract/host-error.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { SessionFilter } from '#core/library/session-query.ts'
import type { SearchedSession } from '#backend/library/search/batches.ts'
import type { HostLibrary } from '#backend/library/library.ts'
import { cacheFolder } from '#backend/saved/cache-folder.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { type Environment, say } from './environment.ts'
import type { Progress } from './progress.ts'
import { withoutLinks } from './session-filter.ts'

/** Whole logs that are read at once. */
const readAtOnce = 2

type Listener = (name: NoticeName, payload: Notice<NoticeName>) => void

/** The library of this machine, in this process: for one command, without a server. */
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

  /** `roots`: folders that are looked through instead of those of the agents, and of Playhead's own. `patienceMs`: as `LibraryOptions` has it. */
  static async open(environment: Environment, roots: readonly string[] | null, patienceMs = 0): Promise<OwnLibrary> {
    const { createWorker, createLibrary, variables, platform, home, now } = environment
    const listeners = new Set<Listener>()
    const library = await createLibrary({
      createWorker,
      cache: cacheFolder(variables, platform),
      state: roots === null ? stateFolder(variables, platform) : null,
      roots,
      variables,
      home,
      patienceMs,
      notify: (name, payload) => {
        for (const listener of listeners) listener(name, payload)
      },
      problem: (message) => say(environment, message),
      now
    })
    return new OwnLibrary(library, listeners, environment)
  }

  /** Until what it returns is called. */
  on<N extends NoticeName>(wanted: N, listener: (payload: Notice<N>) => void): () => void {
    const heard: Listener = (name, payload) => {
      if (name === wanted) listener(payload as Notice<N>)
    }
    this.#listeners.add(heard)
    return () => this.#listeners.delete(heard)
  }

  /** Once all sessions have their cards. What only whole logs tell is read where it is asked for, and nowhere else. */
  async listed(progress: Progress): Promise<LibraryStatus> {
    const end = this.on('library.changed', ({ done, all }) => progress.at(done, all))
    try {
      await this.handlers['library.pause']({ isPaused: true })
      return await this.#library.ask('listed', null)
    } finally {
      end()
    }
  }

  /** The sessions of a filter, the latest first; of a project that is named by a link those of the folder it leads to: agents write it so. */
  async sessions(filter: SessionFilter, most: number | null): Promise<readonly SearchedSession[]> {
    const found = await this.#library.ask('searched', await this.withLinkFollowed(filter))
    return most === null ? found : found.slice(0, most)
  }

  async withLinkFollowed(filter: SessionFilter): Promise<SessionFilter> {
    const real = await withoutLinks(filter)
    return real === null || (await this.#library.ask('searched', filter)).length > 0 ? filter : real
  }

  /** Says which folders could not be looked into. False: some could not, so that there may be more sessions. */
  async isWhole(): Promise<boolean> {
    const unread = await this.#library.ask('unreadFolders', null)
    for (const folder of unread) say(this.#environment, `${folder} cannot be read; sessions in it may be missing`)
    return unread.length === 0
  }

  /** All sessions, and the logs of their subagents. */
  async all(): Promise<readonly SessionCard[]> {
    return await this.#library.ask('all', null)
  }

  /** Sessions in their order, each as soon as all of its log is read; `done` hears how many are. Without `subagents` theirs are left out. */
  async *read(
    sessions: readonly SearchedSession[],
    { subagents, done }: { readonly subagents: boolean; readonly done: (count: number) => void }
  ): AsyncGenerator<SearchedSession> {
    const uncounted = new Set(await this.#library.ask('uncounted', {}))
    const coming: Promise<SearchedSession>[] = []
    const start = (session: SearchedSession | undefined): void => {
      if (session === undefined) return
      const read = this.#read(session, uncounted, subagents)
      // Its failure is thrown where it is waited for.
      read.catch(() => {})
      coming.push(read)
    }
    for (const session of sessions.slice(0, readAtOnce)) start(session)
    for (let i = 0; i < sessions.length; i++) {
      const session = await coming.shift()
      if (session === undefined) return
      start(sessions[i + readAtOnce])
      done(i + 1)
      yield session
    }
  }

  async close(): Promise<void> {
    await this.#library.close()
  }

  async #read(
    { card, subagents }: SearchedSession,
    uncounted: ReadonlySet<string>,
    withSubagents: boolean
  ): Promise<SearchedSession> {
    const read: SessionCard[] = []
    // One after the other: a session may have hundreds.
    if (withSubagents) for (const subagent of subagents) read.push(await this.#counted(subagent))
    return { card: uncounted.has(card.id) ? await this.#counted(card) : card, subagents: read }
  }

  async #counted(card: SessionCard): Promise<SessionCard> {
    try {
      return (await this.handlers['library.session']({ session: card.id })).card
    } catch (error) {
      // It went since it was listed, or cannot be read on: its card says what is known.
      if (error instanceof HostError) return card
      throw error
    }
  }
}
