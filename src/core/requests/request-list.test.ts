import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forkState } from '../state/fork-state.ts'
import { RequestList } from './request-list.ts'
import type { RequestNote, TokenNote, TurnNote } from './request-note.ts'
import type { Tokens } from './tokens.ts'
import { usageOf } from './usage.ts'

function request(key: string, tokens: Tokens, rest: Partial<RequestNote> = {}): RequestNote {
  return { about: 'request', key, trackId: undefined, model: 'm', tokens, ...rest }
}

function turn(tokens: Tokens, rest: Partial<TurnNote> = {}): TurnNote {
  return { about: 'turn', trackId: undefined, model: 'm', tokens, ...rest }
}

function listOf(...notes: TokenNote[]): RequestList {
  const list = new RequestList()
  for (const [row, note] of notes.entries()) list.add(note, row, row)
  return list
}

const usage = (...notes: TokenNote[]) => usageOf(listOf(...notes))

describe('requests', () => {
  test('several lines are of one request: the last one counts', () => {
    const list = listOf(request('a', { input: 5, output: 1 }), request('a', { input: 5, output: 40 }))
    expect([...list]).toMatchObject([{ of: 'request', rowFirst: 0, rowLast: 1, tokens: { input: 5, output: 40 } }])
    expect(usageOf(list)).toMatchObject({ requests: 1, input: 5, output: 40, cacheRead: null, understatedRequests: 0 })
  })

  test('a log that states nothing has no usage; what is stated as 0 is 0', () => {
    expect(usage()).toBeNull()
    expect(usage(turn({}))).toBeNull()
    expect(usage(request('a', { input: 0, output: 0 }))).toMatchObject({ input: 0, output: 0, reasoning: null })
  })

  test('add up to more than one of them may have', () => {
    const found = usage(request('a', { cacheRead: 3e9 }), request('b', { cacheRead: 3e9 }))
    expect(found).toMatchObject({ cacheRead: 6e9, byTrack: [{ cacheRead: 6e9 }], byModel: [{ cacheRead: 6e9 }] })
  })

  test('are of their tracks and models', () => {
    const found = usage(
      request('a', { input: 1 }),
      request('b', { input: 2 }, { trackId: 'call', model: 'n' }),
      request('c', { input: 4 }, { model: undefined })
    )
    expect(found?.byTrack).toMatchObject([
      { trackId: null, requests: 2, input: 5 },
      { trackId: 'call', requests: 1, input: 2 }
    ])
    expect(found?.byModel.map(({ model, input }) => [model, input])).toEqual([
      ['m', 1],
      ['n', 2],
      [null, 4]
    ])
  })

  test('between two rows are those that began there', () => {
    const list = listOf(request('a', { input: 1 }), request('b', { input: 2 }), request('a', { input: 9 }))
    expect([...list.between(0, 1)]).toMatchObject([{ tokens: { input: 9 } }])
    expect([...list.between(1, 3)]).toMatchObject([{ tokens: { input: 2 } }])
  })
})

describe('an output', () => {
  test('far below the text that was written is understated: a sum with it is "at least"', () => {
    const found = usage(request('a', { output: 3 }, { written: 400 }), request('b', { output: 100 }, { written: 400 }))
    expect(found).toMatchObject({ output: 103, understatedRequests: 1, outputByText: 200 })
  })

  test('of little text is as stated; characters of several lines count together', () => {
    expect(usage(request('a', { output: 3 }, { written: 200 }))).toMatchObject({ understatedRequests: 0 })
    const two = request('a', { output: 3 }, { written: 150 })
    expect(usage(two, two)).toMatchObject({ understatedRequests: 1, outputByText: 75 })
  })

  test('that is not stated is unknown, and no estimate is made of it', () => {
    expect(usage(request('a', { input: 7 }))).toMatchObject({
      output: null,
      understatedRequests: 1,
      outputByText: null
    })
  })
})

describe('the end of a turn', () => {
  test('states what its requests did not', () => {
    const list = listOf(
      request('a', { input: 4 }),
      request('b', { input: 6, output: 5 }),
      turn({ input: 10, output: 50 })
    )
    expect([...list].map(({ of, tokens }) => [of, tokens.output])).toEqual([
      ['request', undefined],
      ['request', 5],
      ['rest', 45]
    ])
    expect(usageOf(list)).toMatchObject({ requests: 2, input: 10, output: 50, understatedRequests: 0 })
  })

  test('that has sent less than its requests leaves some out: the output stays "at least"', () => {
    const found = usage(request('a', { input: 4 }), request('b', { input: 6 }), turn({ input: 4, output: 5 }))
    expect(found).toMatchObject({ input: 10, output: 5, understatedRequests: 2 })
  })

  test('is all there is where a log states no requests', () => {
    expect(usage(turn({ input: 10, output: 5 }), turn({ input: 1, output: 1 }))).toMatchObject({
      requests: null,
      input: 11,
      output: 6,
      understatedRequests: 0
    })
  })

  test('is of its own track, and of what came since the end before', () => {
    const found = usage(
      request('a', { input: 1, output: 1 }),
      turn({ input: 1, output: 9 }),
      request('s', { input: 1 }, { trackId: 'call' }),
      request('b', { input: 1 }),
      turn({ input: 1, output: 4 })
    )
    expect(found?.byTrack).toMatchObject([
      { trackId: null, output: 13, understatedRequests: 0 },
      { trackId: 'call', output: null, understatedRequests: 1 }
    ])
  })

  test('says how large the context of a model is, and when the first answer began', () => {
    const notes = [
      request('a', { input: 1 }),
      request('b', { input: 1 }),
      turn({}, { windows: { m: 200 }, firstTokenMs: 7 })
    ]
    expect([...listOf(...notes)]).toMatchObject([
      { window: 200, firstTokenMs: 7 },
      { window: 200, firstTokenMs: null }
    ])
  })
})

test('sums are those of a simple count, and a copy of the list goes on by itself', () => {
  const tokens = fc.record({ input: fc.nat(100), output: fc.nat(100) }, { requiredKeys: [] })
  const note = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), tokens })
  fc.assert(
    fc.property(fc.array(note), fc.array(note), (first, second) => {
      const list = listOf(...first.map((each) => request(each.key, each.tokens)))
      const copy = forkState(list)
      const before = usageOf(list)
      for (const each of second) copy.add(request(each.key, each.tokens), 0, 0)
      expect(usageOf(list)).toEqual(before)
      const last = new Map<string, Tokens>()
      for (const each of [...first, ...second]) last.set(each.key, { ...last.get(each.key), ...each.tokens })
      const sum = (category: 'input' | 'output') =>
        [...last.values()].reduce<number | null>(
          (all, each) => (each[category] === undefined ? all : (all ?? 0) + each[category]),
          null
        )
      const found = usageOf(copy)
      expect([found?.requests ?? 0, found?.input ?? null, found?.output ?? null]).toEqual([
        last.size,
        sum('input'),
        sum('output')
      ])
    })
  )
})
