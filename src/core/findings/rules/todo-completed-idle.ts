import { textHash } from '../../formats/text-hash.ts'
import type { Call } from '../call.ts'
import { ownText } from '../own-text.ts'
import { Rule, stateOf, type TodoEvent } from '../rule.ts'

/** Items of a list that are followed. */
const maxItems = 200

interface List {
  seq: number
  calls: number
  /** Hashes of the items in progress. */
  working: number[]
}

/** An item went from in progress to completed without a call between. */
export class TodoCompletedIdle extends Rule {
  private readonly lists = new Map<string, List>()

  override call({ track }: Call): void {
    const list = this.lists.get(track)
    if (list !== undefined) list.calls++
  }

  override todos({ seq, track, items }: TodoEvent): void {
    const list = stateOf(this.lists, track, () => ({ seq: -1, calls: 1, working: [] }) as List)
    if (list.calls === 0) {
      const done = items.find(({ text, status }) => status === 'completed' && list.working.includes(textHash(text)))
      if (done !== undefined) {
        const item = ownText(done.text, 80)
        this.found.add({
          rule: 'todo-completed-idle',
          text: `“${item}” went from in progress to completed with no call between`,
          short: 'completed without a call',
          events: [list.seq, seq],
          more: 0,
          facts: { item }
        })
      }
    }
    list.seq = seq
    list.calls = 0
    list.working = items
      .slice(0, maxItems)
      .flatMap(({ text, status }) => (status === 'in_progress' ? [textHash(text)] : []))
  }
}
