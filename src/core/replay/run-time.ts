import type { AgentEvent } from '../events/agent-event.ts'
import type { Agent } from '../formats/agent.ts'
import { agents } from '../formats/agents.ts'
import { rowKindOf, rowKinds } from '../index/row-kind.ts'
import { TurnStarts } from './turns.ts'

/** How long a run was, in ms. */
export interface RunTimes {
  /** From the first to the last time that its records state. */
  readonly wallMs: number
  /** What is left of it without the waiting. */
  readonly activeMs: number
  /** For the person: from the last event of a turn to the next prompt, and while a question was open. */
  readonly waitingMs: number
}

/** Tools that ask the person something. */
const asking: ReadonlySet<string> = new Set(Object.values<Agent>(agents).flatMap((agent) => agent.asking ?? []))

/** Questions that are open at once. */
const maxOpen = 100

/** Measures a run while its events come, in log order. */
export class RunTime {
  private readonly starts = new TurnStarts()
  private readonly questions = new Set<string | number>()
  private first = Infinity
  private last = -Infinity
  /** Of the main agent's last event before. */
  private lastAct: number | null = null
  private waitingMs = 0
  private turnsBegun = 0

  add(event: AgentEvent): void {
    const isStated = (event.timestampFrom ?? 'record') === 'record' && event.timestamp !== 0
    const kind = rowKinds.indexOf(rowKindOf(event))
    this.happened(kind, event.trackId === undefined, isStated ? event.timestamp : null)
    if (event.type === 'tool.started') this.called(event.toolId, event.toolName)
    else if (event.type === 'tool.completed') this.answered(event.toolId, event.durationMs)
  }

  /** An event of this kind, an index in `rowKinds`. `isMain`: of the main agent. `at`: when, as its record states it. */
  happened(kind: number, isMain: boolean, at: number | null): void {
    const begins = isMain && this.starts.next(kind)
    if (begins) this.turnsBegun++
    if (at === null) return
    this.first = Math.min(this.first, at)
    this.last = Math.max(this.last, at)
    if (!isMain) return
    if (begins && this.lastAct !== null) this.waitingMs += Math.max(0, at - this.lastAct)
    this.lastAct = at
  }

  /** A tool was called; the id is any that only this call has. */
  called(id: string | number, tool: string): void {
    if (asking.has(tool) && this.questions.size < maxOpen) this.questions.add(id)
  }

  answered(id: string | number, durationMs: number | undefined): void {
    if (this.questions.delete(id)) this.waitingMs += durationMs ?? 0
  }

  /** How many turns the main agent has begun. */
  get turns(): number {
    return this.turnsBegun
  }

  /** The first time that its records state; null where they state none. */
  get begin(): number | null {
    return Number.isFinite(this.first) ? this.first : null
  }

  /** Null where the log does not state two times. */
  get times(): RunTimes | null {
    const wallMs = this.last - this.first
    if (!(wallMs > 0)) return null
    // Times go back in real logs: then a wait may count twice.
    const waitingMs = Math.min(wallMs, this.waitingMs)
    return { wallMs, activeMs: wallMs - waitingMs, waitingMs }
  }
}
