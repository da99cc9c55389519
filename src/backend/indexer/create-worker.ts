import createIndexer from './indexer.worker.ts?nodeWorker'
import type { CreateWorker } from './log-worker.ts'

/** Hosts pass it down, so that nothing else depends on the bundler. electron-vite resolves only relative `?nodeWorker`. */
export const createWorker: CreateWorker = createIndexer
