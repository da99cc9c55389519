import { MessageChannel, type Worker } from 'node:worker_threads'
import { vi } from 'vitest'
import { serveFinding } from '#backend/find/find-thread.ts'
import { IndexedLog } from '#backend/indexer/indexed-log.ts'
import type { CreateWorker, LogListener } from '#backend/indexer/log-worker.ts'
import { type Handlers, type LogStatus, methods } from '#contract/methods.ts'
import type { LogMethod } from '#queries/log-answers.ts'

/**
 * A log as its host opens it, answered for in this thread: to start threads for it, in which all code is cold, takes many times as long
 * as to read a log of a few lines.
 */
export interface LogHere {
  readonly handlers: Pick<Handlers, LogMethod>
  /** Once it was read. */
  readonly status: LogStatus
  /** The file may have changed. */
  lookAgain(): void
  close(): Promise<void>
}

const notAnswers = new Set(['log.list', 'log.open', 'log.close', 'log.status'])
const answered = Object.keys(methods).filter((name) => name.startsWith('log.') && !notAnswers.has(name)) as LogMethod[]

/** What searches a file, in this thread. */
export const searchHere: CreateWorker = ({ workerData }) => {
  const { role } = workerData as { role: string }
  if (role !== 'find') throw new Error(`a log that is opened here is too long: it is read with a thread to ${role}`)
  const { port1, port2 } = new MessageChannel()
  serveFinding(port2)
  return Object.assign(port1, { terminate: async () => port1.close() }) as unknown as Worker
}

/** `found` is told how far a search is. */
export async function openHere(
  path: string,
  found: LogListener['found'] = () => {},
  format: string | null = null
): Promise<LogHere> {
  const statuses: LogStatus[] = []
  const log = new IndexedLog(
    { log: 'here', path, given: path, format, cache: null, resumes: null },
    { status: (status) => statuses.push(status), found },
    { createHelper: searchHere, saved: null }
  )
  void log.read()
  const answers = answered.map((method) => [method, async (params: never) => await log.answer(method, params)])
  const isRead = ({ phase }: LogStatus): boolean => phase !== 'reading'
  const status = await vi.waitUntil(() => statuses.find(isRead), { timeout: 60_000, interval: 1 })
  const handlers = Object.fromEntries(answers) as LogHere['handlers']
  return { handlers, status, lookAgain: () => log.lookAgain(), close: async () => await log.close() }
}
