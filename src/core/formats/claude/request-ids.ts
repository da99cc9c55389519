import { Column } from '../../column.ts'
import { dropOldest } from '../../drop-oldest.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import { textHash } from '../text-hash.ts'

/** What a line states about the request that its message answers. */
export interface Answer {
  /** Of the message. */
  readonly id: string | undefined
  readonly requestId: string | undefined
  /** All tokens sent, cached or not; 0 if not stated. */
  readonly sent: number
  /** It says why it stopped. */
  readonly stopped: boolean
}

/** The last request of a track. */
interface CurrentRequest {
  readonly number: number
  readonly id: string
  requestId: string | undefined
  sent: number
  stopped: boolean
  /** A result or a prompt followed. */
  closed: boolean
  /** The log says where each message begins. */
  readonly announced: boolean
}

/** Limit of tracks with a current request. */
const mostTracks = 1000

/** Numbers requests to the model, each once: docs/formats/claude-stream-json.md#one-id-is-not-always-one-request. */
export class RequestIds {
  /** By message id, and by both ids. */
  private readonly known = new HashNumbers(8)
  /** By the numbers of `known`: the last request of such an id. */
  private readonly requests = new Column('uint32', 8)
  /** By request. */
  private readonly sent = new Column('uint32', 8)
  private readonly named = new Column('uint8', 8)
  private readonly current = new Map<string, CurrentRequest>()

  /** A result, a prompt or a turn's end on a track: its last message is complete, unless the log announces messages. */
  close(track: string): void {
    const last = this.current.get(track)
    if (last?.announced === false) last.closed = true
  }

  /** A process or a turn ended: what it announced ends too. */
  end(track: string): void {
    this.current.delete(track)
  }

  /** A message begins on a track: it answers a request of its own. */
  announce(track: string, id: string | undefined): void {
    if (id === undefined) return this.end(track)
    const begun = { requestId: undefined, sent: 0, stopped: false }
    // Its lines tell how it is named.
    this.setCurrent(track, this.add({ id: undefined, ...begun }), { id, ...begun }, true)
  }

  /** The request that is being answered on a track, if any. */
  currentOf(track: string): number | undefined {
    return this.current.get(track)?.number
  }

  /** The number of the request that a line answers: a new one is above all others. */
  numberOf(track: string, answer: Answer): number {
    const last = this.current.get(track)
    if (last !== undefined && continues(last, answer)) {
      last.requestId ??= answer.requestId
      if (answer.sent > 0) last.sent = answer.sent
      last.stopped = answer.stopped
      this.note(last.number, answer)
      return last.number
    }
    const number = this.copyOf(answer) ?? this.add(answer)
    this.setCurrent(track, number, answer, false)
    return number
  }

  private setCurrent(track: string, number: number, answer: Answer, announced: boolean): void {
    const { id, requestId, sent, stopped } = answer
    // Without an id every line is a message.
    if (id === undefined) return this.end(track)
    this.current.set(track, { number, id, requestId, sent, stopped, closed: false, announced })
    dropOldest(this.current, this.current.size - mostTracks)
  }

  /** A request that other lines answered before: in a fork, in the file of a subagent. */
  private copyOf({ id, requestId, sent }: Answer): number | undefined {
    if (id === undefined) return undefined
    if (requestId !== undefined) {
      const same = this.requestOf(pairOf(id, requestId))
      if (same !== undefined && (isUnique(id) || !this.differs(same, sent))) return same
    }
    const last = this.requestOf(id)
    if (last === undefined || this.differs(last, sent)) return undefined
    const isNamed = this.named.at(last) === 1
    if (isNamed && requestId !== undefined) return undefined
    return isUnique(id) || isNamed || requestId !== undefined ? last : undefined
  }

  private differs(request: number, sent: number): boolean {
    return areDifferent(this.sent.at(request), sent)
  }

  private requestOf(id: string): number | undefined {
    const number = this.known.numberOf(textHash(id))
    return number < 0 ? undefined : this.requests.at(number)
  }

  private add(answer: Answer): number {
    const number = this.sent.length
    this.sent.push(0)
    this.named.push(0)
    this.note(number, answer)
    return number
  }

  private note(number: number, { id, requestId, sent }: Answer): void {
    if (sent > 0) this.sent.set(number, sent)
    if (id === undefined) return
    this.name(id, number)
    if (requestId === undefined || this.named.at(number) === 1) return
    this.named.set(number, 1)
    this.name(pairOf(id, requestId), number)
  }

  private name(id: string, number: number): void {
    const known = this.known.numberFor(textHash(id))
    if (known < 0) return
    if (known === this.requests.length) this.requests.push(number)
    else this.requests.set(known, number)
  }
}

/** Whether a line goes on with the last message of its track. */
function continues(last: CurrentRequest, { id, requestId, sent }: Answer): boolean {
  if (last.id !== id) return false
  const isNamed = last.requestId !== undefined && requestId !== undefined
  if (isNamed && last.requestId !== requestId) return false
  if (isNamed && isUnique(id)) return true
  const differ = areDifferent(last.sent, sent)
  if (!last.closed) return last.announced || !differ || !last.stopped || isUnique(id)
  // A tool may answer before the next block of its message is written.
  return !differ && (isUnique(id) || last.requestId !== undefined || requestId !== undefined)
}

/** Writers that do not know the tokens yet state 0. */
function areDifferent(a: number, b: number): boolean {
  return a > 0 && b > 0 && a !== b
}

function pairOf(id: string, requestId: string): string {
  return `${id} ${requestId}`
}

/** Minimum of characters of a random part, and of different ones and digits among them. */
const leastRandom = 16
const leastDifferent = 8
const leastDigits = 2

/** Whether an id looks as if nobody gives it twice: `msg_01XFDUDYJgAACzvnptvVoYEL`, a UUID. */
export function isUnique(id: string): boolean {
  const random = id.replace(/^[a-z]+[_-]/i, '').replace(/[^0-9a-z]/gi, '')
  return (
    random.length >= leastRandom &&
    new Set(random).size >= leastDifferent &&
    random.replace(/\D/g, '').length >= leastDigits
  )
}
