import { dropOldest } from '../../drop-oldest.ts'
import type { Call } from '../call.ts'
import { ownText } from '../own-text.ts'
import { type CallEnd, Rule, type SeenEvent, type TurnEnd } from '../rule.ts'

const leastMs = 5 * 60_000
const maxOpen = 1000

/** No event of any agent for minutes, within a turn of the main agent. */
export class Idle extends Rule {
  /** The event before. */
  private last: { readonly seq: number; readonly time: number | null } | null = null
  private inTurn = false
  /** By `seq`, the open calls. */
  private readonly calls = new Map<number, Call>()

  override event({ seq, time, isWork }: SeenEvent): void {
    const { last } = this
    if (last !== null && last.time !== null && time !== null && time - last.time >= leastMs && this.inTurn && isWork) {
      this.tell(last.seq, seq, time - last.time)
    }
    this.last = { seq, time }
  }

  override prompt({ track }: SeenEvent): void {
    if (track === '') this.inTurn = true
  }

  override answer({ track }: SeenEvent): void {
    if (track === '') this.inTurn = true
  }

  override call(call: Call): void {
    if (call.track === '') this.inTurn = true
    this.calls.set(call.seq, call)
    if (this.calls.size > maxOpen) dropOldest(this.calls, maxOpen / 2)
  }

  override end({ call }: CallEnd): void {
    this.calls.delete(call.seq)
  }

  override turn({ track }: TurnEnd): void {
    if (track !== '') return
    this.inTurn = false
    this.calls.clear()
  }

  private tell(from: number, to: number, ms: number): void {
    const open = [...this.calls.values()].map(({ tool, asks, kind }) => ({
      tool: ownText(tool, 60),
      by: asks ? 'user' : kind === 'agent' ? 'subagent' : 'tool'
    }))
    const call = open.find(({ by }) => by === 'user') ?? open.find(({ by }) => by === 'tool') ?? open.at(-1)
    const by = call?.by ?? 'no call'
    const minutes = Math.round(ms / 60_000).toLocaleString('en-US')
    const words =
      call === undefined
        ? 'while no call was open'
        : by === 'user'
          ? 'while the user was asked'
          : by === 'subagent'
            ? 'while a subagent worked'
            : `while ${call.tool} was open`
    this.found.add({
      rule: 'idle',
      text: `No event for ${minutes} min ${words}`,
      short: `${minutes} min idle`,
      events: [from, to],
      more: 0,
      facts: { ms, waitingFor: by, tool: by === 'tool' ? (call?.tool ?? null) : null }
    })
  }
}
