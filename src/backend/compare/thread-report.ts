import type { MessagePort, Worker } from 'node:worker_threads'
import { type ErrorCode, HostError } from '#contract/host-error.ts'

/** What a thread that does one thing says to whoever started it. */
type ThreadReport =
  | { readonly kind: 'progress'; readonly read: number; readonly all: number }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly message: string }

/** Bytes read so far, of all. */
export type OnRead = (read: number, all: number) => void

/** Between two reports of progress. */
const reportMs = 100

/** Does `work` and reports its result, or why there is none. `moved`: buffers of the result, which are not copied. */
export function reportTo<T>(
  port: MessagePort,
  work: (onRead: OnRead) => Promise<T>,
  moved: (result: T) => ArrayBuffer[] = () => []
): void {
  const post = (report: ThreadReport, buffers: ArrayBuffer[] = []): void => port.postMessage(report, buffers)
  let next = 0
  const onRead: OnRead = (read, all) => {
    if (performance.now() < next) return
    next = performance.now() + reportMs
    post({ kind: 'progress', read, all })
  }
  work(onRead).then(
    (result) => post({ kind: 'done', result }, moved(result)),
    (error: unknown) => {
      const { code, message } =
        error instanceof HostError ? error : new HostError('internal', 'Comparing failed inside Playhead.')
      post({ kind: 'error', code, message })
    }
  )
}

/** The result that a thread reports. Rejects with a `HostError`, also if the thread is lost. */
export async function reportOf<T>(worker: Worker, onRead: OnRead): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const onLost = (): void => reject(new HostError('internal', 'Comparing stopped. Start it again.'))
    worker.on('message', (report: ThreadReport) => {
      if (report.kind === 'progress') onRead(report.read, report.all)
      // The other end is `reportTo` of the same program.
      else if (report.kind === 'done') resolve(report.result as T)
      else reject(new HostError(report.code, report.message))
    })
    worker.on('error', onLost)
    worker.on('exit', onLost)
  })
}
