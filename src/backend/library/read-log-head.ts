import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { basename, sep } from 'node:path'
import { earliest, latest } from '#core/events/stated-times.ts'
import { headBytes, headOf } from '#core/formats/head.ts'
import { sessionIn } from '#core/formats/session-database.ts'
import { isBlank } from '#core/lines/blank.ts'
import { type CardSource, readCard, type ReadCard } from '#core/library/read-card.ts'
import { type ChosenFormat, chooseFormat } from '../sources/choose-format.ts'
import { openLog } from '../sources/open-log.ts'
import { isDatabase } from '../sources/database-file.ts'
import { OpenDatabase, type SessionLines } from '../sources/session-databases.ts'
import { isZstd } from '../sources/zstd-frames.ts'
import { HostError } from '#contract/host-error.ts'
import type { ReadBytes } from './read-bytes.ts'
import { type LogFacts, logFacts } from './log-facts.ts'
import type { LogHead } from './log-head.ts'
import { fileProblem } from './why-unreadable.ts'

const maxHeadBytes = 4 * headBytes
const tailBytes = 16 << 10
const fingerprintBytes = 64
const likelyBytes = 4 << 10
/** Documents up to this size are read whole: their end cannot be parsed alone. */
const maxDocumentBytes = 8 << 20
const maxCompanionBytes = 16 << 20
const lineFeed = 0x0a
const nothing = new Uint8Array(0)

export interface LogHeadOptions {
  readonly bytes: ReadBytes
  /** A format id that overrides detection. */
  readonly format: string | null
  /** Formats that are likely in this folder: a shorter head detects them. */
  readonly likely: ReadonlySet<string>
  /** The previous head of the log; null: none. */
  readonly before: LogHead | null
}

/** Reused buffers. */
const headMemory = Buffer.allocUnsafeSlow(maxHeadBytes)
const tailMemory = Buffer.allocUnsafeSlow(tailBytes)

/** Reads head and tail of a log; only the tail of one that grew since `before`. Never rejects. */
export async function readLogHead(path: string, facts: LogFacts, reading: LogHeadOptions): Promise<LogHead> {
  const stored = sessionIn(path)
  if (stored !== null && isDatabase(stored.database)) return await readStored(path, stored, facts, reading)
  let file: number
  try {
    // It may be a named pipe by now: without the flag, open waits for a writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    return unreadable(facts, fileProblem(error))
  }
  try {
    const stats = fstatSync(file, { bigint: true })
    if (!stats.isFile()) return unreadable(facts, 'The file no longer exists.')
    const head = readOpen(path, file, logFacts(stats), reading)
    return head === 'packed' ? await readPacked(path, facts, reading) : head
  } catch (error) {
    return unreadable(facts, error instanceof HostError ? `${error.message}.` : fileProblem(error))
  } finally {
    closeSync(file)
  }
}

function readOpen(path: string, file: number, facts: LogFacts, reading: LogHeadOptions): LogHead | 'packed' {
  if (facts.bytes === 0) return { ...noCard(facts), isEmpty: true }
  const grown = readGrown(path, file, facts, reading)
  if (grown !== null) return grown
  const first = readInto(file, headMemory.subarray(0, headBytes), 0, reading.bytes)
  if (isZstd(first)) return 'packed'
  const chosen = likelyFormat(path, first, reading) ?? choose(path, first, reading.format)
  if (chosen.format.id === null) return foreign(facts, first, chosen)
  const isDocument = chosen.framing === 'document'
  const readHead = (card: ReadCard, head: Uint8Array, tail: Uint8Array | null): LogHead => ({
    ...noCard(facts),
    agent: card.agent,
    format: chosen.format.id,
    framing: chosen.framing,
    card,
    headBytes: head.length,
    tailPrint: fingerprintOf(tail ?? head)
  })
  const source = (head: Uint8Array, tail: Uint8Array | null): CardSource => ({
    ...{ path: path.replaceAll(sep, '/'), format: chosen.format, framing: chosen.framing, head, tail },
    companion: companionOf(path, chosen)
  })
  if (isDocument && facts.bytes > headBytes && facts.bytes <= maxDocumentBytes) {
    const whole = Buffer.allocUnsafeSlow(facts.bytes)
    whole.set(first)
    const more = readInto(file, whole.subarray(first.length), first.length, reading.bytes)
    const head = whole.subarray(0, first.length + more.length)
    return readHead(readCard(source(head, null)), head, null)
  }
  const tail = facts.bytes <= headBytes || isDocument ? null : readTail(file, facts, reading.bytes)
  const card = readCard(source(first, tail))
  if (!card.wantsMore || facts.bytes <= first.length || isDocument) return readHead(card, first, tail)
  // In one step: parsing repeatedly costs more than reading.
  const more = readInto(file, headMemory.subarray(first.length), first.length, reading.bytes)
  const head = headMemory.subarray(0, first.length + more.length)
  return readHead(readCard(source(head, tail)), head, tail)
}

/** Null: the log was not only appended to, or a longer head may have more facts. */
function readGrown(path: string, file: number, facts: LogFacts, { before, bytes }: LogHeadOptions): LogHead | null {
  if (before?.card == null || before.framing !== 'lines' || before.isPacked || before.format === null) return null
  if (facts.inode !== before.facts.inode || facts.device !== before.facts.device) return null
  if (facts.bytes <= before.facts.bytes || before.headBytes < headBytes) return null
  if (before.card.wantsMore && before.headBytes < maxHeadBytes) return null
  const memory = tailMemory.subarray(0, fingerprintBytes)
  const last = readInto(file, memory, Math.max(0, before.facts.bytes - fingerprintBytes), bytes)
  if (fingerprintOf(last) !== before.tailPrint) return null
  const chosen = chooseFormat({ name: '', framing: 'lines', text: '', records: [], cut: '' }, before.format)
  const tail = readTail(file, facts, bytes)
  const read = readCard({
    ...{ path: path.replaceAll(sep, '/'), format: chosen.format, framing: 'lines', head: nothing, tail },
    companion: companionOf(path, chosen)
  })
  return { ...before, facts, card: grownCard(before.card, read), tailPrint: fingerprintOf(tail) }
}

/** The card of a log that grew: the facts of its old head with those of its new tail. */
function grownCard(before: ReadCard, tail: ReadCard): ReadCard {
  const isNamed = tail.titleFrom === 'agent'
  return {
    ...before,
    title: isNamed ? tail.title : (before.title ?? tail.title),
    titleFrom: isNamed ? tail.titleFrom : (before.titleFrom ?? tail.titleFrom),
    sessionId: before.sessionId ?? tail.sessionId,
    project: before.project ?? tail.project,
    branch: before.branch ?? tail.branch,
    model: before.model ?? tail.model,
    version: before.version ?? tail.version,
    startedAt: earliest(before.startedAt, tail.startedAt),
    endedAt: latest(before.endedAt, tail.endedAt),
    forkedFrom: before.forkedFrom ?? tail.forkedFrom,
    parentSession: before.parentSession ?? tail.parentSession,
    end: tail.end
  }
}

function readTail(file: number, facts: LogFacts, bytes: ReadBytes): Uint8Array {
  return readInto(file, tailMemory, Math.max(0, facts.bytes - tailBytes), bytes)
}

/** Unpacks only the head: the tail would need all of it. */
async function readPacked(path: string, facts: LogFacts, { bytes, format: wanted }: LogHeadOptions): Promise<LogHead> {
  const source = await openLog(path)
  try {
    const read: Uint8Array[] = []
    for await (const chunk of source.chunks({ to: maxHeadBytes })) {
      read.push(Buffer.from(chunk))
      bytes.add(chunk.length)
    }
    const all = Buffer.concat(read)
    const chosen = choose(path, all.subarray(0, headBytes + 1), wanted)
    if (chosen.format.id === null) return foreign(facts, all, chosen)
    const cardOf = (head: Uint8Array): ReadCard =>
      readCard({
        ...{ path: path.replaceAll(sep, '/'), format: chosen.format, framing: chosen.framing, head, tail: null },
        companion: companionOf(path, chosen)
      })
    const begin = all.subarray(0, headBytes)
    const short = cardOf(begin)
    const [card, head] = short.wantsMore && all.length > headBytes ? [cardOf(all), all] : [short, begin]
    const { format, framing } = chosen
    const fields = { agent: card.agent, format: format.id, framing, isPacked: true, card, headBytes: head.length }
    return { ...noCard(facts), ...fields }
  } finally {
    await source.close()
  }
}

/** Reads the first and the last lines of a session in a database. */
async function readStored(
  path: string,
  { database, session }: { readonly database: string; readonly session: string },
  facts: LogFacts,
  { bytes, format: wanted }: LogHeadOptions
): Promise<LogHead> {
  try {
    return await OpenDatabase.read(database, async (open) => {
      const lines = open.lines(session)
      const begin = linesFrom(lines, 0, headBytes)
      const chosen = choose(path, begin.text, wanted)
      bytes.add(begin.text.length)
      if (chosen.format.id === null) return foreign(facts, begin.text, chosen)
      const cardOf = (head: Uint8Array, tail: Uint8Array | null): ReadCard =>
        readCard({ path, format: chosen.format, framing: 'lines', head, tail, companion: null })
      const tail = begin.end < lines.count ? lastLines(lines, begin.end) : null
      bytes.add(tail?.length ?? 0)
      const short = cardOf(begin.text, tail)
      const more = short.wantsMore && tail !== null ? linesFrom(lines, begin.end, maxHeadBytes - headBytes).text : null
      bytes.add(more?.length ?? 0)
      const head = more === null ? begin.text : Buffer.concat([begin.text, more])
      const card = more === null ? short : cardOf(head, tail)
      return { ...noCard(facts), agent: card.agent, format: chosen.format.id, card, headBytes: head.length }
    })
  } catch (error) {
    return unreadable(facts, error instanceof HostError ? `${error.message}.` : fileProblem(error))
  }
}

/** Lines from `from` on, about `most` bytes: at least one. */
function linesFrom(lines: SessionLines, from: number, most: number): { readonly text: Buffer; readonly end: number } {
  const parts: Buffer[] = []
  let at = from
  for (let length = 0; at < lines.count && length < most; at++) {
    const line = lines.line(at)
    parts.push(line)
    length += line.length
  }
  return { text: Buffer.concat(parts), end: at }
}

/** The last lines after the first `from`, about `tailBytes`. */
function lastLines(lines: SessionLines, from: number): Buffer {
  const parts: Buffer[] = []
  for (let at = lines.count - 1, length = 0; at >= from && length < tailBytes; at--) {
    const line = lines.line(at)
    parts.unshift(line)
    length += line.length
  }
  return Buffer.concat(parts)
}

/** Detects a likely format from the first records, as parsing a whole head dominates the scan. Null: not detected. */
function likelyFormat(path: string, first: Uint8Array, { format, likely }: LogHeadOptions): ChosenFormat | null {
  if (format !== null || likely.size === 0 || first.length <= likelyBytes) return null
  // Whole lines only: checking whether a cut line is JSON so far is slow.
  const last = first.subarray(0, likelyBytes).lastIndexOf(lineFeed)
  const end = last < 0 ? first.indexOf(lineFeed) : last
  if (end < 0) return null
  const chosen = choose(path, first.subarray(0, end + 1), null)
  return chosen.format.id !== null && likely.has(chosen.format.id) ? chosen : null
}

function choose(path: string, first: Uint8Array, wanted: string | null): ChosenFormat {
  return chooseFormat(headOf(basename(path), first), wanted)
}

/** Several logs may share a companion. */
let lastCompanion = { file: '', fingerprint: '', text: '' }

function companionOf(path: string, { format }: ChosenFormat): string | null {
  const log = path.replaceAll(sep, '/')
  const file = format.store?.companion?.fileOf(log) ?? log
  if (file === log) return null
  try {
    // A link may lead to any file.
    const stats = lstatSync(file, { throwIfNoEntry: false })
    if (stats === undefined || !stats.isFile() || stats.size > maxCompanionBytes) return null
    const fingerprint = `${stats.mtimeMs} ${stats.size} ${stats.ino}`
    if (lastCompanion.file !== file || lastCompanion.fingerprint !== fingerprint)
      lastCompanion = { file, fingerprint, text: readFileSync(file, 'utf8') }
    return lastCompanion.text
  } catch {
    // The companion is optional.
    return null
  }
}

function readInto(file: number, memory: Buffer, from: number, bytes: ReadBytes): Buffer {
  let filled = 0
  while (filled < memory.length) {
    const read = readSync(file, memory, filled, memory.length - filled, from + filled)
    if (read === 0) break
    filled += read
  }
  bytes.add(filled)
  return memory.subarray(0, filled)
}

function fingerprintOf(bytes: Uint8Array): string {
  return hash('sha1', bytes.subarray(-fingerprintBytes), 'base64url')
}

function foreign(facts: LogFacts, head: Uint8Array, { note }: ChosenFormat): LogHead {
  const isEmpty = head.length >= facts.bytes && isBlank(new TextDecoder().decode(head))
  return isEmpty ? { ...noCard(facts), isEmpty } : { ...noCard(facts), isForeign: true, problem: note }
}

function unreadable(facts: LogFacts, problem: string): LogHead {
  return { ...noCard(facts), problem }
}

function noCard(facts: LogFacts): LogHead {
  return {
    ...{ facts, agent: null, format: null, framing: 'lines', isPacked: false, isEmpty: false },
    ...{ problem: null, isForeign: false, card: null, headBytes: 0, tailPrint: '' }
  }
}
