import type { StreamEvent } from '#core/bridge/stream-events.ts'

/**
 * The format of a run's stream, in its file and on the wire. Each block of events ends with a comment, the positions in its sources:
 *
 *     event: text
 *     data: {"session_id":null,…}
 *     id: 4711
 *
 *     : read 20480 0 0
 *
 * An `id` is the offset behind its event, so clients continue there. Bytes behind the last comment are an incomplete block, which is
 * written again. No line of an event begins with a colon.
 */
export interface Consumed {
  /** Bytes of the recording, in whole lines. */
  readonly stdout: number
  readonly stderr: number
  readonly hooks: number
}

/** The comment that ends a block. */
export interface BlockEnd {
  /** Offset behind it in the file. */
  readonly offset: number
  readonly consumed: Consumed
  /** It is the end of the stream. */
  readonly isLast: boolean
}

/** Reads bytes of the stream's file; fewer at its end. */
export type ReadBytes = (offset: number, length: number) => Promise<Buffer>

export const nothingConsumed: Consumed = { stdout: 0, stderr: 0, hooks: 0 }

/** The events in wire format, at `offset` of the file. */
export function* wireOf(events: readonly StreamEvent[], offset: number): Generator<Buffer> {
  let at = offset
  for (const { type, data } of events) {
    const fields = `event: ${type}\ndata: ${JSON.stringify(data)}\nid: `
    const begins = at + Buffer.byteLength(fields)
    at = endAfter(begins)
    yield Buffer.from(`${fields}${at}\n\n`)
  }
}

/** The end of an event whose id starts at an offset; the id is that end. */
function endAfter(begins: number): number {
  let end = begins
  while (begins + String(end).length + 2 !== end) end = begins + String(end).length + 2
  return end
}

export function blockEndText({ stdout, stderr, hooks }: Consumed, isLast: boolean): string {
  return `: ${isLast ? 'end' : 'read'} ${stdout} ${stderr} ${hooks}\n\n`
}

/** Only an id or this comment precedes an empty line. */
const blockEndPattern = /: (read|end) (\d{1,16}) (\d{1,16}) (\d{1,16})\n\n/g

/** Null: another comment. */
export function parsedBlockEnd(comment: string): Omit<BlockEnd, 'offset'> | null {
  const end = lastIn(Buffer.from(comment), 0)
  return end === null ? null : { consumed: end.consumed, isLast: end.isLast }
}
/** Longer than any such comment. */
const maxBytes = 80
const windowBytes = 1 << 16

/** The last whole comment in a range; null: none. */
export async function lastBlockEnd(read: ReadBytes, from: number, to: number): Promise<BlockEnd | null> {
  for (let end = to; end > from; end -= windowBytes - maxBytes) {
    const start = Math.max(from, end - windowBytes)
    const found = lastIn(await read(start, end - start), start)
    if (found !== null) return found
    if (start === from) return null
  }
  return null
}

function lastIn(bytes: Buffer, start: number): BlockEnd | null {
  // latin1: one character per byte keeps offsets.
  const text = bytes.toString('latin1')
  const last = [...text.matchAll(blockEndPattern)].at(-1)
  if (last === undefined) return null
  const [whole, word, stdout, stderr, hooks] = last
  return {
    offset: start + last.index + whole.length,
    consumed: { stdout: Number(stdout), stderr: Number(stderr), hooks: Number(hooks) },
    isLast: word === 'end'
  }
}

/** The end of the last event before an offset that ends a block; the offset itself if none is near. */
export async function lastEventEnd(read: ReadBytes, offset: number): Promise<number> {
  const start = Math.max(0, offset - windowBytes)
  const text = (await read(start, offset - start)).toString('latin1')
  const last = [...text.matchAll(/\nid: \d{1,16}\n\n/g)].at(-1)
  if (last === undefined) return start === 0 ? 0 : offset
  return start + last.index + last[0].length
}

/** Whether an event ends at an offset. 0 is the beginning of the stream. */
export async function endsEvent(read: ReadBytes, offset: number): Promise<boolean> {
  if (offset === 0) return true
  const tail = `\nid: ${offset}\n\n`
  if (offset < tail.length) return false
  return (await read(offset - tail.length, tail.length)).toString('latin1') === tail
}
