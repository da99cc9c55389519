import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Column } from '../column.ts'
import { forkState } from './fork-state.ts'
import { restoreState, saveState } from './saved-state.ts'

class Pair {
  private readonly left: unknown
  right: unknown

  constructor(left: unknown, right: unknown) {
    this.left = left
    this.right = right
  }

  get both(): unknown[] {
    return [this.left, this.right]
  }
}

class Unknown {
  readonly field = 1
}

const classes = [Pair]

/** As in another process: text, and copied arrays. */
function saved<T extends object>(state: T): T {
  const { structure, arrays } = saveState(state, classes)
  return restoreState({ structure, arrays: arrays.map((array) => array.slice()) }, classes) as T
}

const ways: readonly [string, <T extends object>(state: T) => T][] = [
  ['forked', forkState],
  ['saved and restored', saved]
]

const leaf = fc.oneof(
  fc.double(),
  fc.string(),
  fc.boolean(),
  fc.constantFrom(null, undefined, NaN, -0, Infinity, -Infinity, '__proto__')
)
const { anyState } = fc.letrec((tie) => ({
  anyState: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('anyState'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('anyState'), {
      maxKeys: 4,
      noNullPrototype: true
    }),
    fc.array(fc.tuple(tie('anyState'), tie('anyState')), { maxLength: 4 }).map((entries) => new Map(entries)),
    fc.array(tie('anyState'), { maxLength: 4 }).map((entries) => new Set(entries)),
    fc.tuple(tie('anyState'), tie('anyState')).map(([left, right]) => new Pair(left, right)),
    fc.uint8Array({ maxLength: 5 }),
    fc.array(fc.string(), { maxLength: 3 }).map((texts) => Object.freeze(texts))
  )
}))

describe.each(ways)('state that is %s', (_way, again) => {
  test('is the same, whatever it is made of', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const root = { state }
        expect(again(root)).toEqual(root)
      })
    )
  })

  test('has one part where it had one, in circles too', () => {
    const shared = new Pair(1, new Map([['a', [2]]]))
    const root = { first: shared, second: shared, list: [shared], itself: null as unknown }
    root.itself = root
    const copy = again(root)
    expect(copy.first).toBe(copy.second)
    expect(copy.list[0]).toBe(copy.first)
    expect(copy.itself).toBe(copy)
    expect(copy.first).not.toBe(shared)
    expect(copy.first.both).toEqual([1, new Map([['a', [2]]])])
  })

  test('goes its own way', () => {
    const column = new Column('int32', 2)
    for (let i = 0; i < 10; i++) column.push(i)
    const root = { column, numbers: Uint32Array.of(1, 2), map: new Map([['a', [1]]]) }
    const copy = again(root)
    copy.column.set(0, 100)
    copy.column.push(7)
    copy.numbers[0] = 100
    copy.map.get('a')?.push(2)
    root.column.set(1, -1)
    expect([root.column.at(0), root.column.length, root.numbers[0], root.map.get('a')]).toEqual([0, 10, 1, [1]])
    expect([copy.column.at(0), copy.column.at(1), copy.column.at(10), copy.column.length]).toEqual([100, 1, 7, 11])
  })

  test('keeps holes in lists what they are when read', () => {
    const list: (number | undefined)[] = []
    list[2] = 1
    const copy = again({ list })
    expect([...copy.list]).toEqual([undefined, undefined, 1])
  })

  test('a function is no state', () => {
    expect(() => again({ call: () => 1 })).toThrow(TypeError)
  })
})

test('a fork shares what is frozen', () => {
  const list = Object.freeze(['a'])
  expect(forkState({ list }).list).toBe(list)
  expect(Object.isFrozen(saved({ list }).list)).toBe(true)
})

test('a class that is not among those named is not saved', () => {
  expect(() => saveState({ one: new Unknown() }, classes)).toThrow(/Unknown/)
})

test.each([
  ['no JSON', '{'],
  ['nothing', '[]'],
  ['a class that is not known', '[[7,"field",1]]'],
  ['a part that is missing', '[["o","part",[3]]]'],
  ['an array that is missing', '[["array","Uint8Array",0]]'],
  ['a part of another kind', '[["what"]]']
])('%s is not restored', (_what, structure) => {
  expect(() => restoreState({ structure, arrays: [] }, classes)).toThrow()
})
