import type { MessagePort } from 'node:worker_threads'
import { HostError } from '#contract/host-error.ts'
import type { Params, Result } from '#contract/methods.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { LibraryCall, LibraryMethod, LibraryQuestions, LibraryReport, LibraryTask } from './library-messages.ts'
import { ReadBytes } from './read-bytes.ts'
import { missingFilesOf } from './missing-files.ts'
import { sessionsIn } from './sessions-in.ts'
import { SessionLibrary } from './session-library.ts'

type Answers = { [M in LibraryMethod]: (params: Params<M>) => Promise<Result<M>> }
type QuestionAnswers = {
  [Q in keyof LibraryQuestions]: (asked: LibraryQuestions[Q]['asked']) => Promise<LibraryQuestions[Q]['answer']>
}

/** Serves the library in its thread until the `close` message. `createWorker` starts another thread. */
export function serveLibrary(task: LibraryTask, port: MessagePort, createWorker: CreateWorker): void {
  const post = (report: LibraryReport): void => port.postMessage(report)
  const bytes = new ReadBytes()
  const { cache, state, roots, home, variables, prices } = task
  const library = new SessionLibrary({
    ...{ cache, state, roots, bytes, createWorker, ...(prices === undefined ? {} : { prices }) },
    system: { home, variables, platform: process.platform },
    changed: (status) => post({ kind: 'changed', status }),
    problem: (sentence) => post({ kind: 'problem', sentence }),
    now: () => Date.now() + task.clockAhead
  })
  const answers = answersOf(library, (sentence) => post({ kind: 'problem', sentence }))
  const questions = questionsOf(library, bytes)
  port.on('message', (call: LibraryCall) => {
    // Stored data is loaded before the first call, so that pages get it at once.
    if (call.kind !== 'close') library.start()
    if (call.kind === 'close') void library.close().finally(() => process.exit())
    else if (call.kind === 'method')
      void answer(call.id, call.method, () => answers[call.method](call.params as never), post)
    else void answer(call.id, call.question, () => questions[call.question](call.asked as never), post)
  })
}

function answersOf(library: SessionLibrary, problem: (sentence: string) => void): Answers {
  return {
    'library.status': () => library.status(),
    'library.overview': (params) => library.overview(params),
    'library.cards': (params) => library.cards(params),
    'library.totals': (params) => library.totals(params),
    'library.session': (params) => library.session(params),
    async 'library.watch'(params) {
      await library.watch(params)
      return {}
    },
    async 'library.lookAgain'() {
      await library.lookAgain()
      return {}
    },
    async 'library.pause'(params) {
      await library.pause(params)
      return {}
    },
    'library.addFolder': (params) => library.addFolder(params),
    async 'library.removeFolder'(params) {
      await library.removeFolder(params)
      return {}
    },
    'library.sessionsIn': ({ paths }) => sessionsIn(paths, problem),
    'library.missingFiles': async ({ log, paths }) => ({ paths: await missingFilesOf(log, paths) })
  }
}

function questionsOf(library: SessionLibrary, bytes: ReadBytes): QuestionAnswers {
  return {
    pathOf: (session) => library.pathOf(session),
    searched: (where) => library.searched(where),
    uncounted: (where) => library.uncounted(where),
    unreadFolders: () => library.unreadFolders(),
    listed: () => library.listed(),
    all: () => library.all(),
    logBytes: async () => bytes.read
  }
}

async function answer(
  id: number,
  asked: string,
  work: () => Promise<unknown>,
  post: (report: LibraryReport) => void
): Promise<void> {
  try {
    post({ kind: 'result', id, result: await work() })
  } catch (error) {
    const { code, message } =
      error instanceof HostError
        ? error
        : new HostError('internal', `${asked} failed inside Playhead. Please report this.`)
    post({ kind: 'error', id, code, message })
  }
}
