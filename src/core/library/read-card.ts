import type { AgentEvent } from '../events/agent-event.ts'
import { decodeLine } from '../formats/decode-line.ts'
import { headBytes } from '../formats/head.ts'
import { LineFolder, type ReadLine } from '../formats/line-folder.ts'
import { type FoldedEvent, type Framing, type LogFormat, placeOf } from '../formats/log-format.ts'
import { soloIdentity } from '../formats/solo-identity.ts'
import { stamp } from '../formats/stamp.ts'
import { DocumentSplitter } from '../lines/document-splitter.ts'
import { type Line, LineSplitter } from '../lines/line-splitter.ts'
import { OwnTrack } from './own-track.ts'
import { type EndOfSession, SessionEnd } from './session-end.ts'
import type { SessionCard } from './session-card.ts'
import { CardFacts } from './card-facts.ts'

/** A log, as far as it takes to tell its card. */
export interface CardSource {
  /** With `/`. */
  readonly path: string
  readonly format: LogFormat
  readonly framing: Framing
  /** Its first bytes, from offset 0 on. */
  readonly head: Uint8Array
  /** Its last bytes, which may begin inside a line; null: the head is all of it, or its end cannot be read by itself (a document, a packed log). */
  readonly tail: Uint8Array | null
  /** What stands in the file that `LogStore.companion` names; null: there is none. */
  readonly companion: string | null
}

/** What the head and the tail of a log tell of its session. */
export interface ReadCard extends Pick<
  SessionCard,
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
  /** Whether its last turn has an end, as far as its tail tells. `open`: it has none, so the session is live or interrupted. */
  readonly end: EndOfSession
  /** The session whose subagent it is. */
  readonly parentSession: string | null
  /** More of the head may tell more: a folder, a prompt or a model is not known. */
  readonly wantsMore: boolean
}

/** Pure; never throws, whatever the bytes are. */
export function readCard(source: CardSource): ReadCard {
  const { format, path, companion } = source
  const facts = new CardFacts(format, path)
  const { store } = format
  const beside = companion === null ? null : (store?.companion?.facts(companion, path) ?? null)
  if (beside !== null) facts.take(beside)
  const own = new OwnTrack()
  const head = readHead(source, new PartReader(source, facts, own), facts)
  const { wanted } = facts
  facts.isAtEnd = true
  const tail =
    source.tail === null ? null : readTail(source.tail, () => new PartReader(source, facts, new OwnTrack(own)))
  // Of titles it has the last one.
  if (beside !== null) facts.take(beside)
  const given = facts.givenTitle(standsTwice(source))
  const title = given ?? facts.promptTitle
  // The model of the last turns does as well, the folder that the agent went to and its last prompts do not.
  const wantsMore = wanted.some((what) => what !== 'model' || facts.model === null)
  const endedAt = (tail ?? head).isCut ? null : (tail ?? head).last
  return {
    sessionId: facts.sessionId ?? store?.sessionOf?.(path) ?? null,
    title,
    titleFrom: title === null ? null : given === null ? 'prompt' : 'agent',
    project: facts.project,
    branch: facts.branch,
    model: facts.model,
    version: facts.version,
    startedAt: head.first,
    // Of a log that states one time, that is when it began.
    endedAt: latest(endedAt === head.first ? null : endedAt, facts.endedAt),
    forkedFrom: facts.forkedFrom,
    end: endOf(head, tail),
    parentSession: facts.parentSession ?? store?.parentOf?.(path) ?? null,
    wantsMore: wantsMore && (tail !== null || head.isCut)
  }
}

/** What the tail tells; where it has nothing of the agent, it is not known how its turn went on. */
function endOf(head: Part, tail: Part | null): EndOfSession {
  if (tail === null) return head.isCut ? 'open' : head.end
  return tail.end === 'empty' ? 'open' : tail.end
}

function latest(a: number | null, b: number | null): number | null {
  return a === null ? b : Math.max(a, b ?? a)
}

/** Says of an id that a record has whether it stands in the log another time. */
function standsTwice({ head, tail }: CardSource): (id: string) => boolean {
  let text: string | null = null
  return (id) => {
    text ??= new TextDecoder().decode(head) + (tail === null ? '' : `\n${new TextDecoder().decode(tail)}`)
    const first = text.indexOf(id)
    return first >= 0 && text.includes(id, first + 1)
  }
}

/** What was read of one end of a log. */
interface Part {
  readonly end: EndOfSession
  /** Times that records state, ms since the epoch. */
  readonly first: number | null
  readonly last: number | null
  /** The log goes on after it. */
  readonly isCut: boolean
}

/** The log, as far as it was read when there was nothing more to find. */
function readHead({ path, head, tail, framing }: CardSource, part: PartReader, facts: CardFacts): Part {
  const cut = { is: false }
  // Heads are read in such steps, and of a packed log as much as unpacks at once.
  const mayBeCut = head.length >= headBytes && (head.length % headBytes === 0 || path.endsWith('.zst'))
  const take = (line: Line): void => {
    if (!line.terminated && mayBeCut) cut.is = true
    else part.line(line)
  }
  // What has a tail is read up to where all is known; else its end has to be found as well.
  const stopsEarly = tail !== null
  if (framing === 'lines') {
    const splitter = new LineSplitter(take)
    let from = 0
    while (from < head.length && !(stopsEarly && part.hasTime && facts.hasAll)) {
      const to = lineEndAfter(head, from)
      splitter.push(head.subarray(from, to))
      from = to
    }
    if (stopsEarly && from < head.length) facts.titlesIn(head.subarray(from))
    if (tail === null) splitter.end()
  } else {
    const splitter = new DocumentSplitter(take)
    splitter.push(head)
    if (mayBeCut && lastSeen(head) === comma) cut.is = true
    splitter.end()
  }
  return { ...part.read(tail === null && !cut.is), isCut: cut.is }
}

/** So much of the tail is read first: it mostly has the end of the last turn. */
const shortTail = 16 * 1024

/** The last whole lines: few, and more of them where those say neither when they were written nor what the agent did. */
function readTail(tail: Uint8Array, newPart: () => PartReader): Part {
  const short = readLast(tail.subarray(-shortTail), newPart())
  const isTold = short.last !== null && short.end !== 'empty'
  return isTold || tail.length <= shortTail ? short : readLast(tail, newPart())
}

function readLast(bytes: Uint8Array, part: PartReader): Part {
  const splitter = new LineSplitter((line) => part.line(line))
  // The first line may begin anywhere.
  splitter.push(bytes.subarray(bytes.indexOf(lineFeed) + 1 || bytes.length))
  splitter.end()
  return { ...part.read(true), isCut: false }
}

const lineFeed = 0x0a
const comma = 0x2c

function lineEndAfter(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(lineFeed, from)
  return at < 0 ? bytes.length : at + 1
}

/** The last byte that is no white space; -1 for none. */
function lastSeen(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0; at--) if ((bytes[at] ?? 0) > 0x20) return bytes[at] ?? -1
  return -1
}

/** Puts lines through the format's own reader. */
class PartReader {
  readonly #source: CardSource
  readonly #facts: CardFacts
  readonly #folder: LineFolder
  readonly #own: OwnTrack
  readonly #end: SessionEnd
  #first: number | null = null
  #last: number | null = null

  constructor(source: CardSource, facts: CardFacts, own: OwnTrack) {
    this.#own = own
    this.#source = source
    this.#facts = facts
    const { format } = source
    this.#end = new SessionEnd(format.session?.ends)
    const identity = soloIdentity(format.agentType)
    const take = (events: readonly FoldedEvent[]): void => {
      for (const event of events) this.#event(stamp(event, format.agentType, identity))
    }
    this.#folder = new LineFolder(format, { line: ({ events }: ReadLine) => take(events), end: take }, {})
  }

  get hasTime(): boolean {
    return this.#first !== null
  }

  line(line: Line): void {
    const { format, framing } = this.#source
    const decoded = decodeLine(format, line, framing)
    this.#facts.record(decoded.value)
    const time = decoded.decoded?.time
    if (time !== undefined) this.#time(time)
    this.#folder.add({ ...placeOf(line), terminated: line.terminated }, decoded)
  }

  /** `isEnd`: the log ends here. */
  read(isEnd: boolean): Omit<Part, 'isCut'> {
    // What is held comes out only so.
    this.#folder.end()
    return { end: isEnd ? this.#end.end : 'open', first: this.#first, last: this.#last }
  }

  #event(event: AgentEvent): void {
    if (event.timestampFrom === undefined && event.timestamp > 0) this.#time(event.timestamp)
    const isOwn = this.#own.has(event)
    if (!isOwn) return
    this.#end.add(event)
    this.#facts.event(event)
  }

  /** Times go back in real logs. */
  #time(time: number): void {
    this.#first = Math.min(this.#first ?? time, time)
    this.#last = Math.max(this.#last ?? time, time)
  }
}
