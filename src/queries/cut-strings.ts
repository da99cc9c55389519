import { wellFormedHead } from '#core/index/one-line.ts'
import { memberPath } from '#core/json-path.ts'

/** A cut string or list: its JSON path and full length (characters or entries). */
export interface Cut {
  path: string
  length: number
}

/** The limit of one answer, shared by all its values. */
export class CutBudget {
  /** Characters of all strings. */
  characters = 4_000_000
  /** Values of all kinds; further entries of lists and objects are cut. */
  values = 20_000

  /** Subtracts what was used of `other`, which had the default size. */
  take({ characters, values }: CutBudget): void {
    const full = new CutBudget()
    this.characters -= full.characters - characters
    this.values -= full.values - values
  }

  get isSpent(): boolean {
    return this.characters <= 0 || this.values <= 0
  }
}

const maxDepth = 200
const maxCuts = 1000
// Never cut: ids, types and statuses must stay valid.
const shortString = 100
const smallObject = 32

/** A copy with strings cut at `limit` (at least 100) and values cut at the budget. `cut`: the first thousand. */
export function cutStrings<T>(value: T, limit: number, budget: CutBudget): { value: T; cut: Cut[] } {
  const cut: Cut[] = []
  const named = (path: string, length: number) => {
    if (cut.length < maxCuts) cut.push({ path, length })
  }

  const copy = (part: unknown, path: string, depth: number): unknown => {
    budget.values--
    if (typeof part === 'string') return text(part, path)
    if (typeof part !== 'object' || part === null) return part
    if (depth >= maxDepth) {
      named(path, Object.keys(part).length)
      return Array.isArray(part) ? [] : {}
    }
    return Array.isArray(part) ? list(part, path, depth) : object(Object.entries(part), path, depth)
  }

  const text = (part: string, path: string): string => {
    const room = Math.max(shortString, Math.min(limit, budget.characters))
    const kept = part.length <= room ? part : wellFormedHead(part, room)
    budget.characters -= kept.length
    if (kept.length < part.length) named(path, part.length)
    return kept
  }

  const list = (parts: readonly unknown[], path: string, depth: number): unknown[] => {
    const kept: unknown[] = []
    for (const part of parts) {
      if (budget.values <= 0) break
      kept.push(copy(part, memberPath(path, kept.length), depth + 1))
    }
    if (kept.length < parts.length) named(path, parts.length)
    return kept
  }

  const object = (entries: readonly [string, unknown][], path: string, depth: number): unknown => {
    const kept: [string, unknown][] = []
    for (const [key, part] of entries) {
      if (part === undefined) continue
      const full = budget.values <= 0 && (depth > 2 || entries.length > smallObject)
      if (full || key.length > Math.max(shortString, budget.characters)) {
        named(path, entries.length)
        break
      }
      budget.characters -= key.length
      kept.push([key, copy(part, memberPath(path, key), depth + 1)])
    }
    return Object.fromEntries(kept)
  }

  return { value: copy(value, '$', 0) as T, cut }
}
