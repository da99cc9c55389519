import { Call } from '../call.ts'
import { grouped } from '../finding.ts'
import { ownText } from '../own-text.ts'
import { Rule } from '../rule.ts'
import type { SeenEvent, TurnEnd } from '../seen-event.ts'

const leastMs = 5 * 60_000

/** No event of any agent for minutes, within a turn of the main agent. */
export class Idle extends Rule {
  /** The event before, and the time that its record states. */
  private seq = -1
  private time: number | null = null
  private inTurn = false
  /** The end of the last turn: calls from before it are not waited for. */
  private ended = -1

  override event({ seq, time, isWork }: SeenEvent): void {
    const before = this.time
    if (before !== null && time !== null && time - before >= leastMs && this.inTurn && isWork) {
      this.tell(this.seq, seq, time - before)
    }
    this.seq = seq
    this.time = time
  }

  override prompt({ track }: SeenEvent): void {
    if (track === '') this.inTurn = true
  }

  override answer({ track }: SeenEvent): void {
    if (track === '') this.inTurn = true
  }

  override call({ track }: { readonly track: string }): void {
    if (track === '') this.inTurn = true
  }

  override turn({ track, seq }: TurnEnd): void {
    if (track !== '') return
    this.inTurn = false
    this.ended = seq
  }

  private tell(from: number, to: number, ms: number): void {
    const calls = [...this.run.calls.all].filter(({ seq }) => seq > this.ended).map((open) => new Call(open))
    const open = calls.map(({ tool, asks, kind }) => ({
      tool: ownText(tool, 60),
      by: asks ? 'user' : kind === 'agent' ? 'subagent' : 'tool'
    }))
    const call = open.find(({ by }) => by === 'user') ?? open.find(({ by }) => by === 'tool') ?? open.at(-1)
    const by = call?.by ?? 'no call'
    const minutes = grouped(Math.round(ms / 60_000))
    const words =
      call === undefined
        ? 'while no call was open'
        : by === 'user'
          ? 'while the user was asked'
          : by === 'subagent'
            ? 'while a subagent worked'
            : `while ${call.tool} was open`
    this.run.found.add({
      rule: 'idle',
      text: `No event for ${minutes} min ${words}`,
      short: `${minutes} min idle`,
      events: [from, to],
      more: 0,
      facts: { ms, waitingFor: by, tool: by === 'tool' ? (call?.tool ?? null) : null }
    })
  }
}
