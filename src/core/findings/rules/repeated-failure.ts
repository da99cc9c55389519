import { failureLine } from '../../index/failed-call.ts'
import { comparedPart, plainResult } from '../outcome.ts'
import { counted, type Finding, FindingEvents } from '../finding.ts'
import { ownText } from '../own-text.ts'
import { doneTraits, Rule } from '../rule.ts'
import type { CallEnd, SeenEvent } from '../seen-event.ts'
import { stateOf } from '../track-states.ts'

/** Keys of failed calls that are kept of a track. */
const maxKeys = 256
/** Results that are kept as texts, of all tracks: most are never compared, and to make a text plain is slow. */
const maxTexts = 1000

interface Track {
  /** By key. */
  readonly failed: Map<number, Repeated>
  /** The sizes of their inputs. */
  readonly sizes: Set<number>
}

interface Repeated {
  readonly events: FindingEvents
  /** The last result. */
  last: number
  /** `comparedPart` of the result, or `plainResult` of it. */
  result: string | number
  /** What a sentence says, once the call was repeated. */
  words: { readonly tool: string; readonly about: string; readonly error: string } | null
}

/** The same call failed again with the same result, and nothing changed between. */
export class RepeatedFailure extends Rule {
  override readonly looksAt = doneTraits.inTrouble
  private readonly tracks = new Map<string, Track>()
  private texts = 0

  override end(end: CallEnd): void {
    const { call, counts } = end
    if (counts === 'failed') this.failed(end)
    else if (counts === 'done') {
      const track = this.tracks.get(call.track)
      // Sizes tell most calls apart, and are faster than keys.
      if (track === undefined || track.failed.size === 0 || !track.sizes.has(call.size)) return
      const { key } = call
      const known = track.failed.get(key)
      if (known !== undefined) this.close(track, key, known)
    }
  }

  override prompt({ track }: SeenEvent): void {
    this.clear(this.tracks.get(track))
  }

  override compaction({ track }: SeenEvent): void {
    this.clear(this.tracks.get(track))
  }

  override open(): readonly Finding[] {
    return [...this.tracks.values()].flatMap(({ failed }) => [...failed.values()].flatMap(findingOf))
  }

  private failed({ call, outcome, seq }: CallEnd): void {
    const track = stateOf(this.tracks, call.track, () => ({ failed: new Map(), sizes: new Set() }) as Track)
    this.run.changes.ask(call.track)
    const { key } = call
    const part = comparedPart(outcome.text)
    const known = track.failed.get(key)
    if (known !== undefined && this.isSame(known, part) && !this.run.changes.since(call.track, known.last)) {
      known.events.add(call.seq)
      known.last = seq
      const error = known.words === null ? failureLine({ error: outcome.text }) : ''
      known.words ??= { tool: call.tool, about: ownText(call.about), error: ownText(error) }
      return
    }
    if (known !== undefined) this.close(track, key, known)
    const events = new FindingEvents()
    events.add(call.seq)
    const result = this.texts < maxTexts ? part : plainResult(part)
    if (typeof result === 'string') this.texts++
    track.failed.set(key, { events, last: seq, result, words: null })
    track.sizes.add(call.size)
    const [oldest] = track.failed
    if (track.failed.size > maxKeys && oldest !== undefined) this.close(track, ...oldest)
  }

  private isSame(known: Repeated, part: string): boolean {
    if (known.result === part) return true
    if (typeof known.result === 'string') {
      known.result = plainResult(known.result)
      this.texts--
    }
    return known.result === plainResult(part)
  }

  private clear(track: Track | undefined): void {
    if (track === undefined || track.failed.size === 0) return
    for (const [key, repeated] of track.failed) this.close(track, key, repeated)
    track.sizes.clear()
  }

  private close(track: Track, key: number, repeated: Repeated): void {
    track.failed.delete(key)
    if (typeof repeated.result === 'string') this.texts--
    for (const finding of findingOf(repeated)) this.run.found.add(finding)
  }
}

function findingOf({ events, words }: Repeated): Finding[] {
  if (words === null) return []
  const { count, list, more } = events
  const { tool, about, error } = words
  const what = about === '' ? tool : `${tool}: ${about}`
  return [
    {
      rule: 'repeated-failure',
      text: `${counted(count, 'time')} the same call with the same error: ${what}`,
      short: `${count}× same error`,
      events: [...list],
      more,
      facts: { calls: count, tool, about, error }
    }
  ]
}
