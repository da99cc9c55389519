import type { IssueDraft } from './issue.ts'
import type { EventDraft } from './log-format.ts'

/** Limit of reported unknown parts: a line of 100 MB may contain millions. */
const maxUnknownParts = 100

/** Collects the drafts and issues of one record. */
export class RecordBuilder {
  readonly drafts: EventDraft[] = []
  readonly issues: IssueDraft[] = []
  #unknownParts = 0

  /** Adds a draft; returns its index. */
  draft(draft: EventDraft): number {
    return this.drafts.push(draft) - 1
  }

  /** Reports an unknown part; above the limit once that there are more. */
  unknownPart(path: string, message: string, parts = 'parts in this record'): void {
    this.#unknownParts += 1
    if (this.#unknownParts > maxUnknownParts + 1) return
    const more = `more than ${maxUnknownParts} such ${parts}; further ones are not reported`
    this.issues.push({ code: 'UnknownBlock', path, message: this.#unknownParts > maxUnknownParts ? more : message })
  }
}
