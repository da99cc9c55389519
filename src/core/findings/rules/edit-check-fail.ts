import { ownText } from '../own-text.ts'
import { checkResult } from '../check-result.ts'
import { type Finding, FindingEvents } from '../finding.ts'
import { type CallEnd, changesFiles, Rule, type SeenEvent, stateOf } from '../rule.ts'

const least = 3
/** Kinds of checks that are followed at once. */
const maxKinds = 16

interface Rounds {
  readonly events: FindingEvents
  /** A file changed since the last failed check. */
  changed: boolean
  readonly about: string
}

/** Rounds of a change and a failed check. */
export class EditCheckFail extends Rule {
  /** By track, the rounds by the kinds of the check. */
  private readonly tracks = new Map<string, Map<string, Rounds>>()

  override end(end: CallEnd): void {
    const { call } = end
    const rounds = stateOf(this.tracks, call.track, () => new Map<string, Rounds>())
    // A check that passed tells something only after one that failed.
    if (rounds.size === 0 && end.counts === 'done' && !call.mayMask) return
    const kinds = call.check?.kinds ?? ''
    const result = checkResult(end)
    if (result === 'passed') this.close(rounds, kinds, true)
    else if (result === 'failed') {
      const known = rounds.get(kinds)
      if (known === undefined) {
        if (rounds.size >= maxKinds) this.clear(rounds)
        const events = new FindingEvents()
        events.add(call.seq)
        rounds.set(kinds, { events, changed: false, about: ownText(call.about) })
      } else if (known.changed) {
        known.events.add(call.seq)
        known.changed = false
      }
    }
    if (rounds.size > 0 && changesFiles(end)) for (const one of rounds.values()) one.changed = true
  }

  override prompt({ track }: SeenEvent): void {
    const rounds = this.tracks.get(track)
    if (rounds !== undefined) this.clear(rounds)
  }

  override open(): readonly Finding[] {
    return [...this.tracks.values()].flatMap((rounds) =>
      [...rounds].flatMap(([kinds, one]) => findingOf(kinds, one, false))
    )
  }

  private clear(rounds: Map<string, Rounds>): void {
    for (const kinds of rounds.keys()) this.close(rounds, kinds, false)
  }

  private close(rounds: Map<string, Rounds>, kinds: string, passed: boolean): void {
    const one = rounds.get(kinds)
    if (one === undefined) return
    rounds.delete(kinds)
    for (const finding of findingOf(kinds, one, passed)) this.found.add(finding)
  }
}

function findingOf(kinds: string, { events, about }: Rounds, passed: boolean): Finding[] {
  const { count, list, more } = events
  if (count < least) return []
  const end = passed ? 'then it passed' : 'it did not pass before the next prompt'
  return [
    {
      rule: 'edit-check-fail',
      text: `${count} rounds of a change and a failed ${kinds.replaceAll(',', ', ')}, ${end}: ${about}`,
      short: `${count} rounds`,
      events: [...list],
      more,
      facts: { rounds: count, kinds: kinds.split(','), passed, about }
    }
  ]
}
