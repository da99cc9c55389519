import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, sep } from 'node:path'
import { headBytes, headOf } from '#core/formats/head.ts'
import { isBlank } from '#core/lines/blank.ts'
import { type CardSource, readCard, type ReadCard } from '#core/library/read-card.ts'
import { type ChosenFormat, chooseFormat } from '../sources/choose-format.ts'
import { openLog } from '../sources/open-log.ts'
import { isZstd } from '../sources/zstd-frames.ts'
import { HostError } from '#contract/host-error.ts'
import { grownCard } from './grown-card.ts'
import type { LogBytes } from './log-bytes.ts'
import { type LogFacts, logFacts } from './log-facts.ts'
import type { ToldLog } from './told-log.ts'
import { fileProblem } from './why-unreadable.ts'

const mostHead = 4 * headBytes
const tailBytes = 16 << 10
const printBytes = 64
const likelyBytes = 4 << 10
/** A document is read whole up to here: what stands at its end cannot be read by itself. */
const mostDocument = 8 << 20
const mostCompanion = 16 << 20
const lineFeed = 0x0a
const nothing = new Uint8Array(0)

export interface ToldLogReading {
  readonly bytes: LogBytes
  /** A format id that overrides detection. */
  readonly format: string | null
  /** The formats that are likely where it lies: one of them is told by less. */
  readonly likely: ReadonlySet<string>
  /** What was told of it before; null: nothing. */
  readonly before: ToldLog | null
}

/** The memory for heads and tails, used again and again. */
const headMemory = Buffer.allocUnsafeSlow(mostHead)
const tailMemory = Buffer.allocUnsafeSlow(tailBytes)

/** Reads the head and the tail of a log; of one that was added to since `before` only the tail. Never rejects; `facts` are those of when it was looked at. */
export async function readToldLog(path: string, facts: LogFacts, reading: ToldLogReading): Promise<ToldLog> {
  let file: number
  try {
    // It may have become a pipe: to open one waits for its writer unless told not to.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    return unreadable(facts, fileProblem(error))
  }
  try {
    const stats = fstatSync(file, { bigint: true })
    if (!stats.isFile()) return unreadable(facts, 'The file no longer exists.')
    const told = readOpen(path, file, logFacts(stats), reading)
    return told === 'packed' ? await readPacked(path, facts, reading) : told
  } catch (error) {
    return unreadable(facts, error instanceof HostError ? `${error.message}.` : fileProblem(error))
  } finally {
    closeSync(file)
  }
}

function readOpen(path: string, file: number, facts: LogFacts, reading: ToldLogReading): ToldLog | 'packed' {
  if (facts.bytes === 0) return { ...noCard(facts), isEmpty: true }
  const grown = readGrown(path, file, facts, reading)
  if (grown !== null) return grown
  const first = readInto(file, headMemory.subarray(0, headBytes), 0, reading.bytes)
  if (isZstd(first)) return 'packed'
  const chosen = likelyFormat(path, first, reading) ?? choose(path, first, reading.format)
  if (chosen.format.id === null) return foreign(facts, first, chosen)
  const isDocument = chosen.framing === 'document'
  const told = (card: ReadCard, head: Uint8Array, tail: Uint8Array | null): ToldLog => ({
    ...noCard(facts),
    agent: card.agent,
    format: chosen.format.id,
    framing: chosen.framing,
    card,
    headBytes: head.length,
    tailPrint: printOf(lastOf(head, tail))
  })
  const source = (head: Uint8Array, tail: Uint8Array | null): CardSource => ({
    ...{ path: path.replaceAll(sep, '/'), format: chosen.format, framing: chosen.framing, head, tail },
    companion: companionOf(path, chosen)
  })
  if (isDocument && facts.bytes > headBytes && facts.bytes <= mostDocument) {
    const whole = Buffer.allocUnsafeSlow(facts.bytes)
    whole.set(first)
    const more = readInto(file, whole.subarray(first.length), first.length, reading.bytes)
    const head = whole.subarray(0, first.length + more.length)
    return told(readCard(source(head, null)), head, null)
  }
  const tail = facts.bytes <= headBytes || isDocument ? null : readTail(file, facts, reading.bytes)
  const card = readCard(source(first, tail))
  if (!card.wantsMore || facts.bytes <= first.length || isDocument) return told(card, first, tail)
  // At once: what is parsed again and again costs more than what is read.
  const more = readInto(file, headMemory.subarray(first.length), first.length, reading.bytes)
  const head = headMemory.subarray(0, first.length + more.length)
  return told(readCard(source(head, tail)), head, tail)
}

/** Null: it was not only added to, or its head may say more by now. */
function readGrown(path: string, file: number, facts: LogFacts, { before, bytes }: ToldLogReading): ToldLog | null {
  if (before?.card == null || before.framing !== 'lines' || before.isPacked || before.format === null) return null
  if (facts.inode !== before.facts.inode || facts.device !== before.facts.device) return null
  if (facts.bytes <= before.facts.bytes || before.headBytes < headBytes) return null
  if (before.card.wantsMore && before.headBytes < mostHead) return null
  const memory = tailMemory.subarray(0, printBytes)
  const print = readInto(file, memory, Math.max(0, before.facts.bytes - printBytes), bytes)
  if (printOf(print) !== before.tailPrint) return null
  const chosen = chooseFormat({ name: '', framing: 'lines', text: '', records: [], cut: '' }, before.format)
  const tail = readTail(file, facts, bytes)
  const read = readCard({
    ...{ path: path.replaceAll(sep, '/'), format: chosen.format, framing: 'lines', head: nothing, tail },
    companion: companionOf(path, chosen)
  })
  return { ...before, facts, card: grownCard(before.card, read), tailPrint: printOf(tail) }
}

function readTail(file: number, facts: LogFacts, bytes: LogBytes): Uint8Array {
  return readInto(file, tailMemory, Math.max(0, facts.bytes - tailBytes), bytes)
}

/** As much of it as is unpacked at once tells the head; where it ends only unpacking all of it would. */
async function readPacked(path: string, facts: LogFacts, { bytes, format: wanted }: ToldLogReading): Promise<ToldLog> {
  const source = await openLog(path)
  try {
    const read: Uint8Array[] = []
    for await (const chunk of source.chunks({ to: mostHead })) {
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
    const told = { agent: card.agent, format: format.id, framing, isPacked: true, card, headBytes: head.length }
    return { ...noCard(facts), ...told }
  } finally {
    await source.close()
  }
}

/** In an agent's own folder the first records tell its format: to parse all of a head takes longer than all else. Null: they do not. */
function likelyFormat(path: string, first: Uint8Array, { format, likely }: ToldLogReading): ChosenFormat | null {
  if (format !== null || likely.size === 0 || first.length <= likelyBytes) return null
  // Whole lines: of one that is cut it takes long to tell whether it is JSON so far.
  const last = first.subarray(0, likelyBytes).lastIndexOf(lineFeed)
  const end = last < 0 ? first.indexOf(lineFeed) : last
  if (end < 0) return null
  const chosen = choose(path, first.subarray(0, end + 1), null)
  return chosen.format.id !== null && likely.has(chosen.format.id) ? chosen : null
}

function choose(path: string, first: Uint8Array, wanted: string | null): ChosenFormat {
  return chooseFormat(headOf(basename(path), first), wanted)
}

/** Several logs may have one and the same. */
let lastCompanion = { file: '', print: '', text: '' }

function companionOf(path: string, { format }: ChosenFormat): string | null {
  const log = path.replaceAll(sep, '/')
  const file = format.store?.companion?.fileOf(log) ?? log
  if (file === log) return null
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats === undefined || !stats.isFile() || stats.size > mostCompanion) return null
    const print = `${stats.mtimeMs} ${stats.size} ${stats.ino}`
    if (lastCompanion.file !== file || lastCompanion.print !== print)
      lastCompanion = { file, print, text: readFileSync(file, 'utf8') }
    return lastCompanion.text
  } catch {
    // It is extra: one that cannot be read tells nothing.
    return null
  }
}

function readInto(file: number, memory: Buffer, from: number, bytes: LogBytes): Buffer {
  let filled = 0
  while (filled < memory.length) {
    const read = readSync(file, memory, filled, memory.length - filled, from + filled)
    if (read === 0) break
    filled += read
  }
  bytes.add(filled)
  return memory.subarray(0, filled)
}

function lastOf(head: Uint8Array, tail: Uint8Array | null): Uint8Array {
  return tail ?? head
}

function printOf(bytes: Uint8Array): string {
  return hash('sha1', bytes.subarray(-printBytes), 'base64url')
}

function foreign(facts: LogFacts, head: Uint8Array, { note }: ChosenFormat): ToldLog {
  const isEmpty = head.length >= facts.bytes && isBlank(new TextDecoder().decode(head))
  return isEmpty ? { ...noCard(facts), isEmpty } : { ...noCard(facts), isForeign: true, problem: note }
}

function unreadable(facts: LogFacts, problem: string): ToldLog {
  return { ...noCard(facts), problem }
}

function noCard(facts: LogFacts): ToldLog {
  return {
    ...{ facts, agent: null, format: null, framing: 'lines', isPacked: false, isEmpty: false },
    ...{ problem: null, isForeign: false, card: null, headBytes: 0, tailPrint: '' }
  }
}
