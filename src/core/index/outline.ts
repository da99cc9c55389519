import type { Decoded, EventDraft } from '../formats/log-format.ts'
import type { JsonObject } from '../json.ts'
import { taskKeys } from './track-list.ts'

/** Of a text this much is kept: more than any label is made of. */
const keptLength = 1024

/**
 * What folds and the index need of a decoded line, without its long texts, so that it can be handed to another thread. An event made
 * of an outline has the draft's place (`FoldedEvent.body`), its type, ids and small fields; what the agent said, a tool's input and
 * its output have to be read again.
 */
export function outlineOf<D extends Decoded>(decoded: D): D {
  const outlines = outlinesOf(decoded)
  // Field by field: the result of a spread is ten times as slow to make, and slow to read.
  const outline: Record<string, unknown> = {}
  for (const key in decoded) outline[key] = key === 'drafts' ? outlines : decoded[key]
  return outline as unknown as D
}

/** Whether an outline keeps so much of a text that it has to be made of the whole record, not of one with its `LongTexts` cut. */
export function keepsTexts({ drafts, joins }: Decoded): boolean {
  return joins === true || drafts.some(isKept)
}

function isKept(draft: EventDraft): boolean {
  switch (draft.type) {
    case 'turn.completed':
    case 'todo_list':
      return true
    default:
      return isPrompt(draft) && draft.text.length < keptLength
  }
}

/** A prompt is what a track is called by. */
function isPrompt(draft: EventDraft): draft is EventDraft & { readonly type: 'text' } {
  return draft.type === 'text' && draft.role === 'user'
}

function outlinesOf({ drafts, joins }: Decoded): readonly EventDraft[] {
  if (drafts.length === 0) return drafts
  const outlines: EventDraft[] = []
  for (let body = 0; body < drafts.length; body++) {
    const draft = drafts[body] as EventDraft
    // Pieces of a text are put together by the fold.
    outlines.push(joins === true && body === 0 ? draft : outlineOfDraft(draft))
  }
  return outlines
}

/** Todo lists and the ends of turns are small, and a fold makes events of them. */
function outlineOfDraft(draft: EventDraft): EventDraft {
  switch (draft.type) {
    case 'turn.completed':
    case 'todo_list':
      return draft
    default:
      return withoutLongTexts(draft)
  }
}

function withoutLongTexts(draft: EventDraft): EventDraft {
  const outline: Record<string, unknown> = {}
  for (const key in draft) outline[key] = outlineOfField(draft, key)
  return outline as unknown as EventDraft
}

const noTools: readonly string[] = []

function outlineOfField(draft: EventDraft, key: string): unknown {
  const value = (draft as unknown as Record<string, unknown>)[key]
  switch (key) {
    case 'text':
      return isPrompt(draft) ? draft.text.slice(0, keptLength) : ''
    case 'toolName':
      return draft.type === 'tool.started' ? draft.toolName.slice(0, keptLength) : value
    case 'input':
      return draft.type === 'tool.started' ? textsIn(draft.input) : value
    case 'output':
    case 'error':
    case 'stack':
      // Whether there is one tells a row's kind.
      return value === undefined ? undefined : ''
    case 'tools':
      return value === undefined ? undefined : noTools
    default:
      return value
  }
}

/** What a track is called by. */
function textsIn(input: JsonObject): JsonObject {
  const texts: Record<string, string> = {}
  for (const key of taskKeys) {
    const text = input[key]
    if (typeof text === 'string') texts[key] = text.slice(0, keptLength)
  }
  return texts
}
