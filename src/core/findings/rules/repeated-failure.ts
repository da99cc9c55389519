import { ownText } from '../own-text.ts'
import { plainResult } from '../outcome.ts'
import { failureLine } from '../../index/failed-call.ts'
import { type Finding, FindingEvents, counted } from '../finding.ts'
import { type CallEnd, changesFiles, Rule, type SeenEvent, stateOf } from '../rule.ts'

/** Keys of failed calls that are kept of a track. */
const maxKeys = 256

interface Repeated {
  readonly events: FindingEvents
  readonly result: number
  readonly tool: string
  readonly about: string
  readonly error: string
}

/** The same call failed again with the same result, and nothing changed between. */
export class RepeatedFailure extends Rule {
  /** By track, the failed calls by their keys. */
  private readonly tracks = new Map<string, Map<number, Repeated>>()

  override end(end: CallEnd): void {
    const { call, counts, outcome } = end
    const failed = stateOf(this.tracks, call.track, () => new Map<number, Repeated>())
    // The key is worth computing only if there is something to compare.
    if (failed.size === 0 && counts !== 'failed') return
    const known = failed.get(call.key)
    if (counts === 'failed') {
      const result = plainResult(outcome.text)
      if (known?.result === result) known.events.add(call.seq)
      else {
        if (known !== undefined) this.close(failed, call.key, known)
        const { tool, about } = call
        const events = new FindingEvents()
        events.add(call.seq)
        const error = ownText(failureLine({ error: outcome.text }))
        failed.set(call.key, { events, result, tool, about: ownText(about), error })
        this.forget(failed)
      }
    } else if (counts === 'done' && known !== undefined) this.close(failed, call.key, known)
    if (failed.size > 0 && changesFiles(end)) this.clear(failed)
  }

  override prompt({ track }: SeenEvent): void {
    this.clear(this.tracks.get(track))
  }

  override compaction({ track }: SeenEvent): void {
    this.clear(this.tracks.get(track))
  }

  override open(): readonly Finding[] {
    return [...this.tracks.values()].flatMap((failed) => [...failed.values()].flatMap(findingOf))
  }

  private clear(failed: Map<number, Repeated> | undefined): void {
    if (failed === undefined) return
    for (const [key, repeated] of failed) this.close(failed, key, repeated)
  }

  private close(failed: Map<number, Repeated>, key: number, repeated: Repeated): void {
    failed.delete(key)
    for (const finding of findingOf(repeated)) this.found.add(finding)
  }

  private forget(failed: Map<number, Repeated>): void {
    for (const [key, repeated] of failed) {
      if (failed.size <= maxKeys) break
      this.close(failed, key, repeated)
    }
  }
}

function findingOf({ events, tool, about, error }: Repeated): Finding[] {
  const { count, list, more } = events
  if (count < 2) return []
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
