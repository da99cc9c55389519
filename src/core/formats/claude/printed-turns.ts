import { Column } from '../../column.ts'
import { type JsonObject, stated } from '../../json.ts'
import type { RequestNote } from '../../requests/request-note.ts'
import { sentOf, tokensOf } from '../../requests/tokens.ts'
import { textHash } from '../text-hash.ts'
import type { ClaudeState } from './claude-state.ts'
import type { ClaudeDecoded, MessageFacts, TurnEndStep } from './decoded.ts'
import { tierOf } from './request-tier.ts'

/** A turn whose result is not printed yet. */
interface OpenTurn {
  readonly session: string | undefined
  /** Tokens sent, by the number of the request. */
  readonly requests: Map<number, number>
  /** The sign of its last text; 0 without one. */
  said: number
  /** Further lines of the session belong to it. */
  goesOn: boolean
}

/** Limit of turns without a result: those of processes that were killed. */
const mostTurns = 64

/** The requests of a printed run, and which of them a `result` is about: docs/formats/claude-stream-json.md#a-result-may-be-late. */
export class PrintedTurns {
  private readonly state: ClaudeState
  private turns: OpenTurn[] = []
  /** By number: 1 for the requests of all turns so far. */
  private readonly added = new Column('uint8', 8)

  constructor(state: ClaudeState) {
    this.state = state
  }

  /** A turn begins. */
  begin(): void {
    this.state.endRequests()
    for (const turn of this.turns) {
      if (turn.session === this.state.sessionId) turn.goesOn = turn.requests.size === 0
    }
    this.latest()
  }

  /** A message states its output as of the start of its answer, unless it has a stop reason; its input is final. */
  answer(message: MessageFacts, { drafts }: ClaudeDecoded, trackId: string | undefined): void {
    const text = drafts.findLast((draft) => draft.type === 'text' && draft.category === 'assistant-message')
    if (trackId === undefined && text?.type === 'text') this.latest().said = signOf(text.text)
    const { voice, model, usage, stopReason, written } = message
    if (usage === undefined || voice !== 'model') return
    const { output, reasoning, ...sent } = tokensOf(usage)
    const request = this.state.requestOf(message, sent, trackId)
    const tier = stated({ tier: tierOf(usage) })
    if (stopReason === undefined) {
      // Some writers state zeros until the turn's end.
      const known = sentOf(sent) === 0 ? {} : sent
      this.note(request, { trackId, model, tokens: known, ...tier })
    } else this.note(request, { trackId, model, tokens: { ...sent, output, reasoning }, written, ...tier })
  }

  /** The streamed message states its usage. */
  stream(usage: JsonObject, trackId: string | undefined): void {
    const request = this.state.currentRequest(trackId)
    if (request !== undefined) this.note(request, { trackId, tokens: tokensOf(usage) })
  }

  /** A result states the tokens of its turn. */
  end({ body, windows, firstTokenMs }: TurnEndStep, { drafts }: ClaudeDecoded, model: string | undefined): void {
    this.state.endRequests()
    const draft = drafts[body]
    if (draft?.type !== 'turn.completed') return
    const tokens = draft.usage === undefined ? {} : tokensOf(draft.usage)
    const text = drafts.find((said) => said.type === 'text')?.text ?? ''
    const requests = this.ended(sentOf(tokens) ?? 0, text)
    this.state.noteTurn({ model, tokens, windows, firstTokenMs }, requests)
  }

  private note(request: number, note: Omit<RequestNote, 'about' | 'key'>): void {
    if (note.trackId === undefined) this.add(request, sentOf(note.tokens) ?? 0)
    this.state.note(request, note)
  }

  private add(request: number, sent: number): void {
    const known = this.turns.findLast(({ requests }) => requests.has(request))
    while (this.added.length <= request) this.added.push(0)
    // A line after the result of its turn changes nothing.
    if (known === undefined && this.added.at(request) === 1) return
    this.added.set(request, 1)
    if (sent > 0 || known === undefined) (known ?? this.latest()).requests.set(request, sent)
  }

  private latest(): OpenTurn {
    const session = this.state.sessionId
    const known = this.turns.findLast((turn) => turn.goesOn && turn.session === session)
    if (known !== undefined) return known
    const turn: OpenTurn = { session, requests: new Map(), said: 0, goesOn: true }
    this.turns.push(turn)
    if (this.turns.length > mostTurns) this.turns.shift()
    return turn
  }

  /** The requests of the turn that ends, by their numbers. `sent`: what they sent; `text`: the last answer. */
  private ended(sent: number, text: string): readonly number[] {
    const { sessionId } = this.state
    const ofSession = this.turns.filter(({ session }) => session === sessionId)
    const open = ofSession.length > 0 ? ofSession : this.turns.filter(({ session }) => session === undefined)
    const turns = named(open, sent, text) ?? (sent > 0 ? exactly(open, sent) : undefined) ?? this.split(open, sent)
    const ended = turns ?? likely(open, sent)
    this.turns = this.turns.filter((turn) => !ended.includes(turn))
    return ended.flatMap(({ requests }) => [...requests.keys()])
  }

  /** A turn whose first requests sent exactly so much. The others become a turn of their own. */
  private split(open: readonly OpenTurn[], sent: number): readonly OpenTurn[] | undefined {
    if (sent === 0) return undefined
    for (const turn of open) {
      let sum = 0
      let count = 0
      for (const tokens of turn.requests.values()) {
        sum += tokens
        count += 1
        if (sum >= sent) break
      }
      if (sum !== sent) continue
      const rest = [...turn.requests].slice(count)
      for (const [request] of rest) turn.requests.delete(request)
      this.turns.splice(this.turns.indexOf(turn) + 1, 0, { ...turn, requests: new Map(rest), goesOn: false })
      return [turn]
    }
    return undefined
  }
}

/** A turn with this text that sent exactly so much, or the only one with it, if it did not send more. */
function named(open: readonly OpenTurn[], sent: number, text: string): readonly OpenTurn[] | undefined {
  const sign = signOf(text)
  const alike = text === '' ? [] : open.filter(({ said }) => said === sign)
  const turn =
    alike.find((one) => sentBy(one) === sent) ?? (alike.length === 1 ? alike.find((one) => sentBy(one) <= sent) : null)
  return turn ? [turn] : undefined
}

/** Turns that follow each other and sent exactly so much: the oldest one, else the oldest ones. */
function exactly(open: readonly OpenTurn[], sent: number): readonly OpenTurn[] | undefined {
  const sums = open.map(sentBy)
  const one = open[sums.indexOf(sent)]
  if (one !== undefined) return [one]
  for (let from = 0; from < open.length - 1; from++) {
    let sum = 0
    for (let to = from; to < open.length && sum < sent; to++) {
      sum += sums[to] ?? 0
      if (sum === sent) return open.slice(from, to + 1)
    }
  }
  return undefined
}

/** The latest turn that did not send more, else the latest one. */
function likely(open: readonly OpenTurn[], sent: number): readonly OpenTurn[] {
  const turn = open.findLast((one) => sentBy(one) <= sent) ?? open.at(-1)
  return turn === undefined ? [] : [turn]
}

function sentBy({ requests }: OpenTurn): number {
  let sum = 0
  for (const sent of requests.values()) sum += sent
  return sum
}

/** Never 0. */
function signOf(text: string): number {
  return textHash(text.slice(0, 60)) + text.length + 1
}
