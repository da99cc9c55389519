import { type Handlers, HostError, type Result } from '#contract/methods.ts'
import type { Review } from '#core/replay/review.ts'
import type { FixedLog } from './fixed-log.ts'
import { LogReviews } from './log-reviews.ts'

/** What a host answers that has one log, which does not change, and no way to open another. Whatever is asked of a log is asked of this one. */
export function fixedLogHandlers<H>(log: FixedLog<H>, capabilities: Result<'host.capabilities'>): Handlers {
  const refuse = async (): Promise<never> => {
    throw new HostError('unavailable', 'This page shows the log that was shared with it. Open other logs in Playhead.')
  }
  let review: Review = { bookmarks: [], breakpoints: [] }
  // It lasts as long as the page.
  const store = { get: async () => review, set: async (_: string, next: Review) => void (review = next) }
  const reviews = new LogReviews(store, () => {})
  return {
    ...log.answers,
    'host.capabilities': async () => capabilities,
    'log.list': async () => ({ logs: [log.status] }),
    'log.open': refuse,
    'log.close': refuse,
    'log.status': async () => log.status,
    'review.get': async () => await reviews.get(log.status),
    'review.set': async ({ log: _, ...change }) => await reviews.set(log.status, change, () => []),
    'recent.list': async () => ({ recent: [] }),
    'dialog.open': refuse
  }
}
