import { readFileSync } from 'node:fs'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { HostError } from '#contract/methods.ts'
import { type FindTask, serveFinding } from '../find/find-thread.ts'
import type { FeedTask, StreamTask } from '../live-runs/feed-messages.ts'
import { serveFeed } from '../live-runs/feed-thread.ts'
import { serveStream } from '../live-runs/stream-thread.ts'
import { CacheFolder } from '../saved/cache-folder.ts'
import { modelOf, SavedIndexes } from '../saved/saved-index.ts'
import { IndexedLog } from './indexed-log.ts'
import {
  closing,
  type IndexerCall,
  type IndexerReport,
  type IndexerTask,
  looking,
  type LogThread,
  releasing
} from './indexer-messages.ts'
import type { CreateWorker, LogListener } from './log-worker.ts'
import { type CutTask, serveCutting } from './serve-cutting.ts'

/** The thread that owns one open log, or one that helps it, or that follows a live run, or makes the stream of one anew: `workerData` says which. */
const task = workerData as LogThread | CutTask | FindTask | FeedTask | StreamTask

/** Another thread of this file. */
const createHelper: CreateWorker = (options) => new Worker(new URL(import.meta.url), options)

/** What this thread runs. */
function ownCode(): Uint8Array {
  return readFileSync(new URL(import.meta.url))
}

function report(message: IndexerReport, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}

function ownLog(own: IndexerTask): void {
  const listener: LogListener = {
    status: (status) => report({ kind: 'status', status }),
    found: (progress) => report({ kind: 'found', progress })
  }
  const saved =
    own.cache === null
      ? null
      : new SavedIndexes(
          new CacheFolder(own.cache, undefined, (sentence) => log.note(`Its index is not kept: ${sentence}`)),
          modelOf(ownCode())
        )
  const log: IndexedLog = new IndexedLog(own, listener, { createHelper, saved })
  parentPort?.on('message', (call: IndexerCall | typeof closing | typeof looking | typeof releasing) => {
    if (call === closing) void log.close().finally(() => process.exit())
    else if (call === looking) log.lookAgain()
    else if (call === releasing) void release(log)
    else void answer(log, call)
  })
  void log.read().then(() => {
    if (log.isLost) void release(log)
  })
}

async function release(log: IndexedLog): Promise<void> {
  const released = await log.release()
  report(released === null ? { kind: 'kept' } : { kind: 'released', released })
  if (released !== null) process.exit()
}

async function answer(log: IndexedLog, { id, method, params }: IndexerCall): Promise<void> {
  try {
    const result = await log.answer(method, params)
    const buffers = Object.values(result).filter((value) => value instanceof ArrayBuffer)
    report({ kind: 'result', id, result }, buffers)
  } catch (error) {
    const failure =
      error instanceof HostError
        ? error
        : new HostError('internal', `${method} failed inside Playhead. Please report it.`)
    report({ kind: 'error', id, code: failure.code, message: failure.message })
  }
}

if (task.role === 'log') {
  parentPort?.once('message', (own: IndexerTask | typeof closing) => (own === closing ? process.exit() : ownLog(own)))
} else if (parentPort !== null && task.role === 'cut') serveCutting(task, parentPort)
else if (parentPort !== null && task.role === 'run-feed') serveFeed(task.start, parentPort)
else if (parentPort !== null && task.role === 'run-stream') await serveStream(task, parentPort)
else if (parentPort !== null) serveFinding(parentPort)
