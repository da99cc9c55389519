import { resolve } from 'node:path'
import type { libraryMethods, TypedLog } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, Notice, NoticeName, Params, Result } from '#contract/methods.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { LibraryMethod, LibraryQuestions } from './library-messages.ts'
import { IndexFilling } from './index-filling.ts'
import { LibrarySearch } from './library-search.ts'
import { LibraryWorker } from './library-worker.ts'
import { resolveTyped } from './resolve-typed.ts'
import { revealFile } from './reveal-file.ts'

export interface LibraryOptions {
  readonly createWorker: CreateWorker
  /** The cache folder: `library.db` lies there. */
  readonly cache: string
  /** The state folder: Playhead's own live runs, and the folders that the person added; null: neither. */
  readonly state: string | null
  /** Folders that take the place of those of the agents; null: each agent's own. */
  readonly roots: readonly string[] | null
  /** The environment, and where the home folder is. */
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Why no program is ever started, the file manager included, a sentence for people; absent: it is. */
  readonly noPrograms?: string
  /** Of a search: so long, in ms, an answer waits for the events of its lines (`LibrarySearchOptions`). */
  readonly patience?: number
  readonly notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  readonly problem: (message: string) => void
  /** Ms since the epoch. */
  readonly now: () => number
}

/** The library of one person: all sessions on this machine. It reads no log until it is asked for the first time. */
export interface Library {
  /** Starts its thread, which loads what was kept, before anybody asks: that takes longer than a page waits gladly. */
  warm(): void
  readonly handlers: Pick<Handlers, keyof typeof libraryMethods>
  close(): Promise<void>
}

/** A library, and what only its own host asks it. */
export interface HostLibrary extends Library {
  /** All sessions, where one is, how many bytes of logs were read. */
  ask<Q extends keyof LibraryQuestions>(
    question: Q,
    asked: LibraryQuestions[Q]['asked']
  ): Promise<LibraryQuestions[Q]['answer']>
}

export function createLibrary(options: LibraryOptions): HostLibrary {
  const { createWorker, cache, state, roots, variables, home, notify, problem, now, noPrograms, patience } = options
  let worker: LibraryWorker | null = null
  let search: LibrarySearch | null = null
  let isClosed = false
  /** Its thread, begun where there is none, or none any more. */
  const thread = (): LibraryWorker => {
    if (isClosed) throw new HostError('unavailable', 'The library was closed.')
    if (worker?.alive === true) return worker
    worker = new LibraryWorker(
      createWorker,
      { role: 'library', cache, state, roots, home, clockAhead: now() - Date.now(), variables: { ...variables } },
      {
        changed(status) {
          notify('library.changed', status)
          filling.hear(status)
        },
        problem
      }
    )
    return worker
  }
  const finder = (): LibrarySearch => {
    search ??= new LibrarySearch({
      createWorker,
      cache,
      ...(patience === undefined ? {} : { patience }),
      found: (progress) => notify('library.found', progress),
      problem
    })
    return search
  }
  const filling = new IndexFilling(async (signal) => {
    await finder().fill(await thread().ask('searched', {}), signal)
  }, problem)
  const forward =
    <M extends LibraryMethod>(method: M) =>
    async (params: Params<M>): Promise<Result<M>> =>
      await thread().call(method, params)
  const sessionsIn = async (path: string): Promise<readonly TypedLog[]> =>
    (await thread().call('library.sessionsIn', { paths: [path] })).logs
  return {
    warm: () => void thread(),
    handlers: {
      'library.status': forward('library.status'),
      'library.overview': forward('library.overview'),
      'library.cards': forward('library.cards'),
      'library.session': forward('library.session'),
      'library.watch': forward('library.watch'),
      'library.lookAgain': forward('library.lookAgain'),
      'library.pause': forward('library.pause'),
      'library.addFolder': forward('library.addFolder'),
      'library.removeFolder': forward('library.removeFolder'),
      'library.sessionsIn': forward('library.sessionsIn'),
      'library.missingFiles': forward('library.missingFiles'),
      async 'library.reveal'({ session }) {
        if (noPrograms !== undefined) throw new HostError('unavailable', noPrograms)
        await revealFile(await thread().ask('pathOf', session))
        return {}
      },
      async 'library.resolve'({ text }) {
        const sessions = async (): Promise<readonly SessionCard[]> => await thread().ask('all', null)
        const folder = resolve('.')
        return { logs: await resolveTyped(text, { home, folder, platform: process.platform, sessions, sessionsIn }) }
      },
      async 'library.find'({ filter, ...query }) {
        return finder().find(await thread().ask('searched', filter), query)
      },
      'library.hits': async (params) => await finder().hits(params),
      'library.sessionHits': async (params) => await finder().sessionHits(params),
      async 'library.endFind'({ find }) {
        search?.endFind(find)
        return {}
      }
    },
    ask: async (question, asked) => await thread().ask(question, asked),
    async close() {
      isClosed = true
      filling.stop()
      await Promise.all([worker?.close(), search?.close()])
    }
  }
}
