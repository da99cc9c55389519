import type { AgentEvent } from '../events/agent-event.ts'
import { StatedTimes, statedTime } from '../events/stated-times.ts'
import type { Agent } from '../formats/agent.ts'
import { agents } from '../formats/agents.ts'
import { rowKindOf, rowKinds } from '../index/row-kind.ts'
import { TurnStarts } from './turns.ts'

export interface RunTimes {
  /** From the earliest to the latest time that its records state. */
  readonly wallMs: number
  /** Elapsed time minus waiting time. */
  readonly activeMs: number
  /** For the user: from the last event of a turn, or the start of a session, to the next prompt, and while a question was open. */
  readonly waitingMs: number
}

/** Tools that ask the user a question. */
const asking: ReadonlySet<string> = new Set(Object.values<Agent>(agents).flatMap((agent) => agent.asking ?? []))

/** Limit of open questions. */
const maxOpen = 100

/** Measures a run, event by event in log order. */
export class RunTime {
  private readonly starts = new TurnStarts()
  private readonly questions = new Set<string | number>()
  /** Of all agents. */
  readonly stated = new StatedTimes()
  /** Time of the main agent's last event. */
  private lastAct: number | null = null
  private waitingMs = 0
  private turnsBegun = 0

  add(event: AgentEvent): void {
    const kind = rowKinds.indexOf(rowKindOf(event))
    this.onEvent(kind, event.trackId === undefined, statedTime(event))
    if (event.type === 'tool.started') this.onCall(event.toolId, event.toolName)
    else if (event.type === 'tool.completed') this.onResult(event.toolId, event.durationMs)
  }

  /** `kind`: an index in `rowKinds`. `isMain`: of the main agent. `at`: the time that its record states. */
  onEvent(kind: number, isMain: boolean, at: number | null): void {
    if (isMain && this.starts.next(kind)) this.turnsBegun++
    this.stated.add(at)
    if (at === null || !isMain) return
    if (this.starts.endsWait && this.lastAct !== null) this.waitingMs += Math.max(0, at - this.lastAct)
    this.lastAct = at
  }

  /** `id`: unique to the call. */
  onCall(id: string | number, tool: string): void {
    if (asking.has(tool) && this.questions.size < maxOpen) this.questions.add(id)
  }

  onResult(id: string | number, durationMs: number | undefined): void {
    if (this.questions.delete(id)) this.waitingMs += durationMs ?? 0
  }

  /** Turns of the main agent. */
  get turns(): number {
    return this.turnsBegun
  }

  /** Null if the log states fewer than two times. */
  get times(): RunTimes | null {
    const { wallMs } = this.stated
    if (wallMs === null) return null
    // Times go back in real logs, so a wait may count twice.
    const waitingMs = Math.min(wallMs, this.waitingMs)
    return { wallMs, activeMs: wallMs - waitingMs, waitingMs }
  }
}
