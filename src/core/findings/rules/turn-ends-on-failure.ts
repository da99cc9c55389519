import { Call, type OpenCall } from '../call.ts'
import { ownText } from '../own-text.ts'
import { doneTraits, Rule } from '../rule.ts'
import type { CallEnd, SeenEvent, TurnEnd } from '../seen-event.ts'
import { stateOf } from '../track-states.ts'

interface Turn {
  failed: OpenCall | null
  answered: boolean
}

/** The last call of a turn failed, then the agent answered. */
export class TurnEndsOnFailure extends Rule {
  override readonly looksAt = doneTraits.followsFailure
  private readonly tracks = new Map<string, Turn>()

  override end({ call, counts }: CallEnd): void {
    if (counts === 'neither' || (counts === 'done' && !this.tracks.has(call.track))) return
    const turn = stateOf(this.tracks, call.track, () => ({ failed: null, answered: false }) as Turn)
    turn.failed = counts === 'failed' ? call.open : null
    turn.answered = false
  }

  override answer({ track }: SeenEvent): void {
    const turn = this.tracks.get(track)
    if (turn !== undefined) turn.answered = true
  }

  override turn({ seq, track, finishReason }: TurnEnd): void {
    const turn = this.tracks.get(track)
    if (turn === undefined) return
    const { failed, answered } = turn
    turn.failed = null
    turn.answered = false
    if (failed === null || !answered || finishReason !== 'done') return
    const call = new Call(failed)
    const about = ownText(call.about === '' ? call.tool : call.about)
    this.run.found.add({
      rule: 'turn-ends-on-failure',
      text: `The last call of the turn failed: ${about}`,
      short: 'ends on a failed call',
      events: [failed.seq, seq],
      more: 0,
      facts: { about }
    })
  }
}
