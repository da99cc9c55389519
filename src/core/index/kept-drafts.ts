import type { EventDraft } from '../formats/log-format.ts'
import { GrowingList } from '../growing-list.ts'
import { ItemLists } from '../replay/item-lists.ts'
import { SparseNumbers } from '../sparse-numbers.ts'

/** The drafts of few rows: those that reading the line again does not give. */
export class KeptDrafts {
  private readonly places = new SparseNumbers('uint32')
  private readonly drafts = new GrowingList<EventDraft>()
  private readonly lists = new ItemLists()
  /** Of a draft that is a todo list: where its items are kept. */
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

  /** Undefined where none was kept. */
  at(row: number): EventDraft | undefined {
    const place = this.places.at(row)
    const draft = place === undefined ? undefined : this.drafts.at(place)
    if (place === undefined || draft?.type !== 'todo_list') return draft
    return { ...draft, items: this.lists.at(this.listOf.at(place) ?? -1) }
  }
}
