import { ownText } from '../own-text.ts'
import { Rule } from '../rule.ts'
import type { TodoEvent } from '../seen-event.ts'
import { stateOf } from '../track-states.ts'

/** A list that has several items in progress; told once until it has fewer. */
export class TodoTwoInProgress extends Rule {
  private readonly tracks = new Map<string, { told: boolean }>()

  override todos({ seq, track, items }: TodoEvent): void {
    const state = stateOf(this.tracks, track, () => ({ told: false }))
    let working = 0
    for (const { status } of items) if (status === 'in_progress') working++
    const isSeveral = working > 1
    if (isSeveral && !state.told) {
      const texts = items.filter(({ status }) => status === 'in_progress').map(({ text }) => text)
      const named = texts.slice(0, 10).map((text) => ownText(text, 80))
      this.run.found.add({
        rule: 'todo-two-in-progress',
        text: `${texts.length} todo items are in progress at once: ${named.join(' · ')}`,
        short: `${texts.length} in progress`,
        events: [seq],
        more: 0,
        facts: { count: texts.length, items: named }
      })
    }
    state.told = isSeveral
  }
}
