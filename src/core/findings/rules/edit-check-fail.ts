import { checkResult } from '../check-result.ts'
import { type Finding, FindingEvents } from '../finding.ts'
import { copied, ownText } from '../own-text.ts'
import { doneTraits, Rule } from '../rule.ts'
import type { CallEnd, SeenEvent } from '../seen-event.ts'
import { stateOf } from '../track-states.ts'

const least = 3
/** Kinds of checks that are followed at once. */
const maxKinds = 16

interface Rounds {
  readonly events: FindingEvents
  /** The result of the last failed check after a change. */
  last: number
  readonly about: string
}

/** Rounds of a change and a failed check. */
export class EditCheckFail extends Rule {
  override readonly looksAt = doneTraits.inTrouble | doneTraits.mayHideFailure
  /** By track, the rounds by the kinds of the check. */
  private readonly tracks = new Map<string, Map<string, Rounds>>()

  override end(end: CallEnd): void {
    const { call, counts, seq, mayHideFailure } = end
    const known = this.tracks.get(call.track)
    // A check that passed tells something only after one that failed.
    if (counts === 'done' && (known === undefined || known.size === 0) && !mayHideFailure) return
    const result = checkResult(end)
    if (result === null) return
    const kinds = call.check?.kinds ?? ''
    const rounds = known ?? stateOf(this.tracks, call.track, () => new Map<string, Rounds>())
    const former = rounds.get(kinds)
    if (result === 'passed') this.close(rounds, kinds, true)
    else if (former === undefined) {
      if (rounds.size >= maxKinds) this.clear(rounds)
      const events = new FindingEvents()
      events.add(call.seq)
      this.run.changes.ask(call.track)
      rounds.set(kinds, { events, last: seq, about: copied(call.about) })
    } else if (this.run.changes.since(call.track, former.last)) {
      former.events.add(call.seq)
      former.last = seq
      this.run.changes.ask(call.track)
    }
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
    for (const finding of findingOf(kinds, one, passed)) this.run.found.add(finding)
  }
}

function findingOf(kinds: string, { events, about }: Rounds, passed: boolean): Finding[] {
  const { count, list, more } = events
  if (count < least) return []
  const line = ownText(about)
  const end = passed ? 'then it passed' : 'it did not pass before the next prompt'
  return [
    {
      rule: 'edit-check-fail',
      text: `${count} rounds of a change and a failed ${kinds.replaceAll(',', ', ')}, ${end}: ${line}`,
      short: `${count} rounds`,
      events: [...list],
      more,
      facts: { rounds: count, kinds: kinds.split(','), passed, about: line }
    }
  ]
}
