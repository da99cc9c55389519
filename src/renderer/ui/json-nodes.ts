import { memberPath } from '#core/json-path.ts'

/** A line of a JSON tree. `rest`: the members of `path` that are not listed yet. */
export type JsonNode =
  | {
      readonly kind: 'value'
      readonly path: string
      readonly key: string | number | null
      readonly value: unknown
      readonly depth: number
      readonly position: number
      readonly siblings: number
      /** Null if it cannot be expanded. */
      readonly open: boolean | null
    }
  | {
      readonly kind: 'rest'
      readonly path: string
      readonly depth: number
      readonly position: number
      readonly siblings: number
      readonly count: number
    }

/** Strings up to this length are on their line; a longer one can be expanded. */
export const inlineString = 160
/** Members listed at first, and per "more". */
export const firstMembers = 100
export const moreMembers = 1000

/** Expanded paths, and the number of listed members per container if above the default. */
export interface JsonView {
  readonly open: ReadonlySet<string>
  readonly listed: ReadonlyMap<string, number>
}

/** The visible lines of the tree. Only expanded parts are visited, so the size of the whole does not matter. */
export function jsonNodes(root: unknown, view: JsonView): JsonNode[] {
  const nodes: JsonNode[] = []
  const visit = (
    path: string,
    key: string | number | null,
    value: unknown,
    depth: number,
    position: number,
    siblings: number
  ) => {
    const open = isOpenable(value) ? view.open.has(path) : null
    nodes.push({ kind: 'value', path, key, value, depth, position, siblings, open })
    if (open !== true || !isContainer(value)) return
    const size = memberCount(value)
    const listed = Math.min(size, view.listed.get(path) ?? firstMembers)
    const lines = listed < size ? listed + 1 : size
    membersOf(value, listed).forEach(([name, member], at) =>
      visit(memberPath(path, name), name, member, depth + 1, at + 1, lines)
    )
    if (listed < size)
      nodes.push({ kind: 'rest', path, depth: depth + 1, position: lines, siblings: lines, count: size - listed })
  }
  visit('$', null, root, 1, 1, 1)
  return nodes
}

/** Expands containers level by level while the tree has fewer than `lines` lines. */
export function openAtFirst(root: unknown, lines: number): Set<string> {
  const open = new Set<string>()
  let left = lines
  let level: [string, unknown][] = [['$', root]]
  while (level.length > 0) {
    const next: [string, unknown][] = []
    for (const [path, value] of level) {
      if (!isContainer(value)) continue
      const size = memberCount(value)
      // The members of an object are always informative; a long list is not expanded.
      if (size > left && (path !== '$' || Array.isArray(value))) continue
      left -= Math.min(size, firstMembers)
      open.add(path)
      for (const [key, member] of membersOf(value, firstMembers)) next.push([memberPath(path, key), member])
    }
    level = next
  }
  return open
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

export function memberCount(value: object): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

function isOpenable(value: unknown): boolean {
  return isContainer(value) ? memberCount(value) > 0 : typeof value === 'string' && value.length > inlineString
}

function membersOf(value: object, count: number): [string | number, unknown][] {
  if (Array.isArray(value)) return value.slice(0, count).map((member: unknown, index) => [index, member])
  return Object.entries(value).slice(0, count)
}
