import { type HookResult, printedResult } from '#core/formats/claude/hook-result.ts'
import { RecordingReader } from '#core/bridge/recording-reader.ts'
import { RunStream } from '#core/bridge/run-stream.ts'
import { formatById } from '#core/formats/registry.ts'
import type { JsonValue } from '#core/json.ts'
import { join } from 'node:path'
import type { GrowingFile } from './growing-file.ts'
import { readNotes } from './live-notes.ts'
import { StderrText } from './stderr-text.ts'
import type { HookNote, StreamOrder } from './stream-order.ts'
import { blockEndText, wireOf } from './stream-wire.ts'

const chunkBytes = 1 << 18
const recordingName = 'stdout.jsonl'

export interface PrintedFiles {
  readonly stdout: GrowingFile
  readonly stderr: GrowingFile
}

/** Rebuilds the stream of a finished run in pieces. Throws if the recording was changed. Leaves files open. */
export async function* rebuildStream(
  folder: string,
  order: StreamOrder,
  { stdout, stderr }: PrintedFiles
): AsyncGenerator<Buffer> {
  const format = formatById(order.format)
  if (format === undefined) throw new Error(`there is no format ${order.format}`)
  const stream = new RunStream(format, order.timeLimitMs, order.interactive ?? false)
  const reader = new RecordingReader(format, stream)
  if (format.liveNotes) reader.note(await readNotes(join(folder, format.liveNotes.fileOf(recordingName))))
  const words = new StderrText(stderr, 0)
  const chunk = Buffer.allocUnsafeSlow(chunkBytes)
  let read = 0
  const readTo = async (to: number): Promise<void> => {
    while (read < to) {
      const bytes = await stdout.read(chunk.subarray(0, Math.min(chunkBytes, to - read)), read)
      if (bytes.length === 0) throw new Error('the recording is shorter than it was')
      read += bytes.length
      reader.push(bytes)
    }
  }
  const consumed = { stdout: 0, stderr: 0, hooks: 0 }
  let nextHook = 0
  let offset = 0
  for (let at = 0; at < order.blocks.length; at += 3) {
    const [further = 0, moreWords = 0, moreHooks = 0] = order.blocks.slice(at, at + 3)
    const isLast = at + 3 >= order.blocks.length
    consumed.stdout += further
    consumed.stderr += moreWords
    await readTo(isLast ? order.stdoutBytes : consumed.stdout)
    for (const note of order.hooks.slice(nextHook, (nextHook += moreHooks))) {
      const hook = await hookOf(note, stdout)
      if (hook !== null) stream.hook(hook)
      if (note.dialogue !== undefined) stream.dialogue(note.dialogue)
      consumed.hooks += note.bytes
    }
    if (isLast) reader.end()
    while (words.consumed < consumed.stderr) {
      const text = await words.next(isLast, consumed.stderr)
      if (text === null) throw new Error('standard error is shorter than it was')
      stream.output(text)
    }
    if (isLast) stream.end(order.end)
    for (const event of wireOf(stream.drain().events, offset)) {
      offset += event.length
      yield event
    }
    const end = Buffer.from(blockEndText(consumed, isLast))
    offset += end.length
    yield end
  }
}

async function hookOf({ hook }: HookNote, stdout: GrowingFile): Promise<HookResult | null> {
  if (hook === null || hook.result === null) return hook === null ? null : { ...hook, result: null }
  const { result } = hook
  const { content } = result
  if (typeof content === 'string') return { ...hook, result: { ...result, content } }
  const [offset, length] = content
  const line = await stdout.read(Buffer.allocUnsafe(length), offset)
  const said = printedResult(JSON.parse(line.toString()) as JsonValue)
  if (said === null) throw new Error('the recording is another one than it was')
  return { ...hook, result: { ...result, content: said.content } }
}
