import { type Finding, FindingEvents, grouped } from '../finding.ts'
import { doneTraits, Rule } from '../rule.ts'
import type { CallEnd } from '../seen-event.ts'
import { stateOf } from '../track-states.ts'

const least = 3

interface Series {
  events: FindingEvents
}

/** Calls of one agent that failed one after the other. */
export class FailureSeries extends Rule {
  override readonly looksAt = doneTraits.followsFailure
  private readonly tracks = new Map<string, Series>()

  override end({ call, counts }: CallEnd): void {
    if (counts === 'neither') return
    if (counts === 'done') {
      const series = this.tracks.get(call.track)
      if (series === undefined || series.events.count === 0) return
      for (const finding of findingOf(series)) this.run.found.add(finding)
      series.events = new FindingEvents()
      return
    }
    stateOf(this.tracks, call.track, () => ({ events: new FindingEvents() })).events.add(call.seq)
  }

  override open(): readonly Finding[] {
    return [...this.tracks.values()].flatMap(findingOf)
  }
}

function findingOf({ events: { count, list, more } }: Series): Finding[] {
  if (count < least) return []
  const text = `${grouped(count)} failed calls in a row`
  return [
    {
      rule: 'failure-series',
      text,
      short: `${count} failed in a row`,
      events: [...list],
      more,
      facts: { calls: count }
    }
  ]
}
