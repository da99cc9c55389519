import type { EventDraft } from '../formats/log-format.ts'
import { GrowingList } from '../growing-list.ts'
import { ItemLists } from '../replay/item-lists.ts'
import { SparseNumbers } from '../sparse-numbers.ts'

/** The few drafts that cannot be read again from their row's line. */
export class KeptDrafts {
  private readonly places = new SparseNumbers('uint32')
  private readonly drafts = new GrowingList<EventDraft>()
  private readonly lists = new ItemLists()
  /** By draft of a todo list: the number of its items in `lists`. */
  private readonly listOf = new SparseNumbers('uint32')
  private lastList = -1

  add(row: number, draft: EventDraft): void {
    const place = this.drafts.length
    this.places.set(row, place)
    if (draft.type === 'todo_list') {
      this.lastList = this.lists.add(draft.items, this.lastList)
      this.listOf.set(place, this.lastList)
      this.drafts.push(Object.freeze({ ...draft, items: [] }))
    } else this.drafts.push(Object.freeze({ ...draft }))
  }

  /** Undefined if none is stored. */
  at(row: number): EventDraft | undefined {
    const place = this.places.at(row)
    const draft = place === undefined ? undefined : this.drafts.at(place)
    if (place === undefined || draft?.type !== 'todo_list') return draft
    return { ...draft, items: this.lists.at(this.listOf.at(place) ?? -1) }
  }
}
