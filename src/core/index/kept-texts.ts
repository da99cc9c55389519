import type { Decoded, EventDraft } from '../formats/log-format.ts'

/** So much of a prompt is read: more than any label is made of. */
const readOfPrompt = 1024

/** How outputs begin that may state how a command ended, as `toolOutput` reads it: such a one may be a failure. */
const mayStateEnd =
  /^(?:[{<]|[Ee]xit code|Process |Script |Chunk ID: |Wall time|Original token|Total output|Output: |Command: )/

/**
 * Whether an index or a fold keeps, or may read, more of a text in a record than the beginning that `LongTexts` leave of it. `decoded` may be
 * made of the record with its texts cut.
 */
export function keepsTexts({ drafts, joins }: Decoded): boolean {
  // Pieces of a text are put together by the fold.
  return joins === true || drafts.some(isKept)
}

function isKept(draft: EventDraft): boolean {
  switch (draft.type) {
    case 'turn.completed':
    case 'todo_list':
      return true
    case 'text':
      // A prompt is what a track is called by.
      return draft.role === 'user' && draft.text.length < readOfPrompt
    case 'tool.completed':
      return draft.output !== undefined && mayStateEnd.test(draft.output)
    default:
      return false
  }
}
