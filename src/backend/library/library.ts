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
import type { PricesPlace } from '../prices.ts'
import { resolveTyped } from './resolve-typed.ts'
import { revealFile } from './reveal-file.ts'

export interface LibraryOptions {
  readonly createWorker: CreateWorker
  /** The cache folder, for `library.db` and the index of texts; null: nothing is stored. */
  readonly cache: string | null
  /** The state folder, with live runs and added folders; null: neither. */
  readonly state: string | null
  /** These replace the agents' folders; null: no replacement. */
  readonly roots: readonly string[] | null
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The prices for costs; absent: none. */
  readonly prices?: PricesPlace
  /** Why programs, such as the file manager, must not be started, a sentence for the user; absent: they may. */
  readonly noPrograms?: string
  /** See `LibrarySearchOptions`. */
  readonly patienceMs?: number
  readonly notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  readonly problem: (message: string) => void
  /** Ms since the epoch. */
  readonly now: () => number
}

/** All sessions of one user on this machine. No log is read before the first call. */
export interface Library {
  /** Starts the thread early, as loading stored data takes longer than a page should wait. */
  warm(): void
  readonly handlers: Pick<Handlers, keyof typeof libraryMethods>
  close(): Promise<void>
}

/** A library with the questions of its host. */
export interface HostLibrary extends Library {
  ask<Q extends keyof LibraryQuestions>(
    question: Q,
    asked: LibraryQuestions[Q]['asked']
  ): Promise<LibraryQuestions[Q]['answer']>
}

export function createLibrary(options: LibraryOptions): HostLibrary {
  const { createWorker, cache, state, roots, variables, home, notify, problem, now, noPrograms, patienceMs, prices } =
    options
  let worker: LibraryWorker | null = null
  let search: LibrarySearch | null = null
  let isClosed = false
  /** The thread, started again after a crash. */
  const thread = (): LibraryWorker => {
    if (isClosed) throw new HostError('unavailable', 'The library was closed.')
    if (worker?.alive === true) return worker
    worker = new LibraryWorker(
      createWorker,
      {
        ...{ role: 'library', cache, state, roots, home, clockAhead: now() - Date.now(), variables: { ...variables } },
        ...(prices === undefined ? {} : { prices })
      },
      {
        changed(status) {
          notify('library.changed', status)
          filling.onStatus(status)
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
      ...(patienceMs === undefined ? {} : { patienceMs }),
      found: (progress) => notify('library.found', progress),
      problem
    })
    return search
  }
  const filling = new IndexFilling(async (signal) => {
    await finder().fill(await thread().ask('searched', ''), signal)
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
      'library.totals': forward('library.totals'),
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
      async 'library.find'({ where, ...texts }) {
        return finder().find(await thread().ask('searched', where), texts)
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
