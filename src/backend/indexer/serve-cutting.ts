import type { MessagePort } from 'node:worker_threads'
import type { TextsToCut } from '#core/formats/log-format.ts'
import { ShortLines } from '../wasm/short-lines.ts'
import { cutBatch, type CutBatch, type LineBatch } from './cut-batch.ts'

/** What a new thread that cuts is told (`workerData`). */
export interface CutTask {
  readonly role: 'cut'
  /** Of which texts: `LogFormat.longTexts`. */
  readonly texts: TextsToCut
}

/** The thread says null when it is ready for batches, and then what it made of each, in the order in which they came. */
export type CutAnswer = CutBatch | null

/** Cuts batches of lines for the thread that owns a log. */
export function serveCutting({ texts }: CutTask, port: MessagePort): void {
  const short = new ShortLines(texts)
  port.on('message', (batch: LineBatch) => {
    const cut = cutBatch(short, batch)
    port.postMessage(cut, [cut.texts, cut.lines])
  })
  port.postMessage(null)
}
