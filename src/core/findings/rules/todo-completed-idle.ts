import { textHash } from '../../formats/text-hash.ts'
import { ownText } from '../own-text.ts'
import { Rule } from '../rule.ts'
import type { TodoEvent } from '../seen-event.ts'
import { stateOf } from '../track-states.ts'

/** Items of a list that are followed. */
const maxItems = 200

interface List {
  seq: number
  /** Calls of the track before it. */
  calls: number
  /** Hashes of the items in progress. */
  working: number[]
}

/** An item went from in progress to completed without a call between. */
export class TodoCompletedIdle extends Rule {
  private readonly lists = new Map<string, List>()

  override todos({ seq, track, items }: TodoEvent): void {
    const list = stateOf(this.lists, track, () => ({ seq: -1, calls: -1, working: [] }) as List)
    const calls = this.run.calls.countOf(track)
    if (list.calls === calls) {
      const done = items.find(({ text, status }) => status === 'completed' && list.working.includes(textHash(text)))
      if (done !== undefined) {
        const item = ownText(done.text, 80)
        this.run.found.add({
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
    list.calls = calls
    list.working = []
    for (const { text, status } of items) {
      if (status === 'in_progress' && list.working.length < maxItems) list.working.push(textHash(text))
    }
  }
}
