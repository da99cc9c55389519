import { type Finding, FindingEvents } from '../finding.ts'
import { type CallEnd, Rule, stateOf } from '../rule.ts'

const least = 3

interface Series {
  events: FindingEvents
}

/** Calls of one agent that failed one after the other. */
export class FailureSeries extends Rule {
  private readonly tracks = new Map<string, Series>()

  override end({ call, counts }: CallEnd): void {
    if (counts === 'neither') return
    if (counts === 'done') {
      const series = this.tracks.get(call.track)
      if (series === undefined || series.events.count === 0) return
      for (const finding of findingOf(series)) this.found.add(finding)
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
  const text = `${count.toLocaleString('en-US')} failed calls in a row`
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
