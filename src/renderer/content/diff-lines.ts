import { diffArrays } from 'diff'

/** Lines that both sides have, or that only one of them has; `before` and `after` count lines of each side from 0. */
export interface DiffStretch {
  readonly kind: 'same' | 'changed'
  readonly before: number
  readonly beforeCount: number
  readonly after: number
  readonly afterCount: number
}

/** Sides that differ in more lines, or take longer to compare, in ms, are compared only at their ends: the time grows with the square. */
const bounds = { maxEditLength: 1000, timeout: 40 }
/** And sides of so many lines, in all, between what they have in common at their ends. */
const mostLines = 40_000

export interface LineDiff {
  readonly stretches: readonly DiffStretch[]
  /** The middle was not compared line by line: too much of it differs. */
  readonly isRough: boolean
}

/** How `after` came out of `before`, line by line. Bounded: sides that have little in common are told apart as wholes. */
export function diffLines(before: readonly string[], after: readonly string[]): LineDiff {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const old = before.slice(head, before.length - tail)
  const now = after.slice(head, after.length - tail)
  const stretches: DiffStretch[] = []
  const at = { before: 0, after: 0 }
  const add = (kind: DiffStretch['kind'], beforeCount: number, afterCount: number) => {
    if (beforeCount === 0 && afterCount === 0) return
    const last = stretches.at(-1)
    if (last?.kind === kind) {
      const both = { beforeCount: last.beforeCount + beforeCount, afterCount: last.afterCount + afterCount }
      stretches[stretches.length - 1] = { ...last, ...both }
    } else stretches.push({ kind, ...at, beforeCount, afterCount })
    at.before += beforeCount
    at.after += afterCount
  }
  add('same', head, head)
  const changes = old.length + now.length > mostLines ? undefined : diffArrays(old, now, bounds)
  if (changes === undefined) add('changed', old.length, now.length)
  for (const { added, removed, count } of changes ?? []) {
    if (added) add('changed', 0, count)
    else if (removed) add('changed', count, 0)
    else add('same', count, count)
  }
  add('same', tail, tail)
  return { stretches, isRough: changes === undefined }
}
