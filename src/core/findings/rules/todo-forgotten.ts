import { type Finding, grouped } from '../finding.ts'
import { Rule } from '../rule.ts'
import type { TodoEvent } from '../seen-event.ts'
import { stateOf } from '../track-states.ts'
import { itemText, type OpenTodos, openTodos } from './todo-lists.ts'

const leastCalls = 50

interface List {
  seq: number
  open: OpenTodos | null
  /** Calls of the track before it. */
  calls: number
}

/** Many calls after the last list, which has open items. */
export class TodoForgotten extends Rule {
  /** By track, its last list. */
  private readonly lists = new Map<string, List>()

  override todos({ seq, track, items }: TodoEvent): void {
    const list = stateOf(this.lists, track, () => ({ seq, open: null, calls: 0 }) as List)
    list.seq = seq
    list.open = openTodos(items)
    list.calls = this.run.calls.countOf(track)
  }

  override open(): readonly Finding[] {
    return [...this.lists].flatMap(([track, { seq, open, calls: before }]): Finding[] => {
      const calls = this.run.calls.countOf(track) - before
      if (open === null || calls < leastCalls) return []
      const count = open.pending + open.inProgress
      return [
        {
          rule: 'todo-forgotten',
          text: `${grouped(calls)} calls after the last list, which has ${count} open items: ${open.items.map(itemText).join(' · ')}`,
          short: `${calls} calls later`,
          events: [seq],
          more: 0,
          facts: { calls, pending: open.pending, inProgress: open.inProgress, items: open.items.map(itemText) }
        }
      ]
    })
  }
}
