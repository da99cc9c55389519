import { Column } from '../column.ts'
import { type TodoItem, todoStatuses } from '../events/todo.ts'
import { GrowingList } from '../growing-list.ts'

const chunkBits = 10
/** A list is put together of a whole one and this many changes at most. */
const maxDepth = 32
/** Lists put together lately. */
const maxRecent = 8

/** How a list is written: all its codes; a change of a stretch, as where it begins, how much goes and what comes; or single places and their codes. */
const forms = ['whole', 'stretch', 'places'] as const
type Form = (typeof forms)[number]
const formShift = 6
const depthMask = 0x3f

/** An item as a number: four times that of its text, plus that of its status. */
type Codes = readonly number[]

/**
 * Todo lists by number, each kept as what it changed against an earlier one: where one item of a long list changes at a time, a list
 * costs about 20 bytes and the texts that are new. Whatever list is asked for is put together in a bounded number of steps.
 */
export class ItemLists {
  private readonly texts = new GrowingList<string>()
  /** By list: its form, and how many steps it takes from a whole list. */
  private readonly shapes = new Column('uint8', chunkBits)
  /** By list: the one it is a change of; means nothing for a whole one. */
  private readonly formers = new Column('uint32', chunkBits)
  /** By list: where it begins in `parts`. */
  private readonly starts = new Column('uint32', chunkBits)
  private readonly parts = new Column('uint32', chunkBits)
  /** By number, the oldest first. */
  private readonly recent = new Map<number, Codes>()

  /** Keeps a list and gives its number. `former`: that of one which is alike, -1 for none; the same list has the same number. */
  add(items: readonly TodoItem[], former: number): number {
    const before = this.codesOf(former)
    const codes = this.codesFor(items, before)
    if (former >= 0 && codes.length === before.length && codes.every((code, i) => code === before[i])) return former
    const depth = former < 0 ? 0 : (this.shapes.at(former) & depthMask) + 1
    const change = depth === 0 || depth > maxDepth ? null : changeOf(before, codes)
    const number = this.shapes.length
    if (change === null || change.parts.length * 2 > codes.length + 4) this.push('whole', 0, 0, codes)
    else this.push(change.form, depth, former, change.parts)
    this.remember(number, codes)
    return number
  }

  /** The list of a number that `add` gave; an empty one for any other. */
  at(number: number): TodoItem[] {
    return this.codesOf(number).map((code) => ({
      text: this.texts.at(code >>> 2) ?? '',
      status: todoStatuses[code & 3] ?? 'pending'
    }))
  }

  private push(form: Form, depth: number, former: number, parts: Codes): void {
    this.shapes.push((forms.indexOf(form) << formShift) | depth)
    this.formers.push(former)
    this.starts.push(this.parts.length)
    for (const part of parts) this.parts.push(part)
  }

  private codesOf(number: number): Codes {
    if (!(number >= 0 && number < this.shapes.length)) return []
    const steps: number[] = []
    let step = number
    for (; !this.recent.has(step) && (this.shapes.at(step) & depthMask) > 0; step = this.formers.at(step))
      steps.push(step)
    const base = this.recent.get(step) ?? this.partsOf(step)
    let codes = base
    for (let next = steps.pop(); next !== undefined; next = steps.pop()) {
      codes = changed(codes, forms[this.shapes.at(next) >>> formShift] ?? 'whole', this.partsOf(next))
    }
    return this.remember(number, codes)
  }

  private partsOf(list: number): number[] {
    const start = this.starts.at(list)
    const end = list + 1 < this.starts.length ? this.starts.at(list + 1) : this.parts.length
    const parts: number[] = []
    for (let i = start; i < end; i++) parts.push(this.parts.at(i))
    return parts
  }

  /** Texts of the list before keep their numbers. */
  private codesFor(items: readonly TodoItem[], before: Codes): Codes {
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

  private remember(number: number, codes: Codes): Codes {
    this.recent.delete(number)
    this.recent.set(number, Object.freeze(codes))
    for (const oldest of this.recent.keys()) {
      if (this.recent.size <= maxRecent) break
      this.recent.delete(oldest)
    }
    return codes
  }
}

/** A shorter way to say `after` than all of it: what lies between the first change and the last, or the changes one by one. */
function changeOf(before: Codes, after: Codes): { readonly form: Form; readonly parts: Codes } {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from++
  let end = 0
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const removed = before.length - end - from
  const stretch = after.slice(from, after.length - end)
  const places: number[] = []
  if (removed === stretch.length) {
    stretch.forEach((code, i) => {
      if (code !== before[from + i]) places.push(from + i, code)
    })
    if (places.length < stretch.length + 2) return { form: 'places', parts: places }
  }
  return { form: 'stretch', parts: [from, removed, ...stretch] }
}

function changed(codes: Codes, form: Form, parts: number[]): Codes {
  if (form === 'places') {
    const list = codes.slice()
    for (let i = 0; i < parts.length; i += 2) list[parts[i] ?? 0] = parts[i + 1] ?? 0
    return list
  }
  const [from = 0, removed = 0] = parts
  return [...codes.slice(0, from), ...parts.slice(2), ...codes.slice(from + removed)]
}
