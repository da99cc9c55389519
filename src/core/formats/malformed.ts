import type { IssueDraft } from './issue.ts'
import type { EventDraft } from './log-format.ts'

/**
 * Drafts of a line that is not JSON: docs/formats/README.md#a-line-that-is-not-json-is-an-error. `cut`: the source
 * ended inside it. A line too long to read has no text.
 */
export function malformedDrafts(text: string, issue: IssueDraft, cut: boolean): readonly EventDraft[] {
  const drafts: EventDraft[] = []
  if (!cut || text === '') {
    drafts.push({ type: 'error', error: `Failed to parse JSONL: ${issue.message}`, code: 'JSONL_PARSE_ERROR' })
  }
  if (text !== '') drafts.push({ type: 'text', text, category: 'unparsed' })
  return drafts
}
