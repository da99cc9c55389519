import type { Worker } from 'node:worker_threads'
import type { FindAnswer, FindJob, FoundPart } from '#queries/find/find-jobs.ts'
import type { StartFindThread } from '#queries/find/finder.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { SharedFile } from '../sources/log-source.ts'
import type { FindTask } from './find-thread.ts'

/** Starts threads of the indexer that search files of a log. */
export function findThreads(createHelper: CreateWorker): StartFindThread<FindJob<SharedFile>, FoundPart> {
  const workerData: FindTask = { role: 'find' }
  return asFindThread(() => createHelper({ workerData, name: 'find' }))
}

/** Wraps workers with the messages of `serveFinding`. */
export function asFindThread<J, P>(createWorker: () => Worker): StartFindThread<J, P> {
  return ({ onAnswer, onLost }) => {
    const worker = createWorker()
    worker.on('message', (answer: FindAnswer<P>) => onAnswer(answer))
    worker.on('error', (error) => onLost('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'))
    worker.on('exit', () => onLost(false))
    // A log that is closed does not wait for it.
    worker.unref()
    return { post: (job) => worker.postMessage(job), end: () => worker.terminate() }
  }
}
