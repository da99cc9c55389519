import { HostError } from '#contract/host-error.ts'
import type { Handlers, Result } from '#contract/methods.ts'
import { withoutExports, withoutLibrary, withoutRuns } from '#contract/refused-methods.ts'
import type { FixedLog } from './fixed-log.ts'

/** The handlers of a host with one fixed log. The page stores its reviews (`share/page-reviews.ts`). */
export function fixedLogHandlers<H>(log: FixedLog<H>, capabilities: Result<'host.capabilities'>): Handlers {
  const refuse = async (): Promise<never> => {
    throw new HostError('unavailable', 'This page shows the log that was shared with it. Open other logs in Playhead.')
  }
  return {
    ...log.answers,
    ...withoutRuns('This page shows the log that was shared with it. Start agents in Playhead.'),
    ...withoutLibrary('This page shows the log that was shared with it. Open Playhead to see other sessions.'),
    ...withoutExports('This page is an export itself. Save the page, or open its log in Playhead.'),
    'host.capabilities': async () => capabilities,
    'log.list': async () => ({ logs: [log.status] }),
    'log.open': refuse,
    'log.close': refuse,
    'log.status': async () => log.status,
    'review.get': refuse,
    'review.set': refuse,
    'recent.list': async () => ({ recent: [] }),
    'dialog.open': refuse
  }
}
