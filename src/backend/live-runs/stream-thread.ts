import { writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { StreamTask } from './feed-messages.ts'
import { GrowingFile } from './growing-file.ts'
import { rebuildStream } from './rebuild-stream.ts'
import { recordingOf } from './recording-of.ts'
import { runFiles } from './run-folder.ts'
import { readOrder } from './stream-order.ts'

const writeBytes = 1 << 20

/** Rebuilds a stream, posts a message and returns. An error ends the thread. */
export async function serveStream({ folder, into }: StreamTask, port: MessagePort): Promise<void> {
  const order = await readOrder(join(folder, 'order.json.gz'))
  const files = {
    stdout: new GrowingFile(recordingOf(order.format, runFiles(dirname(folder), basename(folder)))),
    stderr: new GrowingFile(join(folder, 'stderr.txt'))
  }
  let waiting: Buffer[] = []
  let waitingBytes = 0
  const write = (): void => {
    const bytes = Buffer.concat(waiting)
    for (let at = 0; at < bytes.length;) at += writeSync(into, bytes, at)
    waiting = []
    waitingBytes = 0
  }
  for await (const bytes of rebuildStream(folder, order, files)) {
    waiting.push(bytes)
    waitingBytes += bytes.length
    if (waitingBytes >= writeBytes) write()
  }
  write()
  for (const file of Object.values(files)) await file.close()
  port.postMessage('made')
}
