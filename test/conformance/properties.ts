import { expect } from 'vitest'
import { normalizedLine } from '../../src/core/export/normalized-jsonl.ts'
import { decodeLine } from '../../src/core/formats/decode-line.ts'
import type { LogFormat } from '../../src/core/formats/log-format.ts'
import { normalized } from '../../src/core/formats/normalized.ts'
import { detectFormat, headOf, logFormats } from '../../src/core/formats/registry.ts'
import { snapshotOf } from '../../src/core/replay/snapshot-of.ts'
import { TodoHistory } from '../../src/core/replay/todo-history.ts'
import { readLog, type LogSeen } from './read-log.ts'

/** Whatever the log is: what must hold of it in every format (formats.md 14). */

/** Exactly one format claims the log, whatever the file is called. */
export function formatOf(bytes: Uint8Array): LogFormat {
  const head = headOf('log.jsonl', bytes)
  const claims = logFormats.filter((format) => format.sniff(head)).map((format) => format.id)
  expect(claims).toHaveLength(1)
  const { format } = detectFormat(head)
  if (format === null) throw new Error('unreachable: one format claims the log')
  return format
}

/** Events and issues do not depend on how the bytes arrive. */
export function expectSameInChunks(
  format: LogFormat,
  bytes: Uint8Array,
  whole: LogSeen,
  cuts: readonly number[]
): void {
  const chunked = readLog(format, bytes, cuts)
  expect(chunked.events).toEqual(whole.events)
  expect(chunked.lines).toEqual(whole.lines)
}

/** Lines cover the bytes: what lies between them is line ends, so no byte is lost. */
export function expectEveryLineRead(bytes: Uint8Array, log: LogSeen): void {
  const lineFeeds = bytes.reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 0)
  const unterminated = bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0
  expect(log.lines.length).toBe(lineFeeds + unterminated)
  for (const { offset, length } of log.lines) {
    const next = bytes.subarray(offset + length, offset + length + 2)
    const ending = next[0] === 0x0a || (next[0] === 0x0d && next[1] === 0x0a) || next.length === 0
    expect(ending, `line at ${offset} ends at a line end`).toBe(true)
  }
}

/** Events stand in the order of their lines, numbered from 0 on each; ids are unique. */
export function expectInOrder(log: LogSeen): void {
  let last = { line: 0, ordinal: -1 }
  for (const { at, ordinal } of log.folded) {
    expect(at.line).toBeGreaterThanOrEqual(last.line)
    expect(ordinal).toBe(at.line === last.line ? last.ordinal + 1 : 0)
    last = { line: at.line, ordinal }
  }
  expect(new Set(log.events.map((event) => event.eventId)).size).toBe(log.events.length)
}

/** A line read again gives the same draft at the same place: pages are served that way. */
export function expectReadableAgain(format: LogFormat, bytes: Uint8Array, log: LogSeen): void {
  const lines = new Map(log.lines.map((line) => [line.line, line]))
  for (const event of log.folded) {
    if (event.body < 0) continue
    const line = lines.get(event.at.line)
    if (line === undefined) throw new Error(`event of a line that was not read: ${event.at.line}`)
    const again = decodeLine(format, { ...line, bytes: bytesOf(bytes, line) })
    expect(again.decoded?.drafts[event.body]).toEqual(event.draft)
  }
}

/** The export opens again as the same events, with the same todo lists at every event. */
export function expectExportAgrees(log: LogSeen): void {
  const text = log.events.map((event) => `${normalizedLine(event)}\n`).join('')
  const bytes = new TextEncoder().encode(text)
  if (log.events.length > 0) expect(formatOf(bytes).id).toBe('normalized')
  const again = readLog(normalized, bytes)
  expect(again.events).toEqual(log.events)
  expect(statesOf(again)).toEqual(statesOf(log))
}

/** The items of every track after each event that changes one. */
function statesOf(log: LogSeen): unknown[] {
  const history = new TodoHistory()
  const states: unknown[] = []
  for (const [seq, event] of log.events.entries()) {
    const snapshot = snapshotOf(event, seq, event.source?.line ?? 0)
    if (snapshot === null) continue
    history.add(snapshot)
    states.push([seq, history.tracksAt(seq).map(({ trackId, items }) => ({ trackId, items }))])
  }
  return states
}

/** A log that stops at `cut` is read up to there: whole lines as before, and no exception. */
export function expectCutReadable(format: LogFormat, bytes: Uint8Array, whole: LogSeen, cut: number): void {
  const log = readLog(format, bytes.slice(0, cut))
  const wholeLines = log.lines.filter((line) => line.terminated).length
  expect(eventsUpTo(log, wholeLines)).toEqual(eventsUpTo(whole, wholeLines))
}

/**
 * After every single byte the log may stop: what is left of the line means one text and one issue, or an event, and the end
 * adds nothing to lines other than the last. Whole lines are decoded once, so this takes every byte of a small log.
 */
export function expectMayStopAnywhere(format: LogFormat, bytes: Uint8Array, whole: LogSeen): void {
  const decoded = whole.lines.map((line) => ({ line, ...decodeLine(format, { ...line, bytes: bytesOf(bytes, line) }) }))
  const wrong: string[] = []
  for (const [index, { offset, length, line }] of whole.lines.entries()) {
    for (let kept = 0; kept < length; kept += 1) {
      const fold = format.createFold({})
      for (const before of decoded.slice(0, index)) if (before.decoded !== null) fold.add(before.line, before.decoded)
      const last = { line, offset, length: kept, terminated: false }
      const rest = decodeLine(format, { ...last, bytes: bytesOf(bytes, last) })
      const added = rest.decoded === null ? [] : fold.add(last, rest.decoded).events
      const stray =
        added.some((event) => event.at.line !== line) || fold.end().events.some(({ at }) => at.line < line - 1)
      const silent = rest.decoded !== null && rest.value === undefined && rest.decoded.issues.length === 0
      if (stray || silent) wrong.push(`line ${line} cut after ${kept} bytes`)
    }
  }
  expect(wrong).toEqual([])
}

function bytesOf(bytes: Uint8Array, { offset, length }: { offset: number; length: number }): Uint8Array {
  return bytes.subarray(offset, offset + length)
}

/** Events of the first lines, without those that only the end reveals: they stand on the last line. */
function eventsUpTo(log: LogSeen, lines: number): unknown[] {
  return log.events.filter((event) => (event.source?.line ?? 0) < lines)
}
