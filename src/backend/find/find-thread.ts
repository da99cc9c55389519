import type { MessagePort } from 'node:worker_threads'
import { FindServer, type FindAnswer, type FindJob } from '#queries/find/find-jobs.ts'
import type { SharedFile } from '../sources/log-source.ts'
import { matchGuard } from './match-limit.ts'
import { OpenFile } from './open-file.ts'
import { VectorScanner } from './vector-scanner.ts'

/** `workerData` of a search thread. */
export interface FindTask {
  readonly role: 'find'
}

/** Searches pieces of files for the thread that owns a log. */
export function serveFinding(port: MessagePort): void {
  const say = (answer: FindAnswer): void =>
    port.postMessage(answer, answer.kind === 'found' ? answer.part.offsets.map(({ buffer }) => buffer) : [])
  const guard = matchGuard()
  const server = new FindServer<SharedFile>({
    scanner: (patterns, windowBytes) => new VectorScanner(patterns, windowBytes),
    readText: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(),
    guard,
    open: (file) => new OpenFile(file),
    say
  })
  const serve = async (job: FindJob<SharedFile>): Promise<void> => {
    if (job.query.regex) await guard.begin(job.allowance)
    server.serve(job)
  }
  port.on('message', (job: FindJob<SharedFile>) => void serve(job))
  say({ kind: 'ready', isGuarded: true })
}
