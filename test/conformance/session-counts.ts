import type { FoldedEvent } from '../../src/core/formats/log-format.ts'
import { LogReader } from '../../src/core/formats/log-reader.ts'
import { stamp } from '../../src/core/formats/stamp.ts'
import { SessionCounter } from '../../src/core/library/session-counter.ts'
import type { Log } from './read-log.ts'

/** What the library counts of a whole session. */
export function counterOf({ format, framing, bytes }: Pick<Log, 'format' | 'framing' | 'bytes'>): SessionCounter {
  const counter = new SessionCounter(format)
  let seq = 0
  const take = (events: readonly FoldedEvent[], line: Parameters<SessionCounter['event']>[3]): void => {
    for (const event of events) counter.event(stamp(event, format), seq++, event, line)
  }
  const sink = {
    line(line: Parameters<SessionCounter['line']>[0]): void {
      counter.line(line)
      take(line.events, line)
    },
    end: (events: readonly FoldedEvent[]) => take(events, null)
  }
  const reader = new LogReader(format, sink, { framing })
  reader.push(bytes)
  reader.end()
  return counter
}
