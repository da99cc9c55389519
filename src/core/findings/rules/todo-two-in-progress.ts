import { ownText } from '../own-text.ts'
import { Rule, stateOf, type TodoEvent } from '../rule.ts'

/** A list that has several items in progress; told once until it has fewer. */
export class TodoTwoInProgress extends Rule {
  private readonly tracks = new Map<string, { told: boolean }>()

  override todos({ seq, track, items }: TodoEvent): void {
    const state = stateOf(this.tracks, track, () => ({ told: false }))
    const texts = items.filter(({ status }) => status === 'in_progress').map(({ text }) => text)
    const isSeveral = texts.length > 1
    if (isSeveral && !state.told) {
      const named = texts.slice(0, 10).map((text) => ownText(text, 80))
      this.found.add({
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
