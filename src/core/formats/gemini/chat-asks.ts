import { askIdOf } from '../../dialogue/ask-id.ts'
import { askNoteOf } from '../../dialogue/ask-note.ts'
import { askedText, type Decision, decisionText } from '../../dialogue/permission-text.ts'
import { sentNoteOf, sentRecord } from '../../dialogue/sent-note.ts'
import { dropOldest } from '../../drop-oldest.ts'
import { type JsonObject, objectAt, stringAt } from '../../json.ts'
import type { EventSequence } from '../event-sequence.ts'
import { instantOfMs } from '../instant.ts'
import type { FoldResult, LinePosition } from '../log-format.ts'
import type { ChatDecoded } from './chat-decoded.ts'

/** The options of a request that are ever chosen. Others are kept in the settings of the user. */
export const allowOnce = 'proceed_once'
export const allowForRun = 'proceed_always'
export const refuse = 'cancel'

/** Open asks that are remembered. */
const mostAsks = 1000

/** A line of `dialogue.jsonl`; null for another record: docs/formats/gemini-chat.md#asks-stand-beside-the-chat. */
export function readDialogueLine(value: JsonObject): ChatDecoded | null {
  // Records of chats have no such member.
  if (!('by' in value)) return null
  const note = askNoteOf(value)
  if (note !== null) {
    const { at, asked, withdrawn } = note
    if (asked === null) return decided(at, withdrawn ?? '', { kind: 'withdrawn' })
    const { id, toolId, tool, about } = asked
    const record = { kind: 'ask', ask: id, callId: toolId ?? undefined } as const
    return { ...placeOf(at), drafts: [askedText(tool, about)], issues: [], record }
  }
  const sent = sentNoteOf(value)
  if (sent === null) return null
  const line = sentRecord(sent) ?? {}
  const decision = decisionIn(line)
  if (decision !== null) return decided(sent.at, askIdOf(line['id']), decision)
  return { ...placeOf(sent.at), drafts: [], issues: [], record: { kind: 'other', sessionId: undefined } }
}

function decided(at: number, ask: string, decision: Decision): ChatDecoded {
  return { ...placeOf(at), drafts: [decisionText(decision)], issues: [], record: { kind: 'decision', ask } }
}

/** What was sent in a ms comes before what the agent did then. */
function placeOf(at: number): Pick<ChatDecoded, 'time' | 'order'> {
  const time = instantOfMs(at)
  return { time, order: time === undefined ? undefined : time - 0.5 }
}

/** Null: it answers no request for a permission. */
function decisionIn(sent: JsonObject): Decision | null {
  if ('method' in sent) return null
  const error = objectAt(sent, 'error')
  if (error !== undefined) return { kind: 'refused', message: stringAt(error, 'message') ?? '' }
  const { outcome, optionId } = objectAt(objectAt(sent, 'result') ?? {}, 'outcome') ?? {}
  if (outcome === 'cancelled') return { kind: 'withdrawn' }
  if (outcome !== 'selected') return null
  if (optionId === allowOnce) return { kind: 'allowed', scope: 'once' }
  if (optionId === allowForRun) return { kind: 'allowed', scope: 'run' }
  if (optionId === refuse) return { kind: 'refused', message: '' }
  return { kind: 'answered', text: '' }
}

/** What was asked and decided, beside a chat or among its lines. */
export class ChatAsks {
  /** The calls of open asks, by the ids of the asks. */
  private readonly open = new Map<string, string | undefined>()

  /** `sequence`: of the file that the line is in. `sessionId`: of the chat. */
  add(
    sequence: EventSequence,
    at: LinePosition,
    { record, drafts, time }: ChatDecoded,
    sessionId: string | undefined
  ): FoldResult {
    const emit = (callId: string | undefined): void => {
      for (const [body, draft] of drafts.entries()) sequence.emit(draft, body, undefined, { callId })
    }
    sequence.begin(at, time, sessionId)
    sequence.idScope = undefined
    if (record.kind === 'ask') {
      this.open.set(record.ask, record.callId)
      dropOldest(this.open, this.open.size - mostAsks)
      emit(record.callId)
    } else if (record.kind === 'decision' && this.open.has(record.ask)) {
      emit(this.open.get(record.ask))
      this.open.delete(record.ask)
    } else if (record.kind === 'other') emit(undefined)
    return sequence.drain()
  }
}
