import type { Worker } from 'node:worker_threads'
import type { LibraryStatus } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params, Result } from '#contract/methods.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { LibraryCall, LibraryMethod, LibraryQuestions, LibraryReport, LibraryTask } from './library-messages.ts'

/** The thread writes its changes in this time, then it is terminated. */
const closingMs = 3000
/** Parsed heads of logs are short-lived garbage. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

export interface LibraryListener {
  changed(status: LibraryStatus): void
  problem(sentence: string): void
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: HostError): void
}

/** The host's side of the library's thread. */
export class LibraryWorker {
  readonly #worker: Worker
  readonly #listener: LibraryListener
  readonly #waiting = new Map<number, Waiting>()
  readonly #exited: Promise<void>
  #calls = 0
  #ended: HostError | null = null

  constructor(createWorker: CreateWorker, task: LibraryTask, listener: LibraryListener) {
    this.#listener = listener
    this.#worker = createWorker({ workerData: task, name: 'library', resourceLimits })
    this.#worker.on('message', (report: LibraryReport) => this.#receive(report))
    this.#worker.on('error', (error) => this.#end(crashOf(error)))
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        this.#end(crashOf(new Error(`its thread ended with code ${code}`)))
        resolve()
      })
    })
  }

  get alive(): boolean {
    return this.#ended === null
  }

  async call<M extends LibraryMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    return (await this.#ask((id) => ({ kind: 'method', id, method, params }))) as Result<M>
  }

  async ask<Q extends keyof LibraryQuestions>(
    question: Q,
    asked: LibraryQuestions[Q]['asked']
  ): Promise<LibraryQuestions[Q]['answer']> {
    return (await this.#ask((id) => ({ kind: 'question', id, question, asked }))) as LibraryQuestions[Q]['answer']
  }

  /** Resolves once the thread has exited, terminated after a timeout if need be. */
  async close(): Promise<void> {
    this.#end(new HostError('unavailable', 'The library was closed.'))
    this.#worker.postMessage({ kind: 'close' } satisfies LibraryCall)
    const timer = setTimeout(() => void this.#worker.terminate(), closingMs)
    await this.#exited
    clearTimeout(timer)
  }

  async #ask(callOf: (id: number) => LibraryCall): Promise<unknown> {
    if (this.#ended !== null) throw this.#ended
    const id = this.#calls++
    return await new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage(callOf(id))
    })
  }

  #receive(report: LibraryReport): void {
    if (report.kind === 'problem') return this.#listener.problem(report.sentence)
    if (report.kind === 'changed') {
      if (this.#ended === null) this.#listener.changed(report.status)
      return
    }
    const waiting = this.#waiting.get(report.id)
    this.#waiting.delete(report.id)
    if (report.kind === 'result') waiting?.resolve(report.result)
    else waiting?.reject(new HostError(report.code, report.message))
  }

  #end(error: HostError): void {
    if (this.#ended !== null) return
    this.#ended = error
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

function crashOf(error: unknown): HostError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new HostError('unavailable', 'The library ran out of memory. Try again to restart it.')
  // The message may quote a log.
  const name = error instanceof Error ? error.name : typeof error
  return new HostError(
    'internal',
    `The library failed inside Playhead (${name}). Open logs are not affected. Please report this.`
  )
}
