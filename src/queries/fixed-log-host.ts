import { type Handlers, HostError, type Result } from '#contract/methods.ts'
import type { FixedLog } from './fixed-log.ts'

/** What a host answers that has one log, which does not change, and no way to open another. Whatever is asked of a log is asked of this one. */
export function fixedLogHandlers<H>(log: FixedLog<H>, capabilities: Result<'host.capabilities'>): Handlers {
  const refuse = async (): Promise<never> => {
    throw new HostError('unavailable', 'This page shows the log that was shared with it. Open other logs in Playhead.')
  }
  return {
    ...log.answers,
    'host.capabilities': async () => capabilities,
    'log.list': async () => ({ logs: [log.status] }),
    'log.open': refuse,
    'log.close': refuse,
    'log.status': async () => log.status,
    'recent.list': async () => ({ recent: [] }),
    'dialog.open': refuse
  }
}
