import type { IssueDraft } from '../issue.ts'
import type { EventDraft } from '../log-format.ts'
import { malformedDrafts as errorThenText } from '../malformed.ts'

/**
 * docs/formats/README.md#a-line-that-is-not-json-is-an-error: of a whole line the error alone, as stderr speaks between the records.
 */
export function malformedDrafts(text: string, issue: IssueDraft, cut: boolean): readonly EventDraft[] {
  return errorThenText(text, issue, cut).slice(0, 1)
}
