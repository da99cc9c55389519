import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { CompareReadTask, CompareTask } from '../compare/compare-thread.ts'
import type { ExportTask } from '../export/export-thread.ts'
import type { FindTask } from '../find/find-thread.ts'
import type { CountingTask } from '../library/counting-thread.ts'
import type { LibraryTask } from '../library/library-messages.ts'
import type { PlaceTask } from '../library/search/place-jobs.ts'
import type { ScanTask } from '../library/search/scan-jobs.ts'
import type { FeedTask, StreamTask } from '../live-runs/feed-messages.ts'
import type { LogThread } from './indexer-messages.ts'
import type { CreateWorker } from './log-worker.ts'

/** The entry of all threads: `workerData` has the role. */
const task = workerData as
  | LogThread
  | FindTask
  | FeedTask
  | StreamTask
  | LibraryTask
  | CountingTask
  | ScanTask
  | PlaceTask
  | ExportTask
  | CompareTask
  | CompareReadTask

const entry = new URL(import.meta.url)
/** Starts another thread of this file. */
const create: CreateWorker = (options) => new Worker(entry, options)

// Each role imports only what it needs: the formats take most of a thread's start time.
if (parentPort !== null) {
  if (task.role === 'log') (await import('./log-thread.ts')).serveLog(parentPort, { entry, create })
  else if (task.role === 'find') (await import('../find/find-thread.ts')).serveFinding(parentPort)
  else if (task.role === 'library-search') (await import('../library/search/scan-thread.ts')).serveScanning(parentPort)
  else if (task.role === 'library-places') (await import('../library/search/place-thread.ts')).servePlaces(parentPort)
  else if (task.role === 'export') (await import('../export/export-thread.ts')).serveExport(task, parentPort)
  else if (task.role === 'compare')
    (await import('../compare/compare-thread.ts')).serveComparing(task, parentPort, create)
  else if (task.role === 'compare-read') (await import('../compare/compare-thread.ts')).serveReading(task, parentPort)
  else if (task.role === 'run-feed') (await import('../live-runs/feed-thread.ts')).serveFeed(task.start, parentPort)
  else if (task.role === 'library-count')
    (await import('../library/counting-thread.ts')).serveCounting(task, parentPort)
  else if (task.role === 'library')
    (await import('../library/library-thread.ts')).serveLibrary(task, parentPort, create)
  else await (await import('../live-runs/stream-thread.ts')).serveStream(task, parentPort)
}
