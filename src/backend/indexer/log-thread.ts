import { readFileSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import { HostError } from '#contract/host-error.ts'
import { CacheFolder } from '../saved/cache-folder.ts'
import { modelOf, SavedIndexes } from '../saved/saved-index.ts'
import { IndexedLog } from './indexed-log.ts'
import {
  closing,
  type IndexerCall,
  type IndexerReport,
  type IndexerTask,
  looking,
  releasing
} from './indexer-messages.ts'
import type { CreateWorker, LogListener } from './log-worker.ts'

/** How threads are made. */
interface Threads {
  /** The entry file, which imports the others by names with content hashes. */
  readonly entry: URL
  readonly create: CreateWorker
}

/** Reads the log that the first message names, and answers calls about it. */
export function serveLog(port: MessagePort, threads: Threads): void {
  port.once('message', (task: IndexerTask | typeof closing) => {
    if (task === closing) process.exit()
    else ownLog(task, port, threads)
  })
}

function ownLog(task: IndexerTask, port: MessagePort, { entry, create }: Threads): void {
  const report: Report = (message, transfer = []) => port.postMessage(message, transfer)
  const listener: LogListener = {
    status: (status) => report({ kind: 'status', status }),
    found: (progress) => report({ kind: 'found', progress })
  }
  const saved =
    task.cache === null
      ? null
      : new SavedIndexes(
          new CacheFolder(task.cache, undefined, (sentence) => log.note(`The index was not saved: ${sentence}`)),
          modelOf(readFileSync(entry))
        )
  const log: IndexedLog = new IndexedLog(task, listener, { createHelper: create, saved })
  port.on('message', (call: IndexerCall | typeof closing | typeof looking | typeof releasing) => {
    if (call === closing) void log.close().finally(() => process.exit())
    else if (call === looking) log.lookAgain()
    else if (call === releasing) void release(log, report)
    else void answer(log, call, report)
  })
  void log.read().then(() => {
    if (log.isLost) void release(log, report)
  })
}

type Report = (message: IndexerReport, transfer?: readonly ArrayBuffer[]) => void

async function release(log: IndexedLog, report: Report): Promise<void> {
  const released = await log.release()
  report(released === null ? { kind: 'kept' } : { kind: 'released', released })
  if (released !== null) process.exit()
}

async function answer(log: IndexedLog, { id, method, params }: IndexerCall, report: Report): Promise<void> {
  try {
    const result = await log.answer(method, params)
    const buffers = Object.values(result).filter((value) => value instanceof ArrayBuffer)
    report({ kind: 'result', id, result }, buffers)
  } catch (error) {
    const failure =
      error instanceof HostError
        ? error
        : new HostError('internal', `${method} failed inside Playhead. Please report this.`)
    report({ kind: 'error', id, code: failure.code, message: failure.message })
  }
}
