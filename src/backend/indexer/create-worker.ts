import createIndexer from './indexer.worker.ts?nodeWorker'
import type { CreateWorker } from './log-worker.ts'

/**
 * Starts the bundled indexer thread. Here, because electron-vite resolves `?nodeWorker` only for relative paths; the hosts
 * import it and pass it down, so that nothing else depends on the bundler.
 */
export const createWorker: CreateWorker = createIndexer
