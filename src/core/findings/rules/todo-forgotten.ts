import type { Call } from '../call.ts'
import type { Finding } from '../finding.ts'
import { Rule, stateOf, type TodoEvent } from '../rule.ts'
import { type OpenTodos, openTodos } from './todo-lists.ts'

const leastCalls = 50

interface List {
  seq: number
  open: OpenTodos | null
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
    list.calls = 0
  }

  override call({ track }: Call): void {
    const list = this.lists.get(track)
    if (list !== undefined) list.calls++
  }

  override open(): readonly Finding[] {
    return [...this.lists.values()].flatMap(({ seq, open, calls }): Finding[] => {
      if (open === null || calls < leastCalls) return []
      const count = open.pending + open.inProgress
      return [
        {
          rule: 'todo-forgotten',
          text: `${calls.toLocaleString('en-US')} calls after the last list, which has ${count} open items: ${open.items.join(' · ')}`,
          short: `${calls} calls later`,
          events: [seq],
          more: 0,
          facts: { calls, pending: open.pending, inProgress: open.inProgress, items: open.items }
        }
      ]
    })
  }
}
