import type { IssueDraft } from './issue.ts'
import type { EventDraft } from './log-format.ts'

/**
 * What a line that is not JSON means: an error event and the line as unparsed text; where the source was cut inside it, the text
 * alone (seed claude-parser-todowrite 5). A line too long to be read has no text.
 */
export function malformedDrafts(text: string, issue: IssueDraft, cut: boolean): readonly EventDraft[] {
  const drafts: EventDraft[] = []
  if (!cut || text === '') {
    drafts.push({ type: 'error', error: `Failed to parse JSONL: ${issue.message}`, code: 'JSONL_PARSE_ERROR' })
  }
  if (text !== '') drafts.push({ type: 'text', text, category: 'unparsed' })
  return drafts
}
