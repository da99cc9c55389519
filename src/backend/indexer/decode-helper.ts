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

/** The thread says null when it is ready for batches, and then what each holds, in the order in which they came. */
export type DecodeAnswer = PackedValues | null

/** Decodes batches of lines for the thread that owns a log. */
export function serveDecoding({ format: id }: DecodeTask, port: MessagePort): void {
  const format = (id === null ? undefined : formatById(id)) ?? unrecognized
  const say = (answer: DecodeAnswer): void =>
    port.postMessage(answer, answer === null ? [] : [answer.codes, answer.numbers])
  port.on('message', (batch: LineBatch) => say(packOutlines(format, batch)))
  say(null)
}
