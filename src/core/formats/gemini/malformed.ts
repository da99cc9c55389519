import type { IssueDraft } from '../issue.ts'
import type { EventDraft } from '../log-format.ts'
import { malformedDrafts as errorThenText } from '../malformed.ts'

/** Without the text, as stderr is mixed in: docs/formats/README.md#a-line-that-is-not-json-is-an-error. */
export function malformedDrafts(text: string, issue: IssueDraft, cut: boolean): readonly EventDraft[] {
  return errorThenText(text, issue, cut).slice(0, 1)
}
