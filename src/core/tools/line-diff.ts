/** Lines that both sides have, or that only one of them has; `before` and `after` count lines of each side from 0. */
export interface DiffStretch {
  readonly kind: 'same' | 'changed'
  readonly before: number
  readonly beforeCount: number
  readonly after: number
  readonly afterCount: number
}

/** Sides that differ in more lines are compared only at their ends: the time grows with the square. */
const mostEdits = 1000
/** And sides of so many lines, in all, between what they have in common at their ends. */
const mostLines = 40_000

export interface LineDiff {
  readonly stretches: readonly DiffStretch[]
  /** The middle was not compared line by line: too much of it differs. */
  readonly isRough: boolean
}

/** How many lines came and went. */
export interface LineCounts {
  readonly added: number
  readonly deleted: number
}

/** The lines of a text without their line feeds; a line feed at its end begins no other line. */
export function textLines(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** How `after` came out of `before`, line by line, in as few changed lines as can be. Bounded: sides that have little in common are told apart as wholes. */
export function diffLines(before: readonly string[], after: readonly string[]): LineDiff {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const { old, now } = numbered(before.slice(head, before.length - tail), after.slice(head, after.length - tail))
  const edits = old.length + now.length > mostLines ? null : fewestEdits(old, now)
  const stretches: DiffStretch[] = []
  const at = { before: 0, after: 0 }
  const add = (kind: DiffStretch['kind'], beforeCount: number, afterCount: number) => {
    if (beforeCount === 0 && afterCount === 0) return
    stretches.push({ kind, ...at, beforeCount, afterCount })
    at.before += beforeCount
    at.after += afterCount
  }
  const isGone = (line: number) => line < old.length && edits?.gone[line] !== 0
  const isNew = (line: number) => line < now.length && edits?.come[line] !== 0
  /** The lines since the last stretch that stay: at first what both sides begin with. */
  let same = head
  for (let [x, y] = [0, 0]; x < old.length || y < now.length;) {
    const [fromX, fromY] = [x, y]
    while (isGone(x)) x++
    while (isNew(y)) y++
    if (x > fromX || y > fromY) {
      add('same', same, same)
      add('changed', x - fromX, y - fromY)
      same = 0
    } else {
      same++
      x++
      y++
    }
  }
  add('same', same + tail, same + tail)
  return { stretches, isRough: edits === null }
}

/** How many lines came and went between two texts: what a diff of them shows. */
export function lineCounts(before: string, after: string): LineCounts {
  let added = 0
  let deleted = 0
  for (const { kind, beforeCount, afterCount } of diffLines(textLines(before), textLines(after)).stretches) {
    if (kind === 'same') continue
    added += afterCount
    deleted += beforeCount
  }
  return { added, deleted }
}

/** How many lines the hunks of a unified diff add and delete; what stands before the first one is no line. */
export function hunkCounts(patch: string): LineCounts {
  let added = 0
  let deleted = 0
  let inHunk = false
  for (const line of textLines(patch)) {
    if (line.startsWith('@@')) inHunk = true
    else if (inHunk && line.startsWith('+')) added++
    else if (inHunk && line.startsWith('-')) deleted++
  }
  return { added, deleted }
}

/** Numbers are compared faster than lines. */
function numbered(before: readonly string[], after: readonly string[]): { old: Int32Array; now: Int32Array } {
  const numbers = new Map<string, number>()
  const numberOf = (line: string) => {
    const known = numbers.get(line)
    if (known === undefined) numbers.set(line, numbers.size)
    return known ?? numbers.size - 1
  }
  return { old: Int32Array.from(before, numberOf), now: Int32Array.from(after, numberOf) }
}

/** Which lines of the old side go, and which of the new one come: 1 for such a line. */
interface LineEdits {
  readonly gone: Uint8Array
  readonly come: Uint8Array
}

/**
 * The fewest lines that go and come (E. W. Myers, "An O(ND) difference algorithm and its variations", 1986). On diagonal k, where k more
 * lines went than came, `reach` is how far the old side is read. Null: more than `mostEdits`.
 */
function fewestEdits(old: Int32Array, now: Int32Array): LineEdits | null {
  const most = Math.min(mostEdits, old.length + now.length)
  const reach = new Int32Array(2 * most + 3)
  const zero = most + 1
  /** For each number of edits, `reach` with one edit less, on the diagonals that the way back may ask for. */
  const former: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    former.push(reach.slice(zero - edits - 1, zero + edits + 2))
    for (let k = -edits; k <= edits; k += 2) {
      let x = edits === 0 ? 0 : lastStep(reach, zero, k, edits).x
      while (x < old.length && x - k < now.length && old[x] === now[x - k]) x++
      reach[zero + k] = x
      if (x >= old.length && x - k >= now.length) return wayBack(former, old.length, now.length)
    }
  }
  return null
}

/** The edit that leads furthest on diagonal `k`: a line that comes, or one that goes; `x` is how far the old side is read after it. */
function lastStep(reach: Int32Array, zero: number, k: number, edits: number): { x: number; comes: boolean } {
  const above = reach[zero + k + 1] ?? 0
  const below = reach[zero + k - 1] ?? 0
  const comes = k === -edits || (k !== edits && below < above)
  return { x: comes ? above : below + 1, comes }
}

function wayBack(former: readonly Int32Array[], oldLength: number, nowLength: number): LineEdits {
  const gone = new Uint8Array(oldLength)
  const come = new Uint8Array(nowLength)
  let k = oldLength - nowLength
  for (let edits = former.length - 1; edits > 0; edits--) {
    const { x, comes } = lastStep(former[edits] ?? new Int32Array(), edits + 1, k, edits)
    if (comes) come[x - k - 1] = 1
    else gone[x - 1] = 1
    k += comes ? 1 : -1
  }
  return { gone, come }
}
