import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type * as z from 'zod'
import { parsedJson } from '#core/parsed-json.ts'
import { printedResult } from '#core/formats/claude/hook-result.ts'
import { maxStreamText, streamEventData } from '#core/bridge/stream-events.ts'
import { decodeRecord } from '#core/formats/decode-line.ts'
import { type Line, LineSplitter } from '#core/lines/line-splitter.ts'
import type { FeedStart } from './feed-messages.ts'
import { GrowingFile } from './growing-file.ts'
import { HookLines } from './hook-lines.ts'
import { type HookNote, packOrder, type StreamOrder } from './stream-order.ts'
import { rebuildStream } from './rebuild-stream.ts'
import { writeWhole } from '../whole-file.ts'
import { type Consumed, nothingConsumed, parsedBlockEnd } from './stream-wire.ts'

const chunkBytes = 1 << 18
const utf8 = new TextDecoder()

/** The sources of a stream, and the stream. */
interface StreamFiles {
  readonly stdout: GrowingFile
  readonly stderr: GrowingFile
  readonly hooks: GrowingFile
  readonly stream: GrowingFile
}

/** Replaces stream and hooks of a finished run by data to rebuild them. False: a rebuild would differ, so nothing changed. */
export async function shrinkStream({ folder, recording, ...start }: FeedStart): Promise<boolean> {
  if (dirname(recording) !== folder) return false
  const at = (name: string): string => join(folder, name)
  const files: StreamFiles = {
    stdout: new GrowingFile(recording),
    stderr: new GrowingFile(at('stderr.txt')),
    hooks: new GrowingFile(at('hooks.jsonl')),
    stream: new GrowingFile(at('stream.sse'))
  }
  try {
    const order = await orderOf(files, start)
    if (order === null || !(await isMadeBy(folder, order, files))) return false
    await writeWhole(at('order.json.gz'), await packOrder(order))
  } finally {
    for (const file of Object.values(files)) await file.close()
  }
  // In this order, so that a crash leaves all needed data.
  await rm(at('stream.sse'))
  await rm(at('hooks.jsonl'), { force: true })
  return true
}

/** Null: the stream has no end. */
async function orderOf(
  files: StreamFiles,
  { format, timeLimitMs, interactive }: Pick<FeedStart, 'format' | 'timeLimitMs' | 'interactive'>
): Promise<StreamOrder | null> {
  const written = await blocksOf(files.stream)
  if (written === null) return null
  const { blocks, end, length } = written
  const hooks = await hooksOf(files, blocks.at(-1)?.hooks ?? 0)
  const linesTo = new Map([[0, 0]])
  let ends = 0
  hooks.forEach(({ bytes }, line) => linesTo.set((ends += bytes), line + 1))
  let before = nothingConsumed
  const further = blocks.flatMap((block) => {
    const lines = (linesTo.get(block.hooks) ?? 0) - (linesTo.get(before.hooks) ?? 0)
    const numbers = [block.stdout - before.stdout, block.stderr - before.stderr, lines]
    before = block
    return numbers
  })
  const [stdoutBytes, streamBytes] = [await files.stdout.size(), length]
  const how = { format, timeLimitMs, ...(interactive === true ? { interactive } : {}) }
  return { order: 1, ...how, stdoutBytes, streamBytes, blocks: further, hooks, end }
}

/** The ends of blocks, and the end of the run; null: the stream has no end. */
async function blocksOf(
  stream: GrowingFile
): Promise<{ blocks: readonly Consumed[]; end: StreamOrder['end']; length: number } | null> {
  const blocks: Consumed[] = []
  let isLast = false
  let done: z.infer<typeof streamEventData.done> | null = null
  let isDone = false
  const length = await eachLine(stream, ({ bytes }) => {
    if (bytes === null || bytes.length === 0) return
    if (isDone) done = parsedJson(streamEventData.done, utf8.decode(bytes).slice('data: '.length))
    isDone = bytes.length < 16 && utf8.decode(bytes) === 'event: done'
    const block = bytes[0] === 0x3a ? parsedBlockEnd(`${utf8.decode(bytes)}\n\n`) : null
    if (block === null) return
    blocks.push(block.consumed)
    isLast = block.isLast
  })
  if (!isLast || done === null) return null
  const { finish_reason: finishReason, exit_code: exitCode, signal, message } = done
  return { blocks, end: { finishReason, exitCode, signal, message }, length }
}

/** The hooks that the last block includes. Results that the agent printed later are stored as references. */
async function hooksOf({ hooks, stdout }: StreamFiles, to: number): Promise<HookNote[]> {
  if (to === 0) return []
  const printed = new Map<string, { hash: string; place: [offset: number, length: number] }>()
  await eachLine(stdout, ({ bytes, offset, length }) => {
    if (bytes === null || !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('"tool_use_result"'))
      return
    const parsed = decodeRecord(utf8.decode(bytes), 'lines')
    const result = parsed.ok ? printedResult(parsed.value) : null
    if (result !== null) printed.set(result.tool, { hash: hashOf(result.content), place: [offset, length] })
  })
  const notes: HookNote[] = []
  const lines = new HookLines(hooks)
  let read = 0
  for (let line = await lines.first(); line !== null && line.end <= to; line = await lines.first()) {
    lines.shift()
    const { hook, dialogue, end } = line
    notes.push({
      bytes: end - read,
      hook: hook === null ? null : { ...hook, todos: hook.todos && [...hook.todos], result: null },
      ...(dialogue === null ? {} : { dialogue })
    })
    read = end
    const [note] = notes.slice(-1)
    if (!note?.hook || !hook?.result) continue
    const { tool, content, isError } = hook.result
    const same = printed.get(tool)
    // One more than the limit of an event, so that the event says it was truncated.
    const kept = same?.hash === hashOf(content) ? same.place : content.slice(0, maxStreamText + 1)
    note.hook.result = { tool, content: kept, isError }
  }
  return notes
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** Whether the rebuilt stream equals the existing one. */
async function isMadeBy(folder: string, order: StreamOrder, files: StreamFiles): Promise<boolean> {
  let offset = 0
  for await (const bytes of rebuildStream(folder, order, files)) {
    const written = await files.stream.read(Buffer.allocUnsafe(bytes.length), offset)
    if (!written.equals(bytes)) return false
    offset += bytes.length
  }
  return offset === order.streamBytes
}

/** Calls `onLine` with each line of a file and returns its size. */
async function eachLine(file: GrowingFile, onLine: (line: Line) => void): Promise<number> {
  const splitter = new LineSplitter(onLine)
  const chunk = Buffer.allocUnsafeSlow(chunkBytes)
  let read = 0
  for (;;) {
    const bytes = await file.read(chunk, read)
    if (bytes.length === 0) break
    read += bytes.length
    splitter.push(bytes)
  }
  splitter.end()
  return read
}
