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
  // `assign`, never spread: the result of a spread is ten times as slow to make, and slow to read.
  return Object.assign({}, decoded, { drafts: outlinesOf(decoded) })
}

function outlinesOf({ drafts, joins }: Decoded): readonly EventDraft[] {
  if (drafts.length === 0) return drafts
  // Pieces of a text are put together by the fold.
  return drafts.map((draft, body) => (joins === true && body === 0 ? draft : outlineOfDraft(draft)))
}

/** Todo lists and the ends of turns are small, and a fold makes events of them. */
function outlineOfDraft(draft: EventDraft): EventDraft {
  switch (draft.type) {
    case 'text':
      // A prompt is what a track is called by.
      return Object.assign({}, draft, { text: draft.role === 'user' ? draft.text.slice(0, keptLength) : '' })
    case 'tool.started':
      return Object.assign({}, draft, {
        toolName: draft.toolName.slice(0, keptLength),
        input: textsIn(draft.input)
      })
    case 'tool.completed':
      return Object.assign({}, draft, draft.error === undefined ? { output: '' } : { error: '' })
    case 'error':
      return Object.assign({}, draft, draft.stack === undefined ? { error: '' } : { error: '', stack: '' })
    case 'session.started':
      return draft.tools === undefined ? draft : Object.assign({}, draft, { tools: [] })
    case 'turn.completed':
    case 'todo_list':
      return draft
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
