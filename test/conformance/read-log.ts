import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { headOf } from '../../src/core/formats/head.ts'
import type { IssueDraft } from '../../src/core/formats/issue.ts'
import type { ReadLine } from '../../src/core/formats/folded-lines.ts'
import type { FoldedEvent, Framing, LineMark, LogFormat } from '../../src/core/formats/log-format.ts'
import { LogReader } from '../../src/core/formats/log-reader.ts'
import { detectFormat } from '../../src/core/formats/registry.ts'
import { EventIndex } from '../../src/core/index/event-index.ts'
import { rowMarks } from '../../src/core/index/row-mark.ts'
import { stamp } from '../../src/core/formats/stamp.ts'

/** The bytes of a log, and how they are read. */
export interface Log {
  readonly format: LogFormat
  readonly framing: Framing
  readonly bytes: Uint8Array
}

/** A line of a log that was read (in a document: a record), without its bytes. */
export interface LineSeen {
  readonly line: number
  readonly offset: number
  readonly length: number
  readonly terminated: boolean
  readonly blank: boolean
  readonly issues: readonly IssueDraft[]
}

export interface LogSeen {
  readonly lines: readonly LineSeen[]
  readonly folded: readonly FoldedEvent[]
  readonly events: readonly AgentEvent[]
  readonly marks: readonly LineMark[]
  /** The rows that are marked in the end: `8.1 abandoned`, the line without ordinal for one that is no event. */
  readonly markedRows: readonly string[]
  /** How many of them were given before the source had ended: no byte that follows could change them. */
  readonly settled: { readonly lines: number; readonly events: number; readonly marks: number }
  /** How many events were given with a line; only the end revealed the others. */
  readonly withLine: number
}

/** The log as it is recognised under a name that says nothing. Throws where no format claims it. */
export function openLog(bytes: Uint8Array): Log {
  const head = headOf('log', bytes)
  const detected = detectFormat(head)
  if (detected.format === null) throw new Error(`no format claims the log: ${detected.reason}`)
  return { format: detected.format, framing: head.framing, bytes }
}

/** Reads a whole log, in chunks that end at `cuts` (byte offsets, ascending). */
export function readLog({ format, framing, bytes }: Log, cuts: readonly number[] = []): LogSeen {
  const lines: LineSeen[] = []
  const folded: FoldedEvent[] = []
  const marks: LineMark[] = []
  const index = new EventIndex()
  let withLine = 0
  const sink = {
    line(read: ReadLine) {
      const { line, offset, length, terminated } = read.at
      expectNoBytes(read.at)
      for (const { at } of read.events) expectNoBytes(at)
      lines.push({ line, offset, length, terminated, blank: read.blank, issues: read.issues })
      folded.push(...read.events)
      marks.push(...(read.marks ?? []))
      index.addLine(read)
      withLine = folded.length
    },
    end(events: readonly FoldedEvent[], more: readonly LineMark[]) {
      for (const { at } of events) expectNoBytes(at)
      folded.push(...events)
      marks.push(...more)
      for (const event of events) index.addEvent(event)
      index.addMarks(more)
    }
  }
  const reader = new LogReader(format, sink, { framing })
  let start = 0
  for (const end of [...cuts, bytes.length]) {
    // A chunk of its own, overwritten afterwards: a reader that keeps the caller's bytes is found out.
    const chunk = bytes.slice(start, end)
    reader.push(chunk)
    chunk.fill(0x21)
    start = end
  }
  const settled = { lines: lines.length, events: folded.length, marks: marks.length }
  reader.end()
  const events = folded.map((event) => stamp(event, format))
  return { lines, folded, events, marks, markedRows: markedRowsOf(index, folded), settled, withLine }
}

/** Places are kept, and would keep the caller's chunk with them. */
function expectNoBytes(at: object): void {
  for (const key in at)
    if (ArrayBuffer.isView(at[key as keyof typeof at])) throw new Error(`the place of a line has ${key}`)
}

function markedRowsOf(index: EventIndex, folded: readonly FoldedEvent[]): string[] {
  const marks = new Uint8Array(index.columns(0, index.rows).mark)
  return [...marks].flatMap((mark, row) => {
    if (mark === 0) return []
    const event = folded[index.seqOf(row)]
    const { line } = index.place(row)
    return [`${event === undefined ? line : `${line}.${event.ordinal}`} ${rowMarks[mark]}`]
  })
}

/** Offsets after every byte: each chunk is one byte. */
export function everyByte(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

/** Offsets in ascending order, the same for the same seed. */
export function someCuts(length: number, count: number, seed: number): number[] {
  const random = randomNumbers(seed)
  const cuts = Array.from({ length: count }, () => Math.floor(random() * length))
  return cuts.sort((a, b) => a - b)
}

/** Numbers in [0, 1), the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 0x100000000
  }
}
