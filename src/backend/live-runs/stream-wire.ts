import type { StreamEvent } from '#core/bridge/stream-events.ts'

/**
 * A run's stream as it stands in its file and goes over the wire. Events stand in blocks; each block ends with a comment that says how far
 * the files were read that it was made of:
 *
 *     event: text
 *     data: {"session_id":null,…}
 *     id: 4711
 *
 *     : read 20480 0 0
 *
 * An `id` is where its event ends in the file, so whoever has it reads on from there. What stands behind the last comment was being
 * written when the writer died: it is no part of the stream, and is written anew. No line of an event begins with a colon.
 */
export interface Consumed {
  /** Bytes of the recording: whole lines. */
  readonly stdout: number
  readonly stderr: number
  readonly hooks: number
}

/** The comment that ends a block. */
export interface BlockEnd {
  /** Where it ends in the file. */
  readonly offset: number
  readonly consumed: Consumed
  /** It ends the stream. */
  readonly isLast: boolean
}

/** Bytes of the stream's file, fewer where it ends. */
export type ReadBytes = (offset: number, length: number) => Promise<Buffer>

export const nothingConsumed: Consumed = { stdout: 0, stderr: 0, hooks: 0 }

/** The events as they stand in the file from `offset` on. */
export function* wireOf(events: readonly StreamEvent[], offset: number): Generator<Buffer> {
  let at = offset
  for (const { type, data } of events) {
    const said = `event: ${type}\ndata: ${JSON.stringify(data)}\nid: `
    const begins = at + Buffer.byteLength(said)
    at = endAfter(begins)
    yield Buffer.from(`${said}${at}\n\n`)
  }
}

/** Where an event ends whose id begins at an offset: the id is that very number. */
function endAfter(begins: number): number {
  let end = begins
  while (begins + String(end).length + 2 !== end) end = begins + String(end).length + 2
  return end
}

export function blockEndText({ stdout, stderr, hooks }: Consumed, isLast: boolean): string {
  return `: ${isLast ? 'end' : 'read'} ${stdout} ${stderr} ${hooks}\n\n`
}

/** Of all lines only an id is followed by an empty one, but for this. */
const blockEndPattern = /: (read|end) (\d{1,16}) (\d{1,16}) (\d{1,16})\n\n/g

/** What a comment says of its block; null: it is another one. */
export function parsedBlockEnd(comment: string): Omit<BlockEnd, 'offset'> | null {
  const end = lastIn(Buffer.from(comment), 0)
  return end === null ? null : { consumed: end.consumed, isLast: end.isLast }
}
/** More than a comment is long. */
const maxBytes = 80
const windowBytes = 1 << 16

/** The last whole comment between two offsets; null: there is none. */
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
  // Each byte one character: offsets stay what they are.
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

/** Where the last event before an offset ends, at which a block does; the offset itself where that is not near. */
export async function lastEventEnd(read: ReadBytes, offset: number): Promise<number> {
  const start = Math.max(0, offset - windowBytes)
  const text = (await read(start, offset - start)).toString('latin1')
  const last = [...text.matchAll(/\nid: \d{1,16}\n\n/g)].at(-1)
  if (last === undefined) return start === 0 ? 0 : offset
  return start + last.index + last[0].length
}

/** Whether an event of the stream ends at an offset. 0: the beginning, before the first one. */
export async function endsEvent(read: ReadBytes, offset: number): Promise<boolean> {
  if (offset === 0) return true
  const tail = `\nid: ${offset}\n\n`
  if (offset < tail.length) return false
  return (await read(offset - tail.length, tail.length)).toString('latin1') === tail
}
