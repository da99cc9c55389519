import type { MessagePort } from 'node:worker_threads'
import { formatById } from '#core/formats/registry.ts'
import { unrecognized } from '#core/formats/unrecognized.ts'
import { type DecodedBatch, type LineBatch, packOutlines } from './decode-batch.ts'
import { LeftOutWriter } from './left-out.ts'

/** What a new thread that decodes is told (`workerData`). */
export interface DecodeTask {
  readonly role: 'decode'
  /** The format's id; null for the reader of logs that no format claims. */
  readonly format: string | null
  /** What outlines leave out is wanted as well. */
  readonly leftOut: boolean
}

/** The thread says null when it is ready for batches, and then what each holds, in the order in which they came. */
export type DecodeAnswer = DecodedBatch | null

/** Decodes batches of lines for the thread that owns a log. */
export function serveDecoding({ format: id, leftOut }: DecodeTask, port: MessagePort): void {
  const format = (id === null ? undefined : formatById(id)) ?? unrecognized
  const decode = (batch: LineBatch): DecodedBatch => {
    if (!leftOut) return { outlines: packOutlines(format, batch), leftOut: null }
    const writer = new LeftOutWriter()
    return { outlines: packOutlines(format, batch, writer), leftOut: writer.end() }
  }
  port.on('message', (batch: LineBatch) => {
    const decoded = decode(batch)
    const { codes, numbers } = decoded.outlines
    const rest = decoded.leftOut === null ? [] : [decoded.leftOut.bytes.buffer, decoded.leftOut.places.buffer]
    port.postMessage(decoded, [codes, numbers, ...rest])
  })
  port.postMessage(null)
}
