import type { TodoItem } from '../events/todo.ts'
import type { ModelRequest } from '../requests/request-list.ts'
import type { Call } from './call.ts'
import { type Finding, maxFindings, type RuleName } from './finding.ts'
import type { Outcome } from './outcome.ts'

/** An event as the rules see it. */
export interface SeenEvent {
  readonly seq: number
  /** Empty: the main agent. */
  readonly track: string
  /** The time that its own record states, in ms since the epoch; null if it states none. */
  readonly time: number | null
  /** The agent or one of its tools did it: no prompt, no status, no new session. */
  readonly isWork: boolean
}

/** A result. `counts`: as a failed call, as one that did its work, or as neither. */
export interface CallEnd extends SeenEvent {
  readonly call: Call
  readonly outcome: Outcome
  readonly counts: 'failed' | 'done' | 'neither'
  /** The command of the call still runs. */
  readonly running: boolean
}

export interface TurnEnd extends SeenEvent {
  readonly finishReason: 'done' | 'error' | 'cancelled' | 'timeout'
}

export interface TodoEvent extends SeenEvent {
  readonly items: readonly TodoItem[]
}

/**
 * A rule over the events of a run, in log order. It keeps a bounded state of plain fields, which `forkState` copies. What it gives to `found` is final; what may still change when the log goes on is `open`.
 */
export abstract class Rule {
  protected readonly found: FoundFindings

  constructor(found: FoundFindings) {
    this.found = found
  }

  /** Every event, before what it means. */
  event?(event: SeenEvent): void
  call?(call: Call): void
  end?(end: CallEnd): void
  prompt?(event: SeenEvent): void
  compaction?(event: SeenEvent): void
  turn?(turn: TurnEnd): void
  todos?(event: TodoEvent): void
  /** A text of the model. */
  answer?(event: SeenEvent): void
  error?(event: SeenEvent, code: string | undefined, error: string): void
  /** A line that is damaged. */
  damage?(): void
  /** A request to a model, at the first event of its line. */
  request?(request: ModelRequest, event: SeenEvent): void
  /** The findings that the log shows so far and that may still change. */
  open?(): readonly Finding[]
}

/** The final findings of a run. */
export class FoundFindings {
  readonly list: Finding[] = []
  /** By rule: findings that are only counted. */
  readonly further = new Map<RuleName, number>()

  add(finding: Finding): void {
    if (this.list.length < maxFindings) this.list.push(Object.freeze(finding))
    else this.further.set(finding.rule, (this.further.get(finding.rule) ?? 0) + 1)
  }
}

/** Tracks whose state is kept; above, the oldest half is forgotten. */
const maxTracks = 4000

/** The state of a track in `states`, made by `make`. */
export function stateOf<T>(states: Map<string, T>, track: string, make: () => T): T {
  const known = states.get(track)
  if (known !== undefined) return known
  if (states.size >= maxTracks) {
    let left = maxTracks / 2
    for (const oldest of states.keys()) {
      if (left-- <= 0) break
      if (oldest !== '') states.delete(oldest)
    }
  }
  const made = make()
  states.set(track, made)
  return made
}

/** Whether a call that ended may have changed files. */
export function changesFiles({ call, counts, outcome }: CallEnd): boolean {
  if (outcome.refused !== null || counts === 'neither') return false
  if (call.kind === 'agent') return true
  if (call.kind === 'edit' || call.kind === 'write') return counts === 'done'
  return call.effect !== null && call.effect !== 'read' && call.effect !== 'move' && call.effect !== 'check'
}
