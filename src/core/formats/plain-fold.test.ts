import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PlainFold } from './plain-fold.ts'
import type { TreeNode } from './plain-record.ts'

/** The offsets that each record marks as abandoned, latest first. A record is at the offset of its place in the list. */
function abandonedBy(nodes: readonly TreeNode[]): number[][] {
  const fold = new PlainFold({})
  return nodes.map((node, offset) => {
    const { marks = [] } = fold.add(
      { line: offset + 1, offset, length: 1 },
      { drafts: [], issues: [], steps: [], node }
    )
    return marks.flatMap(({ at, mark }) => (mark === 'abandoned' ? at.offset : []))
  })
}

/** The same, by a map in the order of the branch. */
function expectedOf(nodes: readonly TreeNode[]): number[][] {
  const branch = new Map<string, number>()
  let tip: string | undefined
  return nodes.map(({ id, parent }, offset) => {
    const left: number[] = []
    if (parent !== undefined && parent !== tip && branch.has(parent)) {
      for (const [key, at] of [...branch].toReversed()) {
        if (key === parent) break
        left.push(at)
        branch.delete(key)
      }
    }
    tip = id
    branch.delete(id)
    branch.set(id, offset)
    return left
  })
}

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const node = fc.record({ id: ids, parent: fc.option(ids, { nil: undefined }) })

test('a record leaves what came after its parent, also where ids come again', () => {
  fc.assert(
    fc.property(fc.array(node, { maxLength: 40 }), (nodes) => {
      expect(abandonedBy(nodes)).toEqual(expectedOf(nodes))
    })
  )
})

test('of a long branch the last 20,000 records are known at least', () => {
  const count = 45_000
  const nodes = Array.from({ length: count }, (_, at) => ({
    id: `r${at}`,
    parent: at === 0 ? undefined : `r${at - 1}`
  }))
  const known = abandonedBy([...nodes, { id: 'new', parent: `r${count - 20_000}` }]).at(-1)
  expect(known).toHaveLength(19_999)
  expect(known?.at(-1)).toBe(count - 19_999)
  expect(abandonedBy([...nodes, { id: 'new', parent: 'r0' }]).at(-1)).toEqual([])
})
