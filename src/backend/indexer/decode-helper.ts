import type { MessagePort } from 'node:worker_threads'
import { formatById } from '#core/formats/registry.ts'
import { unrecognized } from '#core/formats/unrecognized.ts'
import type { PackedValues } from '#core/packed-values.ts'
import { type LineBatch, packOutlines } from './decode-batch.ts'

/** What a new thread that decodes is told (`workerData`). */
export interface DecodeTask {
  readonly role: 'decode'
  /** The format's id; null for the reader of logs that no format claims. */
  readonly format: string | null
}

/** The thread says null when it is ready for batches, and then the outlines of each, in the order in which they came. */
export type DecodeAnswer = PackedValues | null

/** Decodes batches of lines for the thread that owns a log. */
export function serveDecoding({ format: id }: DecodeTask, port: MessagePort): void {
  const format = (id === null ? undefined : formatById(id)) ?? unrecognized
  port.on('message', (batch: LineBatch) => {
    const outlines = packOutlines(format, batch)
    port.postMessage(outlines, [outlines.codes, outlines.numbers])
  })
  port.postMessage(null)
}
