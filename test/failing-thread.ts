import fs from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { CreateWorker } from '#backend/indexer/log-worker.ts'
import { endFailing, failWrite, type Fault } from './failing-writes.ts'

/** What a thread is to fail at, and where it writes down what failed when it ends. */
export interface ThreadFailure {
  readonly at: number
  readonly fault: Fault
  readonly folders: readonly string[]
  readonly report: string
}

const variable = 'PLAYHEAD_TEST_FAILURE'

/** Threads whose writes fail. `bundle`: this file for Node, which they load before their own code. */
export function failingThreads(createWorker: CreateWorker, bundle: string, failure: ThreadFailure): CreateWorker {
  const env = { ...process.env, [variable]: JSON.stringify(failure) }
  return (options) => createWorker({ ...options, env, execArgv: ['--import', pathToFileURL(bundle).href] })
}

const given = process.env[variable]
if (given !== undefined) {
  const { at, fault, folders, report } = JSON.parse(given) as ThreadFailure
  const { appendFileSync } = fs
  failWrite(at, fault, folders)
  process.on('exit', () => appendFileSync(report, `${JSON.stringify(endFailing().failed)}\n`))
}
