import type { Finding } from '../finding.ts'
import { Rule } from '../rule.ts'
import type { TodoEvent, TurnEnd } from '../seen-event.ts'
import { itemText, openText, type OpenTodos, openTodos } from './todo-lists.ts'

/** The main agent's last list has open items, although it ended its work. */
export class TodoOpenAtEnd extends Rule {
  private seq = -1
  private open_: OpenTodos | null = null
  /** A record shows that a turn ended normally after the list. */
  private done = false

  override todos({ seq, track, items }: TodoEvent): void {
    if (track !== '') return
    this.seq = seq
    this.open_ = openTodos(items)
    this.done = false
  }

  override turn({ track, finishReason, isAssumed }: TurnEnd): void {
    if (track === '' && finishReason === 'done' && !isAssumed) this.done = true
  }

  override open(): readonly Finding[] {
    if (this.open_ === null || !this.done) return []
    const open = this.open_
    return [
      {
        rule: 'todo-open-at-end',
        text: `The session ended with open todos (${openText(open)}): ${open.items.map(itemText).join(' · ')}`,
        short: `${open.pending + open.inProgress} open at the end`,
        events: [this.seq],
        more: 0,
        facts: { pending: open.pending, inProgress: open.inProgress, items: open.items.map(itemText) }
      }
    ]
  }
}
