import { Writable } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import type { Result } from '#contract/methods.ts'
import type { ExportForm } from '#contract/exports.ts'
import { type ErrorCode, HostError } from '#contract/host-error.ts'
import { EventSet } from '#core/export/event-set.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import { Redactor } from '#core/export/redact.ts'
import type { Bookmark } from '#core/replay/review.ts'
import type { RunOptions } from '../sources/run.ts'
import type { WriteExport } from './export-request.ts'
import { FoundSecrets } from './found-secrets.ts'
import { Output } from './output.ts'
import type { PageOptions } from './write-page.ts'
import { writers } from './writers.ts'

/** `workerData` of an export thread. */
export interface ExportTask {
  readonly role: 'export'
  /** Of Playhead. */
  readonly version: string
  readonly source: RunOptions
  readonly form: ExportForm
  readonly events: string | null
  readonly prices: PriceTable | null
  readonly redact: boolean
  readonly keep: readonly string[]
  readonly bookmarks: readonly Bookmark[]
  /** Only search for secrets. */
  readonly preview: boolean
  /** For the format `html` only. */
  readonly page: PageOptions | null
}

export type ExportStep = Result<'export.next'>

/** Thread to host, one for each message of the host. */
export type ExportAnswer =
  | { readonly kind: 'step'; readonly step: ExportStep }
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly message: string }

/** An answer is sent after this time, with the data so far. */
const maxAnswerMs = 250
/** The export pauses while this many bytes wait. */
const maxBytes = 1 << 20

async function writerOf({ form, page }: ExportTask): Promise<WriteExport> {
  if (page !== null) return (await import('./write-page.ts')).pageWriter(page)
  return await writers[form === 'html' ? 'jsonl' : form]()
}

/** Exports a log at the host's pace: each of its messages requests a piece. */
export function serveExport(task: ExportTask, port: MessagePort): void {
  const pulled = new PulledPieces()
  const found = new FoundSecrets(task.keep)
  const redactor = task.redact ? new Redactor((secret) => found.keeps(secret)) : null
  let read = { bytes: 0, all: 0 }
  let notes: readonly string[] = []
  const request = {
    source: task.source,
    raw: false,
    redactor,
    prices: task.prices,
    version: task.version,
    events: task.events === null ? null : EventSet.of(task.events),
    bookmarks: task.bookmarks,
    read: (bytes: number, all: number) => (read = { bytes, all })
  }
  const stream = task.preview ? new Writable({ write: (_bytes, _encoding, done) => done() }) : pulled
  writerOf(task)
    .then(async (write) => await write(new Output(stream, 'the export'), request))
    .then(
      (log) => {
        notes = [...log.notes, ...log.unread.slice(1).map(({ sentence }) => sentence)]
        pulled.close(null)
      },
      (error: unknown) => pulled.close(error)
    )
  port.on('message', async () => {
    const { bytes, done, error } = await pulled.take(maxAnswerMs)
    if (error !== null) {
      const failure =
        error instanceof HostError ? error : new HostError('internal', 'The export failed inside Playhead.')
      port.postMessage({ kind: 'error', code: failure.code, message: failure.message } satisfies ExportAnswer)
      return
    }
    const step: ExportStep = {
      ...{ bytes, done, read: read.bytes, all: read.all, notes: [...notes] },
      ...{ secrets: found.listed, moreSecrets: found.others }
    }
    port.postMessage({ kind: 'step', step } satisfies ExportAnswer, [bytes])
  })
}

/** Bytes that wait to be pulled; writers wait as well. */
class PulledPieces extends Writable {
  #pieces: Buffer[] = []
  #size = 0
  #written: (() => void) | null = null
  #ended: { readonly error: unknown } | null = null
  #wake: () => void = () => {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.#pieces.push(Buffer.from(bytes))
    this.#size += bytes.length
    if (this.#size < maxBytes) {
      done()
      return
    }
    this.#written = done
    this.#wake()
  }

  /** No more data; `error`: the reason if it is incomplete. */
  close(error: unknown): void {
    this.#ended = { error }
    this.#wake()
  }

  /** Returns waiting bytes: when there are enough, at the end, or after `ms`. */
  async take(ms: number): Promise<{ bytes: ArrayBuffer; done: boolean; error: unknown }> {
    if (this.#written === null && this.#ended === null) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    const bytes = new Uint8Array(this.#size)
    let at = 0
    for (const piece of this.#pieces) {
      bytes.set(piece, at)
      at += piece.length
    }
    this.#pieces = []
    this.#size = 0
    const written = this.#written
    this.#written = null
    written?.()
    return { bytes: bytes.buffer, done: this.#ended !== null, error: this.#ended?.error ?? null }
  }
}
