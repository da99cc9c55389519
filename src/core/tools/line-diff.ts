/** A range of equal or of differing lines; `before` and `after` are 0-based line numbers. */
export interface DiffStretch {
  readonly kind: 'same' | 'changed'
  readonly before: number
  readonly beforeCount: number
  readonly after: number
  readonly afterCount: number
}

/** Limit of differing lines, since the time grows quadratically; above it only the ends are compared. */
const maxEdits = 1000
/** Limit of compared lines, without common ends. */
const maxLines = 40_000

export interface LineDiff {
  readonly stretches: readonly DiffStretch[]
  /** The middle exceeded the limits and was not compared. */
  readonly isRough: boolean
}

/** Added and deleted lines. */
export interface LineCounts {
  readonly added: number
  readonly deleted: number
}

/** Lines without line feeds; a final line feed starts no line. */
export function textLines(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** The shortest line diff. Bounded: very different sides count as replaced. */
export function diffLines(before: readonly string[], after: readonly string[]): LineDiff {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const { old, now } = numbered(before.slice(head, before.length - tail), after.slice(head, after.length - tail))
  const edits = old.length + now.length > maxLines ? null : fewestEdits(old, now)
  const stretches: DiffStretch[] = []
  const at = { before: 0, after: 0 }
  const add = (kind: DiffStretch['kind'], beforeCount: number, afterCount: number) => {
    if (beforeCount === 0 && afterCount === 0) return
    stretches.push({ kind, ...at, beforeCount, afterCount })
    at.before += beforeCount
    at.after += afterCount
  }
  const isGone = (line: number) => line < old.length && edits?.deleted[line] !== 0
  const isNew = (line: number) => line < now.length && edits?.added[line] !== 0
  /** Equal lines since the last stretch, starting with the common head. */
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

/** Line counts of the diff of two texts. */
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

/** Line counts of a unified diff's hunks. */
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

/** Numbers compare faster than strings. */
function numbered(before: readonly string[], after: readonly string[]): { old: Int32Array; now: Int32Array } {
  const numbers = new Map<string, number>()
  const numberOf = (line: string) => {
    const known = numbers.get(line)
    if (known === undefined) numbers.set(line, numbers.size)
    return known ?? numbers.size - 1
  }
  return { old: Int32Array.from(before, numberOf), now: Int32Array.from(after, numberOf) }
}

/** By line: 1 if it is deleted from the old side, or added on the new one. */
interface LineEdits {
  readonly deleted: Uint8Array
  readonly added: Uint8Array
}

/**
 * The shortest edit script (E. W. Myers, "An O(ND) difference algorithm and its variations", 1986). On diagonal k,
 * deletions minus additions, `reach` is the position in the old side. Null above `maxEdits`.
 */
function fewestEdits(old: Int32Array, now: Int32Array): LineEdits | null {
  const most = Math.min(maxEdits, old.length + now.length)
  const reach = new Int32Array(2 * most + 3)
  const zero = most + 1
  /** By number of edits: `reach` with one edit less, on the diagonals that the way back needs. */
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

/** The furthest edit on diagonal `k`; `x` is the position in the old side after it. */
function lastStep(reach: Int32Array, zero: number, k: number, edits: number): { x: number; isAdded: boolean } {
  const above = reach[zero + k + 1] ?? 0
  const below = reach[zero + k - 1] ?? 0
  const isAdded = k === -edits || (k !== edits && below < above)
  return { x: isAdded ? above : below + 1, isAdded }
}

function wayBack(former: readonly Int32Array[], oldLength: number, nowLength: number): LineEdits {
  const deleted = new Uint8Array(oldLength)
  const added = new Uint8Array(nowLength)
  let k = oldLength - nowLength
  for (let edits = former.length - 1; edits > 0; edits--) {
    const { x, isAdded } = lastStep(former[edits] ?? new Int32Array(), edits + 1, k, edits)
    if (isAdded) added[x - k - 1] = 1
    else deleted[x - 1] = 1
    k += isAdded ? 1 : -1
  }
  return { deleted, added }
}
