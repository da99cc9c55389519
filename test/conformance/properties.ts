import { expect } from 'vitest'
import { normalizedLine } from '../../src/core/export/normalized-jsonl.ts'
import { decodeLine, type DecodedLine } from '../../src/core/formats/decode-line.ts'
import { joinedDraft } from '../../src/core/formats/joined-text.ts'
import { FoldedLines, type LineSink, type ReadLine } from '../../src/core/formats/folded-lines.ts'
import type { FoldedEvent } from '../../src/core/formats/log-format.ts'
import { LogReader } from '../../src/core/formats/log-reader.ts'
import { normalized } from '../../src/core/formats/normalized.ts'
import { isBlank } from '../../src/core/lines/blank.ts'
import { forkState } from '../../src/core/state/fork-state.ts'
import { snapshotOf } from '../../src/core/replay/snapshot-of.ts'
import { TodoHistory } from '../../src/core/replay/todo-history.ts'
import { objectionsTo } from './event-schemas.ts'
import { expectEqual } from './expect-equal.ts'
import { type LineSeen, type Log, openLog, readLog, type LogSeen } from './read-log.ts'
import { times } from '../thorough.ts'

/** Whatever the log is: docs/formats/README.md#every-log-has-these-properties. */

/** Events, issues and marks do not depend on how the bytes arrive. */
export function expectSameInChunks(log: Log, whole: LogSeen, cuts: readonly number[]): void {
  const chunked = readLog(log, cuts)
  expectEqual(chunked.events, whole.events)
  expectEqual(chunked.lines, whole.lines)
  expectEqual(chunked.marks, whole.marks)
}

/** No byte is lost: each lies in a line that was read, or between two of them where nothing is said. */
export function expectEveryLineRead({ framing, bytes }: Log, seen: LogSeen): void {
  if (framing === 'lines') expectLinesCover(bytes, seen)
  else expectRecordsCover(bytes, seen)
  const silent = seen.lines.filter((line) => line.blank !== isBlank(textOf(bytes, line)))
  if (silent.length > 0)
    throw new Error(`lines are taken for blank, or not, and are not so: ${silent.map(({ line }) => line).join()}`)
}

/** What lies between lines is line ends; what lies between the parts of a damaged line is white space. */
function expectLinesCover(bytes: Uint8Array, { lines }: LogSeen): void {
  let lineFeeds = 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lineFeeds += 1
  const markLength = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const unterminated = bytes.length > markLength && bytes.at(-1) !== 0x0a ? 1 : 0
  const whole = lines.filter(({ line }, index) => line !== lines[index - 1]?.line)
  if (whole.length !== lineFeeds + unterminated) expect(whole.length).toBe(lineFeeds + unterminated)
  for (const [index, { line, offset, length }] of lines.entries()) {
    const end = offset + length
    const next = lines[index + 1]
    const isLast = next?.line !== line
    const feed = bytes.indexOf(0x0a, end)
    const to = isLast ? (feed < 0 ? bytes.length : feed) : next.offset
    const between = textOf(bytes, { offset: end, length: to - end })
    if (to < end || !/^[ \t\r]*$/.test(between))
      throw new Error(`what follows the line at ${offset} is not read: ${between}`)
  }
}

const betweenRecords = /^\uFEFF?[\s,{}[\]]*("([^"\\]|\\.)*"\s*:\s*\[[\s,[\]{}]*)?$/

/** What lies between the records of a document is white space, brackets and commas, and the name of the list that begins. */
function expectRecordsCover(bytes: Uint8Array, { lines }: Pick<LogSeen, 'lines'>): void {
  let from = 0
  for (const { offset, length } of [...lines, { offset: bytes.length, length: 0 }]) {
    if (offset < from) throw new Error(`the record at ${offset} begins before the one before it ends`)
    const between = textOf(bytes, { offset: from, length: offset - from })
    if (!betweenRecords.test(between)) expect(between).toMatch(betweenRecords)
    from = offset + length
  }
}

/** Events stand in the order of their lines, numbered from 0 on each; each stands on a line that was read. */
export function expectInOrder(seen: LogSeen): void {
  const lines = new Set(seen.lines.map(({ offset }) => offset))
  let last = { line: 0, ordinal: -1 }
  for (const { at, ordinal } of seen.folded) {
    const wanted = at.line === last.line ? last.ordinal + 1 : 0
    if (at.line < last.line) throw new Error(`an event of line ${at.line} comes after one of line ${last.line}`)
    if (ordinal !== wanted) throw new Error(`line ${at.line}: event ${ordinal} where ${wanted} was due`)
    if (!lines.has(at.offset)) throw new Error(`an event of line ${at.line}, which was not read`)
    last = { line: at.line, ordinal }
  }
  const strayMarks = seen.marks.filter(({ at }) => !lines.has(at.offset))
  if (strayMarks.length > 0) throw new Error(`a line at ${strayMarks[0]?.at.offset} is marked, and was not read`)
}

/** No event has the id of another. Holds for logs as agents write them; an export that is glued together has ids twice. */
export function expectUniqueIds(seen: LogSeen): void {
  expect(new Set(seen.events.map((event) => event.eventId)).size).toBe(seen.events.length)
}

/** A line read again gives the same draft at the same place, and a text that stands in pieces is put together: pages are served so. */
export function expectReadableAgain({ format, framing, bytes }: Log, seen: LogSeen): void {
  const lines = new Map(seen.lines.map((line) => [line.offset, line]))
  for (const event of seen.folded) {
    const { draft, body, joinedTo, at } = event
    if (joinedTo !== undefined) {
      expect(joinedDraft(format, framing, bytes.subarray(at.offset, joinedTo))).toEqual(draft)
    } else if (body >= 0) {
      const line = lines.get(at.offset)
      if (line === undefined) throw new Error(`event of a line that was not read: ${at.line}`)
      const again = decodeLine(format, { ...line, bytes: bytesOf(bytes, line) }, framing)
      expectEqual(again.decoded?.drafts[body], draft)
    } else expectSmall(event)
  }
}

/** An event that no line gives again is kept in memory for as long as the log is open. */
function expectSmall({ draft, at }: FoldedEvent): void {
  if (draft.type === 'todo_list') return
  const size = JSON.stringify(draft).length
  if (size > 2000) throw new Error(`line ${at.line}: an event of ${size} characters that no line gives again`)
}

/** Every line of the export is valid by the zod schema and by the JSON Schema. */
export function expectEventsValid(seen: LogSeen): string[] {
  const lines = seen.events.map((event) => normalizedLine(event))
  const wrong = lines.flatMap((line, index) => objectionsTo(JSON.parse(line)).map((what) => `event ${index} ${what}`))
  expect(wrong.slice(0, 10)).toEqual([])
  return lines
}

/** The export is valid, and opens as the same events and todo lists. */
export function expectExportAgrees(seen: LogSeen): void {
  const lines = expectEventsValid(seen)
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
  if (seen.events.length > 0) expect(openLog(bytes).format.id).toBe('normalized')
  const again = readLog({ format: normalized, framing: 'lines', bytes })
  expectEqual(again.events, seen.events)
  expectEqual(statesOf(again), statesOf(seen))
}

/** The items of every track after each event that changes one. */
function statesOf(seen: LogSeen): unknown[] {
  const history = new TodoHistory()
  const states: unknown[] = []
  for (const [seq, event] of seen.events.entries()) {
    const snapshot = snapshotOf(event, seq, event.source ?? { line: 0 })
    if (snapshot === null) continue
    history.add(snapshot)
    states.push([seq, history.tracksAt(seq).map(({ trackId, items }) => ({ trackId, items }))])
  }
  return states
}

/** A log that stops at `cut` is read up to there: what was settled by then is as in the whole log, and nothing throws. */
export function expectCutReadable(log: Log, whole: LogSeen, cut: number): void {
  const seen = readLog({ ...log, bytes: log.bytes.slice(0, cut) })
  const { lines, events, marks } = seen.settled
  expectEqual(seen.lines.slice(0, lines), whole.lines.slice(0, lines))
  const end = whole.lines[lines]?.offset ?? Infinity
  const before = whole.events.filter((_, index) => {
    const folded = whole.folded[index]
    return folded !== undefined && index < whole.withLine && folded.at.offset < end
  })
  expectEqual(seen.events.slice(0, events), before)
  expect(seen.marks.slice(0, marks)).toEqual(whole.marks.slice(0, marks))
}

/** After every single byte the log may stop: nothing throws, every line is given, and what is cut off says so. */
export function expectMayStopAnywhere(log: Log, whole: LogSeen): void {
  const { stackTraceLimit } = Error
  // Nearly every cut is a syntax error. A stack that nobody reads takes longer than all else.
  Error.stackTraceLimit = 0
  const wrong = log.framing === 'lines' ? wrongLineCuts(log, whole) : wrongRecordCuts(log)
  Error.stackTraceLimit = stackTraceLimit
  expect(wrong.slice(0, 10)).toEqual([])
}

/** The number of lines, and the last one with events. Plain fields, so that they can be forked. */
class GivenLines implements LineSink {
  count = 0
  latest = 0

  line({ events }: ReadLine): void {
    this.count += 1
    this.end(events)
  }

  end(events: readonly FoldedEvent[]): void {
    for (const { at } of events) this.latest = Math.max(this.latest, at.line)
  }
}

/**
 * The lines before a cut are folded once; each cut goes on from a copy of what was kept by then, unless the cut before it gave the fold the
 * same.
 */
function wrongLineCuts({ format, bytes }: Log, whole: LogSeen): string[] {
  const before = new FoldedLines(format, new GivenLines(), {})
  const wrong: string[] = []
  for (const [index, at] of whole.lines.entries()) {
    const { offset, length, line } = at
    let folded = ''
    let misfolded = false
    for (let kept = 1; kept < length; kept += 1) {
      if (kept % 16 !== 0 && (isInRepetition(bytes, offset, offset + kept) || isInWords(bytes, offset + kept))) continue
      const last = { line, offset, length: kept, terminated: false }
      const rest = decodeLine(format, { ...last, bytes: bytesOf(bytes, last) })
      const toFold = rest.value === undefined ? asFolded(rest) : null
      if (toFold === null || toFold !== folded) {
        const foldedLines = forkState(before)
        foldedLines.add(last, rest)
        foldedLines.end()
        const { count, latest } = foldedLines.sink
        misfolded = latest > line || count !== index + 1
        folded = toFold ?? ''
      }
      const silent = rest.decoded !== null && rest.value === undefined && rest.decoded.issues.length === 0
      if (silent || misfolded) wrong.push(`line ${line} cut after ${kept} bytes`)
    }
    before.add(at, decodeLine(format, { ...at, bytes: bytesOf(bytes, at) }))
  }
  return wrong
}

/** What a fold is given of a line that is no JSON: it reads the beginning of a text at most, and no words about what is wrong. */
function asFolded({ decoded, issues }: DecodedLine): string {
  return JSON.stringify([decoded, issues], (key, value: unknown) => {
    if (key === 'message') return undefined
    return typeof value === 'string' ? value.slice(0, 40) : value
  })
}

const longRepetition = 200
const mostRepeated = 8

/** Whether the bytes before `at` repeat so few for so long that one more of them says nothing new, as in lines that are nested deep. */
function isInRepetition(bytes: Uint8Array, from: number, at: number): boolean {
  if (at - from < longRepetition + mostRepeated) return false
  for (let period = 1; period <= mostRepeated; period += 1) {
    let same = 0
    while (same < longRepetition && bytes[at - 1 - same] === bytes[at - 1 - same - period]) same += 1
    if (same === longRepetition) return true
  }
  return false
}

/** Letters, digits and spaces on both sides of a cut. A thorough run cuts there too. */
const aroundCut = times(8, 0)

/** Whether a cut is in the middle of words: another letter more of a text is no other case. Escapes and the ends of words are. */
function isInWords(bytes: Uint8Array, at: number): boolean {
  if (aroundCut === 0) return false
  for (let i = at - aroundCut; i < at + 2; i += 1) if (!isOfWords(bytes[i] ?? 0)) return false
  return true
}

function isOfWords(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a)
}

/** Where a document is cut decides what its last records are, so each cut is read on its own; what a record is decoded to is kept. */
function wrongRecordCuts({ format, framing, bytes }: Log): string[] {
  const decodes = new Map<string, boolean>()
  const isDecoded = (line: Omit<LineSeen, 'issues' | 'blank'>): boolean => {
    const key = `${line.offset} ${line.length} ${line.terminated}`
    const known = decodes.get(key)
    if (known !== undefined) return known
    const is = decodeLine(format, { ...line, bytes: bytesOf(bytes, line) }, framing).value !== undefined
    decodes.set(key, is)
    return is
  }
  const wrong: string[] = []
  // All before it is read anew for each.
  const step = Math.max(1, Math.ceil(bytes.length / times(200, bytes.length)))
  for (let cut = 0; cut < bytes.length; cut += step) {
    const lines: LineSeen[] = []
    const reader = new LogReader(
      format,
      { line: ({ at, blank, issues }) => lines.push({ ...at, blank, issues }), end: () => {} },
      { framing }
    )
    const part = bytes.slice(0, cut)
    reader.push(part)
    reader.end()
    expectRecordsCover(part, { lines })
    if (lines.some((line) => line.issues.length === 0 && !isDecoded(line))) wrong.push(`cut after ${cut} bytes`)
  }
  return wrong
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

function bytesOf(bytes: Uint8Array, { offset, length }: { offset: number; length: number }): Uint8Array {
  return bytes.subarray(offset, offset + length)
}

function textOf(bytes: Uint8Array, line: Pick<LineSeen, 'offset' | 'length'>): string {
  return utf8.decode(bytesOf(bytes, line))
}
