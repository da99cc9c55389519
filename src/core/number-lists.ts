import { Column } from './column.ts'

const chunkBits = 10
/** Maximum changes between a list and a whole one. */
const maxDepth = 32
/** Cached lists. */
const maxRecent = 8

/** A list is stored whole, as a replaced range (start, removed count, new numbers), or as pairs of place and number. */
const forms = ['whole', 'stretch', 'places'] as const
type Form = (typeof forms)[number]
const formShift = 6
const depthMask = 0x3f

/** Whole numbers from 0 to 2^32 - 1. */
export type Numbers = readonly number[]

/**
 * Lists of numbers, each stored as its difference from an earlier one. If one place of a long list changes at a time, a
 * list costs about 20 bytes. Any list is built in a bounded number of steps.
 */
export class NumberLists {
  /** By list: its form, and the number of changes since a whole list. */
  private readonly shapes = new Column('uint8', chunkBits)
  /** By list: the list it differs from; unused for whole ones. */
  private readonly formers = new Column('uint32', chunkBits)
  /** By list: its start in `parts`. */
  private readonly starts = new Column('uint32', chunkBits)
  private readonly parts = new Column('uint32', chunkBits)
  /** By number, oldest first. */
  private readonly recent = new Map<number, Numbers>()

  /** Returns the list's number; equal lists share one. `former`: the number of a similar list, or -1. */
  add(list: Numbers, former: number): number {
    const before = this.at(former)
    if (former >= 0 && list.length === before.length && list.every((each, i) => each === before[i])) return former
    const depth = former < 0 ? 0 : (this.shapes.at(former) & depthMask) + 1
    const change = depth === 0 || depth > maxDepth ? null : changeOf(before, list)
    const number = this.shapes.length
    if (change === null || change.parts.length * 2 > list.length + 4) this.push('whole', 0, 0, list)
    else this.push(change.form, depth, former, change.parts)
    this.remember(number, list)
    return number
  }

  /** The list of a number; an empty one for an unknown number. */
  at(number: number): Numbers {
    if (!(number >= 0 && number < this.shapes.length)) return []
    const steps: number[] = []
    let step = number
    for (; !this.recent.has(step) && (this.shapes.at(step) & depthMask) > 0; step = this.formers.at(step))
      steps.push(step)
    let list = this.recent.get(step) ?? this.partsOf(step)
    for (let next = steps.pop(); next !== undefined; next = steps.pop()) {
      list = changed(list, forms[this.shapes.at(next) >>> formShift] ?? 'whole', this.partsOf(next))
    }
    return this.remember(number, list)
  }

  private push(form: Form, depth: number, former: number, parts: Numbers): void {
    this.shapes.push((forms.indexOf(form) << formShift) | depth)
    this.formers.push(former)
    this.starts.push(this.parts.length)
    for (const part of parts) this.parts.push(part)
  }

  private partsOf(list: number): number[] {
    const start = this.starts.at(list)
    const end = list + 1 < this.starts.length ? this.starts.at(list + 1) : this.parts.length
    const parts: number[] = []
    for (let i = start; i < end; i++) parts.push(this.parts.at(i))
    return parts
  }

  private remember(number: number, list: Numbers): Numbers {
    this.recent.delete(number)
    this.recent.set(number, Object.freeze(list))
    for (const oldest of this.recent.keys()) {
      if (this.recent.size <= maxRecent) break
      this.recent.delete(oldest)
    }
    return list
  }
}

/** The difference: the range from the first change to the last, or the single changes. */
function changeOf(before: Numbers, after: Numbers): { readonly form: Form; readonly parts: Numbers } {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from++
  let end = 0
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const removed = before.length - end - from
  const stretch = after.slice(from, after.length - end)
  const places: number[] = []
  if (removed === stretch.length) {
    stretch.forEach((each, i) => {
      if (each !== before[from + i]) places.push(from + i, each)
    })
    if (places.length < stretch.length + 2) return { form: 'places', parts: places }
  }
  return { form: 'stretch', parts: [from, removed, ...stretch] }
}

function changed(list: Numbers, form: Form, parts: number[]): Numbers {
  if (form === 'places') {
    const next = list.slice()
    for (let i = 0; i < parts.length; i += 2) next[parts[i] ?? 0] = parts[i + 1] ?? 0
    return next
  }
  const [from = 0, removed = 0] = parts
  return [...list.slice(0, from), ...parts.slice(2), ...list.slice(from + removed)]
}
