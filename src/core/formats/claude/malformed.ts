import type { IssueDraft } from '../issue.ts'
import { malformedDrafts } from '../malformed.ts'
import type { ClaudeDecoded, Step } from './decoded.ts'

/** A line that is not JSON: all that it says are its drafts. */
export function malformedClaudeLine(text: string, issue: IssueDraft, cut: boolean): ClaudeDecoded {
  const drafts = malformedDrafts(text, issue, cut)
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
