import { parentPort, workerData } from 'node:worker_threads'
import { HostError } from '#contract/methods.ts'
import { IndexedLog } from './indexed-log.ts'
import type { IndexerCall, IndexerReport, IndexerTask } from './indexer-messages.ts'

/** The thread that owns one open log. */

function report(message: IndexerReport, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}

const log = new IndexedLog(workerData as IndexerTask, {
  status: (status) => report({ kind: 'status', status }),
  found: (progress) => report({ kind: 'found', progress })
})

async function answer({ id, method, params }: IndexerCall): Promise<void> {
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

parentPort?.on('message', (call: IndexerCall) => void answer(call))
void log.read()
