import type { IssueDraft } from '../issue.ts'
import type { EventDraft } from '../log-format.ts'

/**
 * What a line that is not JSON means: an error event; where the source was cut inside it, its text (seed gemini-parser-write-todos 5,
 * `parseChunk` and `flush`). Unlike Claude's there is no text of a whole line: what stderr says between the records is none of the
 * agent's. A line too long to be read has no text.
 */
export function malformedDrafts(text: string, issue: IssueDraft, cut: boolean): readonly [EventDraft] {
  if (cut && text !== '') return [{ type: 'text', text, category: 'unparsed' }]
  return [{ type: 'error', error: `Failed to parse JSONL: ${issue.message}`, code: 'JSONL_PARSE_ERROR' }]
}
