import { ownText } from '../own-text.ts'
import { counted, type Finding, FindingEvents } from '../finding.ts'
import { Rule } from '../rule.ts'
import type { CallEnd } from '../seen-event.ts'

/** Calls that a person or the permission rules refused: one finding for the whole run. */
export class Refused extends Rule {
  private readonly events = new FindingEvents()
  private byUser = 0
  private byRules = 0
  private first = ''

  override end({ call, outcome }: CallEnd): void {
    if (outcome.refused === null || call.asks) return
    if (outcome.refused === 'user') this.byUser++
    else this.byRules++
    if (this.events.count === 0) this.first = ownText(call.about === '' ? call.tool : `${call.tool}: ${call.about}`)
    this.events.add(call.seq)
  }

  override open(): readonly Finding[] {
    const { count, list, more } = this.events
    if (count === 0) return []
    const { byUser, byRules, first } = this
    const parts = [byUser > 0 ? `${byUser} by the user` : '', byRules > 0 ? `${byRules} by rules` : '']
    // Claude Code says the same of a call that a person refuses and of one that a signal stops while it runs.
    const how = byUser > 0 ? 'refused or stopped' : 'refused'
    const by = parts.filter((part) => part !== '').join(', ')
    return [
      {
        rule: 'refused',
        text: `${counted(count, 'call')} ${how} (${by}), the first: ${first}`,
        short: 'refused',
        events: [...list],
        more,
        facts: { calls: count, byUser, byRules, first }
      }
    ]
  }
}
