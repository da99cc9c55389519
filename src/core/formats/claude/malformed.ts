import type { IssueDraft } from '../issue.ts'
import type { ClaudeDecoded, Step } from './decoded.ts'
import type { EventDraft } from '../log-format.ts'

/**
 * A line that is not JSON: an error event and the line as unparsed text; where the source was cut inside it, the text alone
 * (seed claude-parser-todowrite 5). A line too long to be read has no text.
 */
export function malformedClaudeLine(text: string, issue: IssueDraft, cut: boolean): ClaudeDecoded {
  const drafts: EventDraft[] = []
  if (!cut || text === '') {
    drafts.push({ type: 'error', error: `Failed to parse JSONL: ${issue.message}`, code: 'JSONL_PARSE_ERROR' })
  }
  if (text !== '') drafts.push({ type: 'text', text, category: 'unparsed' })
  return {
    drafts,
    issues: [issue],
    steps: drafts.map((_, body): Step => ({ kind: 'event', body })),
    time: undefined,
    sessionId: undefined,
    uuid: undefined,
    retracts: [],
    parentToolUseId: undefined,
    message: undefined
  }
}
