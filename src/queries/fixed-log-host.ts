import { type Handlers, HostError, type Notice, type NoticeName, type Result } from '#contract/methods.ts'
import { withoutRuns } from '#contract/without-runs.ts'
import type { FixedLog } from './fixed-log.ts'
import { LogReviews, type ReviewStore } from './log-reviews.ts'

/** What a host of one log has beside the log. */
export interface FixedLogHost {
  readonly capabilities: Result<'host.capabilities'>
  /** Asked with the log's name. */
  readonly reviews: ReviewStore
  notify<N extends NoticeName>(name: N, payload: Notice<N>): void
}

/** What a host answers that has one log, which does not change, and no way to open another. Whatever is asked of a log is asked of this one. */
export function fixedLogHandlers<H>(log: FixedLog<H>, host: FixedLogHost): Handlers {
  const refuse = async (): Promise<never> => {
    throw new HostError('unavailable', 'This page shows the log that was shared with it. Open other logs in Playhead.')
  }
  const reviews = new LogReviews(host.reviews, (name, payload) => host.notify(name, payload))
  return {
    ...log.answers,
    ...withoutRuns('This page shows the log that was shared with it. Start agents in Playhead.'),
    'host.capabilities': async () => host.capabilities,
    'log.list': async () => ({ logs: [log.status] }),
    'log.open': refuse,
    'log.close': refuse,
    'log.status': async () => log.status,
    'review.get': async () => await reviews.get(log.status),
    'review.set': async (change) => await reviews.set(log.status, change, () => [log.status]),
    'recent.list': async () => ({ recent: [] }),
    'dialog.open': refuse
  }
}
