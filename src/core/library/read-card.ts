import type { AgentEvent } from '../events/agent-event.ts'
import { earliest, latest, StatedTimes, statedTime } from '../events/stated-times.ts'
import type { DecodedLine } from '../formats/decode-line.ts'
import { decodeParts } from '../formats/decode-parts.ts'
import { headBytes } from '../formats/head.ts'
import { FoldedLines, type ReadLine } from '../formats/folded-lines.ts'
import { type FoldedEvent, type Framing, type LogFormat, placeOf } from '../formats/log-format.ts'
import { stamp } from '../formats/stamp.ts'
import { DocumentSplitter } from '../lines/document-splitter.ts'
import { type Line, LineSplitter } from '../lines/line-splitter.ts'
import { OwnTrack } from './own-track.ts'
import { type EndOfSession, SessionEnd } from './session-end.ts'
import type { SessionCard } from './session-card.ts'
import { CardFacts } from './card-facts.ts'

/** The parts of a log that its card is read from. */
export interface CardSource {
  /** Separated by `/`. */
  readonly path: string
  readonly format: LogFormat
  readonly framing: Framing
  /** The first bytes. */
  readonly head: Uint8Array
  /**
   * The last bytes, which may begin inside a line; null: the head is the whole log, or its end cannot be read alone (a
   * document, a packed log).
   */
  readonly tail: Uint8Array | null
  /** The content of the file that `LogStore.companion` names; null: none. */
  readonly companion: string | null
}

/** The card's facts from the head and the tail of a log. */
export interface ReadCard extends Pick<
  SessionCard,
  | 'agent'
  | 'sessionId'
  | 'title'
  | 'titleFrom'
  | 'project'
  | 'branch'
  | 'model'
  | 'version'
  | 'startedAt'
  | 'endedAt'
  | 'forkedFrom'
> {
  /** The end of the last turn, from the tail. `open`: no end, so the session is live or interrupted. */
  readonly end: EndOfSession
  /** The session whose subagent it is. */
  readonly parentSession: string | null
  /** A longer head may have the folder or the prompt. Not for a missing model: counting finds it. */
  readonly wantsMore: boolean
}

/** Pure; never throws. */
export function readCard(source: CardSource): ReadCard {
  const { format, path, companion } = source
  const facts = new CardFacts(format, path)
  const { store } = format
  const beside = companion === null ? null : (store?.companion?.facts(companion, path) ?? null)
  if (beside !== null) facts.addFacts(beside)
  const own = new OwnTrack()
  const { part: head, rest, isCut } = readHead(source, new PartReader(source, facts, own), facts)
  const wantsMore = facts.wanted.some((what) => what !== 'model')
  facts.isAtEnd = true
  const last = source.tail === null ? rest : linesOf(source.tail)
  const tail =
    last.length === 0 ? null : readLast(last, source, facts, () => new PartReader(source, facts, new OwnTrack(own)))
  // Again, as the last title wins.
  if (beside !== null) facts.addFacts(beside)
  const given = facts.givenTitle(standsTwice(source))
  const title = given ?? facts.promptTitle
  const isWhole = source.tail === null && !isCut
  const begin = earliest(head.times.begin, tail?.times.begin ?? null)
  const end = latest(head.times.end, tail?.times.end ?? null)
  return {
    agent: facts.agent ?? format.agentType,
    sessionId: facts.sessionId ?? store?.sessionOf?.(path) ?? null,
    title,
    titleFrom: title === null ? null : given === null ? 'prompt' : 'agent',
    project: facts.project,
    branch: facts.branch,
    model: facts.model,
    version: facts.version,
    // What is not read may be earlier or later: `SessionCounts` has the times of the whole log.
    startedAt: isWhole || head.times.begin !== null ? begin : null,
    endedAt: (isWhole || tail?.times.end != null ? end : null) ?? facts.endedAt,
    forkedFrom: facts.forkedFrom,
    end: tail === null || tail.end === 'empty' ? (isWhole ? head.end : 'open') : tail.end,
    parentSession: facts.parentSession ?? store?.parentOf?.(path) ?? null,
    wantsMore: wantsMore && (source.tail !== null || isCut)
  }
}

/** Tests whether an id of a record occurs in the log another time. */
function standsTwice({ head, tail }: CardSource): (id: string) => boolean {
  let text: string | null = null
  return (id) => {
    text ??= new TextDecoder().decode(head) + (tail === null ? '' : `\n${new TextDecoder().decode(tail)}`)
    const first = text.indexOf(id)
    return first >= 0 && text.includes(id, first + 1)
  }
}

interface Part {
  readonly end: EndOfSession
  readonly times: StatedTimes
}

/** `part`: up to where all is known; `rest`: later lines; `isCut`: whether the log continues. */
interface Head {
  readonly part: Part
  readonly rest: readonly HeldLine[]
  readonly isCut: boolean
}

type HeldLine = Line & { readonly bytes: Uint8Array }

/** Reads a log until all is known; after that, only titles and the end. */
function readHead({ head, tail, framing, path }: CardSource, part: PartReader, facts: CardFacts): Head {
  let isCut = false
  let rest: HeldLine[] = []
  let restBytes = 0
  let isWhole = true
  // Heads are read in such steps; for packed logs, as much as unpacks at once.
  const mayBeCut = head.length >= headBytes && (head.length % headBytes === 0 || path.endsWith('.zst'))
  const take = (line: Line): void => {
    if (!line.terminated && mayBeCut) {
      isCut = true
      part.recordsOf(line)
    } else if (!part.hasTime || !facts.hasAll) part.line(line)
    else if (line.bytes !== null) hold({ ...line, bytes: head.subarray(line.offset, line.offset + line.length) })
  }
  const hold = (line: HeldLine): void => {
    rest.push(line)
    restBytes += line.length
    if (restBytes < 2 * lastBytes) return
    isWhole = false
    const first = endFrom(rest, lastBytes)
    for (const { bytes } of rest.slice(0, first)) facts.titleIn(bytes, framing)
    rest = rest.slice(first)
    restBytes = sumOf(rest)
  }
  const splitter = framing === 'lines' ? new LineSplitter(take) : new DocumentSplitter(take)
  splitter.push(head)
  if (framing === 'document' && mayBeCut && lastSeen(head) === comma) isCut = true
  // An unterminated line continues after the head.
  if (tail === null || framing === 'document') splitter.end()
  if (tail !== null || isCut) {
    for (const { bytes } of rest) facts.titleIn(bytes, framing)
    rest = []
  } else if (isWhole && restBytes <= lastBytes) {
    for (const line of rest) part.line(line)
    rest = []
  }
  const read = part.read()
  return { part: isWhole ? read : { ...read, end: 'open' }, rest, isCut }
}

/** Bytes read of the end; fewer if they contain the end of the last turn, as mostly. */
const lastBytes = 16 * 1024
const shortBytes = 4 * 1024

/** Reads a few last lines; more if they do not state a time and the end of the turn. */
function readLast(
  lines: readonly HeldLine[],
  { framing }: CardSource,
  facts: CardFacts,
  newPart: () => PartReader
): Part {
  const read = (from: number): Part => {
    const part = newPart()
    for (const line of lines.slice(from)) part.line(line)
    return part.read()
  }
  const from = endFrom(lines, shortBytes)
  for (const { bytes } of lines.slice(0, from)) facts.titleIn(bytes, framing)
  const short = read(from)
  return from === 0 || (short.times.end !== null && short.end !== 'empty' && short.end !== 'open')
    ? short
    : read(endFrom(lines, lastBytes))
}

/** The index of the first of the last lines with at least `bytes` in total. */
function endFrom(lines: readonly HeldLine[], bytes: number): number {
  let from = lines.length
  for (let sum = 0; from > 0 && sum < bytes; from--) sum += lines[from - 1]?.length ?? 0
  return from
}

function sumOf(lines: readonly HeldLine[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0)
}

/** The lines of a tail without its first, partial one. */
function linesOf(tail: Uint8Array): readonly HeldLine[] {
  const begin = tail.indexOf(lineFeed) + 1 || tail.length
  const whole = tail.subarray(begin)
  const lines: HeldLine[] = []
  const splitter = new LineSplitter(({ bytes, ...line }) => {
    if (bytes !== null) lines.push({ ...line, bytes: whole.subarray(line.offset, line.offset + line.length) })
  })
  splitter.push(whole)
  splitter.end()
  return lines
}

const lineFeed = 0x0a
const comma = 0x2c

/** The last byte that is not white space; -1 if none. */
function lastSeen(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0; at--) if ((bytes[at] ?? 0) > 0x20) return bytes[at] ?? -1
  return -1
}

/** Reads lines with the format's reader. */
class PartReader {
  readonly #source: CardSource
  readonly #facts: CardFacts
  readonly #foldedLines: FoldedLines
  readonly #own: OwnTrack
  readonly #end: SessionEnd
  readonly #times = new StatedTimes()

  constructor(source: CardSource, facts: CardFacts, own: OwnTrack) {
    this.#own = own
    this.#source = source
    this.#facts = facts
    const { format } = source
    this.#end = new SessionEnd(format.session?.ends)
    const take = (events: readonly FoldedEvent[]): void => {
      for (const event of events) this.#event(stamp(event, format))
    }
    this.#foldedLines = new FoldedLines(format, { line: ({ events }: ReadLine) => take(events), end: take }, {})
  }

  get hasTime(): boolean {
    return this.#times.begin !== null
  }

  line(line: Line): void {
    const { format, framing } = this.#source
    decodeParts(format, line, framing, (part, decoded) => this.#add(part, decoded))
  }

  /** Reads only the whole records of a line: a log that lost its line ends is one. */
  recordsOf(line: Line): void {
    const { format, framing } = this.#source
    decodeParts(format, line, framing, (part, decoded) => {
      if (decoded.value !== undefined) this.#add(part, decoded)
    })
  }

  #add(line: Line, decoded: DecodedLine): void {
    this.#facts.record(decoded.value)
    this.#foldedLines.add({ ...placeOf(line), terminated: line.terminated }, decoded)
  }

  read(): Part {
    // Emits held lines.
    this.#foldedLines.end()
    return { end: this.#end.end, times: this.#times }
  }

  #event(event: AgentEvent): void {
    this.#times.add(statedTime(event))
    const isOwn = this.#own.has(event)
    if (!isOwn) return
    this.#end.add(event)
    this.#facts.event(event)
  }
}
