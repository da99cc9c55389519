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
      /** null: nothing to open. */
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

/** Strings up to this length stand on their line; a longer one opens. */
export const inlineString = 160
/** Members listed at first, and how many more at a time. */
export const firstMembers = 100
export const moreMembers = 1000

/** What is open, and how many members of a container are listed where that is more than the first. */
export interface JsonView {
  readonly open: ReadonlySet<string>
  readonly listed: ReadonlyMap<string, number>
}

/** The lines of the tree that are in view: only what is open is walked, so size and depth of the whole do not matter. */
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

/** Opens containers level by level as long as the tree stays below `lines` lines. */
export function openAtFirst(root: unknown, lines: number): Set<string> {
  const open = new Set<string>()
  let left = lines
  let level: [string, unknown][] = [['$', root]]
  while (level.length > 0) {
    const next: [string, unknown][] = []
    for (const [path, value] of level) {
      if (!isContainer(value)) continue
      const size = memberCount(value)
      // An object's members say what it is, however many there are; a long list is only long.
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
