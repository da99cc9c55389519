import { sameTodoItems, type TodoItem } from '../events/todo.ts'
import { GrowingList } from '../growing-list.ts'

/** A list is put together of this many steps at most. */
const maxSteps = 32
/** Lists put together lately. */
const maxRecent = 16

/** How a list came about: whole, or from the list `former`. */
interface Step {
  /** How many steps it takes from a whole list to this one: 0 for a whole one. */
  readonly depth: number
  readonly former: number
  /** At `from` of the former list, `removed` items give way to `items`. Where `places` are given, those there give way one by one. */
  readonly from: number
  readonly removed: number
  readonly items: readonly TodoItem[]
  readonly places: readonly number[] | null
}

/**
 * Todo lists by number, each kept as what it changed against an earlier one: a long list of which one item changes at a time costs about
 * as much as the items that changed. Whatever list is asked for is put together in a bounded number of steps.
 */
export class ItemLists {
  private readonly steps = new GrowingList<Step>()
  /** By number, the oldest first. */
  private readonly recent = new Map<number, readonly TodoItem[]>()

  /** Keeps a list and gives its number. `former`: that of one which is alike, -1 for none; the same list has the same number. */
  add(items: readonly TodoItem[], former: number): number {
    const before = this.at(former)
    if (former >= 0 && sameTodoItems(before, items)) return former
    const list = sharing(before, items)
    const step = former < 0 ? whole(list) : this.change(former, before, list)
    this.steps.push(Object.freeze(step))
    this.remember(this.steps.length - 1, list)
    return this.steps.length - 1
  }

  /** The list of a number that `add` gave; an empty one for any other. */
  at(number: number): readonly TodoItem[] {
    const known = this.recent.get(number)
    if (known !== undefined) return known
    const steps: Step[] = []
    for (let step = this.steps.at(number); step !== undefined; step = this.steps.at(step.former)) {
      steps.push(step)
      if (step.depth === 0) break
    }
    let list: TodoItem[] = []
    for (const { from, removed, items, places } of steps.reverse()) {
      if (places === null) list = [...list.slice(0, from), ...items, ...list.slice(from + removed)]
      else for (const [i, place] of places.entries()) list[place] = items[i] ?? noItem
    }
    return steps.length === 0 ? list : this.remember(number, Object.freeze(list))
  }

  private change(former: number, before: readonly TodoItem[], list: readonly TodoItem[]): Step {
    const depth = (this.steps.at(former)?.depth ?? 0) + 1
    if (depth > maxSteps) return whole(list)
    const step = { depth, former, ...difference(before, list) }
    return step.items.length * 2 > list.length ? whole(list) : step
  }

  private remember(number: number, list: readonly TodoItem[]): readonly TodoItem[] {
    this.recent.set(number, list)
    for (const oldest of this.recent.keys()) {
      if (this.recent.size <= maxRecent) break
      this.recent.delete(oldest)
    }
    return list
  }
}

const noItem: TodoItem = { text: '', status: 'pending' }

function whole(items: readonly TodoItem[]): Step {
  return { depth: 0, former: -1, from: 0, removed: 0, items, places: null }
}

/** `items` as a list of its own, with the items and texts of the list before where they are the same. */
function sharing(before: readonly TodoItem[], items: readonly TodoItem[]): readonly TodoItem[] {
  let byText: Map<string, TodoItem> | null = null
  const list = items.map(({ text, status }, place) => {
    let known = before[place]
    if (known?.text !== text) {
      byText ??= new Map(before.map((item) => [item.text, item]))
      known = byText.get(text)
    }
    if (known?.status === status) return known
    return Object.freeze({ text: known?.text ?? text, status })
  })
  return Object.freeze(list)
}

/** Items are shared, so equal ones are the same. */
function difference(before: readonly TodoItem[], after: readonly TodoItem[]): Omit<Step, 'depth' | 'former'> {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from++
  let end = 0
  while (end < shorter - from && before.at(-1 - end) === after.at(-1 - end)) end++
  const removed = before.length - end - from
  const items = after.slice(from, after.length - end)
  if (removed !== items.length) return { from, removed, items: Object.freeze(items), places: null }
  const places: number[] = []
  items.forEach((item, i) => {
    if (item !== before[from + i]) places.push(from + i)
  })
  const changed = items.filter((item, i) => item !== before[from + i])
  return { from, removed, items: Object.freeze(changed), places: Object.freeze(places) }
}
