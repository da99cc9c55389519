import type { IssueDraft } from '../issue.ts'
import type { EventDraft } from '../log-format.ts'
import { malformedDrafts as errorThenText } from '../malformed.ts'

/**
 * What a line that is not JSON means: an error event; where the source was cut inside it, its text (seed gemini-parser-write-todos 5,
 * `parseChunk` and `flush`). Unlike other agents' such a line is no text besides: stderr speaks between the records.
 */
export function malformedDrafts(text: string, issue: IssueDraft, cut: boolean): readonly EventDraft[] {
  return errorThenText(text, issue, cut).slice(0, 1)
}
