import { type TodoItem, todoStatuses } from '../events/todo.ts'
import { GrowingList } from '../growing-list.ts'
import { type Numbers, NumberLists } from '../number-lists.ts'

/**
 * Todo lists by number, each stored as its difference from an earlier one. If one item of a long list changes at a
 * time, a list costs about 20 bytes and its new texts.
 */
export class ItemLists {
  private readonly texts = new GrowingList<string>()
  /** An item is four times the number of its text plus the number of its status. */
  private readonly lists = new NumberLists()

  /** Returns the list's number; equal lists share one. `former`: the number of a similar list, or -1. */
  add(items: readonly TodoItem[], former: number): number {
    return this.lists.add(this.codesFor(items, this.lists.at(former)), former)
  }

  /** The list of a number; an empty one for an unknown number. */
  at(number: number): TodoItem[] {
    return this.lists.at(number).map((code) => ({
      text: this.texts.at(code >>> 2) ?? '',
      status: todoStatuses[code & 3] ?? 'pending'
    }))
  }

  /** Texts of the former list keep their numbers. */
  private codesFor(items: readonly TodoItem[], before: Numbers): Numbers {
    let numbers: Map<string, number> | null = null
    return items.map(({ text, status }, place) => {
      let number = (before[place] ?? -1) >> 2
      if (number < 0 || this.texts.at(number) !== text) {
        numbers ??= new Map(before.map((code) => [this.texts.at(code >>> 2) ?? '', code >>> 2]))
        number = numbers.get(text) ?? this.numberOfNew(text, numbers)
      }
      return number * 4 + todoStatuses.indexOf(status)
    })
  }

  private numberOfNew(text: string, numbers: Map<string, number>): number {
    const number = this.texts.length
    this.texts.push(text)
    numbers.set(text, number)
    return number
  }
}
