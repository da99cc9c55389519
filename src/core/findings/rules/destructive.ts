import { Call, type OpenCall } from '../call.ts'
import type { Finding } from '../finding.ts'
import { ownText } from '../own-text.ts'
import { doneTraits, Rule } from '../rule.ts'
import type { CallEnd } from '../seen-event.ts'

/** A command that deletes files, drops changes or rewrites history, with what became of it. */
export class Destructive extends Rule {
  override readonly looksAt = doneTraits.destroys
  override end({ call, counts, outcome }: CallEnd): void {
    if (call.destructive.length === 0) return
    const how =
      outcome.refused !== null ? 'refused' : counts === 'done' ? 'ran' : counts === 'failed' ? 'failed' : 'cancelled'
    this.run.found.add(findingOf(call, how))
  }

  override open(): readonly Finding[] {
    return Array.from(this.run.calls.all, (open: OpenCall) => new Call(open))
      .filter(({ destructive }) => destructive.length > 0)
      .map((call) => findingOf(call, 'no result'))
  }
}

const ends = {
  ran: 'ran',
  failed: 'failed, so it may not have run',
  refused: 'refused',
  cancelled: 'cancelled',
  'no result': 'no result'
}

function findingOf({ seq, destructive, about }: Call, how: keyof typeof ends): Finding {
  const bad = destructive.filter(({ isMinor }) => !isMinor)
  const commands = [...new Set((bad.length > 0 ? bad : destructive).map(({ what }) => what))].slice(0, 10)
  const line = ownText(about)
  return {
    rule: bad.length === 0 ? 'destructive-temporary' : 'destructive',
    text: `${commands.join(', ')} (${ends[how]}): ${line}`,
    short: commands[0] ?? 'destructive',
    events: [seq],
    more: 0,
    facts: { commands, outcome: how, line }
  }
}
