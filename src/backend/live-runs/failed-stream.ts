import { RunStream } from '#core/bridge/run-stream.ts'
import { formatById } from '#core/formats/registry.ts'
import { StreamFile } from './stream-file.ts'

/** Writes the complete stream of a run that failed to start. */
export async function writeFailedStream(path: string, format: string, message: string): Promise<void> {
  const known = formatById(format)
  if (known === undefined) throw new Error(`there is no format ${format}`)
  const stream = new RunStream(known, null)
  stream.end({ finishReason: 'error', exitCode: null, signal: null, message })
  const file = await StreamFile.open(path)
  try {
    if (!file.isOver) await file.append(stream.drain().events, file.consumed, true)
  } finally {
    await file.close()
  }
}
