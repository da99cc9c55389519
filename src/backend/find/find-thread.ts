import type { MessagePort } from 'node:worker_threads'
import { FindServer, type FindAnswer, type FindJob } from '#queries/find/find-jobs.ts'
import { OpenFile } from './open-file.ts'
import { VectorScanner } from './vector-scanner.ts'

/** What a new thread that searches is told (`workerData`). */
export interface FindTask {
  readonly role: 'find'
}

/** Searches pieces of files, given by their descriptors, for the thread that owns a log. */
export function serveFinding(port: MessagePort): void {
  const say = (answer: FindAnswer): void =>
    port.postMessage(answer, answer.kind === 'found' ? [answer.part.offsets.buffer] : [])
  const server = new FindServer<number>({
    scanner: (patterns, windowBytes) => new VectorScanner(patterns, windowBytes),
    readText: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(),
    open: (descriptor) => new OpenFile(descriptor),
    say
  })
  port.on('message', (job: FindJob<number>) => server.serve(job))
  say({ kind: 'ready' })
}
