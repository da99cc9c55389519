import { dropOldest } from '../../drop-oldest.ts'
import type { Call } from '../call.ts'
import type { Finding } from '../finding.ts'
import { ownText } from '../own-text.ts'
import { type CallEnd, Rule } from '../rule.ts'

interface Run {
  readonly commands: readonly string[]
  readonly isMinor: boolean
  readonly line: string
}

const maxOpen = 1000

/** A command that deletes files, drops changes or rewrites history, with what became of it. */
export class Destructive extends Rule {
  /** By `seq`, the calls without a result so far. */
  private readonly calls = new Map<number, Run>()

  override call({ seq, destructive, about }: Call): void {
    if (destructive.length === 0) return
    const bad = destructive.filter(({ isMinor }) => !isMinor)
    const commands = [...new Set((bad.length > 0 ? bad : destructive).map(({ what }) => what))].slice(0, 10)
    this.calls.set(seq, { commands, isMinor: bad.length === 0, line: ownText(about) })
    if (this.calls.size > maxOpen) dropOldest(this.calls, maxOpen / 2)
  }

  override end({ call, counts, outcome }: CallEnd): void {
    const run = this.calls.get(call.seq)
    if (run === undefined) return
    this.calls.delete(call.seq)
    const how =
      outcome.refused !== null ? 'refused' : counts === 'done' ? 'ran' : counts === 'failed' ? 'failed' : 'cancelled'
    this.found.add(findingOf(call.seq, run, how))
  }

  override open(): readonly Finding[] {
    return [...this.calls].map(([seq, run]) => findingOf(seq, run, 'no result'))
  }
}

const ends = {
  ran: 'ran',
  failed: 'failed, so it may not have run',
  refused: 'refused',
  cancelled: 'cancelled',
  'no result': 'no result'
}

function findingOf(seq: number, { commands, isMinor, line }: Run, how: keyof typeof ends): Finding {
  const names = commands.join(', ')
  return {
    rule: isMinor ? 'destructive-temporary' : 'destructive',
    text: `${names} (${ends[how]}): ${line}`,
    short: commands[0] ?? 'destructive',
    events: [seq],
    more: 0,
    facts: { commands: [...commands], outcome: how, line }
  }
}
