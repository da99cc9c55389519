import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TodoItem, type TodoStatus, todoStatuses } from '../events/todo.ts'
import { forkState } from '../state/fork-state.ts'
import { isAway, type LaneState, laneStates, TodoLanes } from './todo-lanes.ts'

/** A list as "[ ] read, [>] write, [x] test, [-] drop". */
function listOf(text: string): TodoItem[] {
  const marks: Record<string, TodoStatus> = { ' ': 'pending', '>': 'in_progress', x: 'completed', '-': 'cancelled' }
  return [...text.matchAll(/\[(.)\] ([^,]+)/g)].map(([, mark = ' ', words = '']) => ({
    text: words,
    status: marks[mark] ?? 'pending'
  }))
}

/** The lanes of lists of one track. */
function lanesOf(...lists: readonly string[]): TodoLanes {
  const lanes = new TodoLanes()
  lists.forEach((list, i) => lanes.add(listOf(list), i - 1, 0))
  return lanes
}

/** For each list the lanes of its items. */
function laneNumbers(...lists: readonly string[]): number[][] {
  const lanes = lanesOf(...lists)
  return lists.map((_, i) => lanes.placesAt(i).map(({ lane }) => lane))
}

describe('which item of a list is which one of the list before', () => {
  test('the one with the same text, wherever it stands', () => {
    expect(laneNumbers('[ ] read, [ ] write', '[x] write, [>] read')).toEqual([
      [0, 1],
      [1, 0]
    ])
  })

  test('equal texts are told by their order', () => {
    expect(laneNumbers('[x] test, [ ] write, [ ] test', '[x] test, [>] test')).toEqual([
      [0, 1, 2],
      [0, 2]
    ])
  })

  test('one that was edited is told by its place between the items that stayed', () => {
    expect(laneNumbers('[x] read, [>] write it, [ ] ship', '[x] read, [>] draft a text, [ ] ship')).toEqual([
      [0, 1, 2],
      [0, 1, 2]
    ])
  })

  test('several that were edited in one place are told by their number', () => {
    expect(laneNumbers('[x] read, [ ] one, [ ] two', '[x] read, [ ] uno, [ ] due')[1]).toEqual([0, 1, 2])
  })

  test('where more came than went, only texts that begin and end alike are the same item', () => {
    expect(
      laneNumbers(
        '[x] read, [ ] update the readme, [ ] ship',
        '[x] read, [ ] plan, [ ] update the readme again, [ ] ship'
      )[1]
    ).toEqual([0, 3, 1, 2])
    expect(laneNumbers('[x] read, [ ] look, [ ] ship', '[x] read, [ ] plan, [ ] draw, [ ] ship')[1]).toEqual([
      0, 3, 4, 2
    ])
  })

  test('finished work does not become work that is to be done: the next plan has lanes of its own', () => {
    expect(laneNumbers('[x] read, [x] write', '[>] answer, [ ] ask')[1]).toEqual([2, 3])
    expect(laneNumbers('[ ] read, [>] write', '[>] answer, [ ] ask')[1]).toEqual([0, 1])
  })

  test('one that was moved is no place for others to be told by', () => {
    expect(laneNumbers('[ ] a, [ ] x, [ ] b, [ ] c', '[ ] b, [ ] c, [ ] a, [ ] y')[1]).toEqual([2, 3, 0, 4])
  })

  test('one that was away comes back to its lane, and is not taken for an edit', () => {
    const lists = [
      '[x] read, [ ] write',
      '[>] write',
      '[x] read, [>] write',
      '[x] read, [>] draft',
      '[x] read, [ ] write'
    ] as const
    expect(laneNumbers(...lists)).toEqual([[0, 1], [1], [0, 1], [0, 1], [0, 1]])
    expect(laneNumbers('[ ] a, [ ] b', '[ ] a', '[ ] a, [ ] c', '[ ] a, [ ] b')).toEqual([[0, 1], [0], [0, 2], [0, 1]])
  })

  test('of equal ones that were away the first comes back first, or the one that went last', () => {
    expect(laneNumbers('[ ] a, [ ] a', '', '[ ] a, [ ] a')).toEqual([[0, 1], [], [0, 1]])
    expect(laneNumbers('[ ] a, [ ] a, [ ] b', '[ ] a, [ ] b', '[ ] b', '[ ] a, [ ] b').at(-1)).toEqual([0, 2])
  })

  test('a track has its own', () => {
    const lanes = new TodoLanes()
    lanes.add(listOf('[ ] read'), -1, 0)
    lanes.add(listOf('[>] read'), -1, 1)
    lanes.add(listOf(''), 0, 0)
    lanes.add(listOf('[x] read'), 1, 1)
    lanes.add(listOf('[x] read'), 2, 0)
    expect([1, 3, 4].map((i) => lanes.placesAt(i)[0]?.lane)).toEqual([1, 1, 0])
  })
})

describe('what is told of an item', () => {
  test('since when it has its status: another text or place changes nothing about that, to be away does', () => {
    const first = ['[ ] read, [ ] write', '[>] read, [ ] write', '[ ] write, [>] read', '[ ] write, [>] read it all']
    const lists = [...first, '', '[ ] write']
    const lanes = lanesOf(...lists)
    const since = lists.map((_, i) => lanes.placesAt(i).map((place) => place.since))
    expect(since).toEqual([[0, 0], [1, 0], [0, 1], [0, 1], [], [5]])
  })

  test('which text it had before it was edited', () => {
    const lanes = lanesOf('[ ] read, [ ] report', '[x] read, [ ] report the result', '[x] read, [ ] report the result')
    expect([0, 1, 2].map((i) => lanes.editsOf(i, i - 1))).toEqual([[], [{ place: 1, from: 'report' }], []])
  })

  test('whether it was dropped: gone before it was finished, and not edited, as long as it does not come back', () => {
    const lists = [
      '[ ] read, [>] write, [x] test, [-] ask, [ ] report',
      '[>] write, [ ] report the result',
      '[ ] report the result',
      '[x] write, [ ] report the result',
      ''
    ]
    const lanes = new TodoLanes()
    // Finished items are removed; one that was edited is still there.
    expect(lists.map((list, i) => lanes.add(listOf(list), i - 1, 0))).toEqual([0, 1, 1, -1, 1])
    expect(lists.map((_, i) => [...lanes.dropsOf(i, i - 1)])).toEqual([[], [0], [0], [], [1]])
    expect(lanes.droppedAfter([0, 1, 2])).toEqual(['read', 'write'])
    expect(lanes.droppedAfter([0, 1, 2, 3, 4])).toEqual(['read', 'report the result'])
  })

  test('where its lane belongs, so that lanes stand in the order of the lists', () => {
    const besideOf = (...lists: readonly string[]) => {
      const { lane, beside } = lanesOf(...lists).transitionsFrom(0, 100)
      return [...new Map([...lane].map((number, i) => [number, beside[i]])).values()]
    }
    // After the one before it.
    expect(besideOf('[ ] a, [ ] b', '[ ] a, [ ] c, [ ] b')).toEqual([0, 1, 1])
    // Before the next one that was there.
    expect(besideOf('[ ] a, [ ] b', '[ ] c, [ ] d, [ ] b')).toEqual([0, 1, -2, 3])
    // A plan of its own.
    expect(besideOf('[x] a', '[ ] b, [ ] c')).toEqual([0, 0, 2])
  })

  test('as transitions, in pieces as they are wanted', () => {
    const lanes = lanesOf('[ ] read, [ ] write', '[>] read', '[>] read it, [x] write')
    const all = lanes.transitionsFrom(0, 100)
    expect([...all.snapshot]).toEqual([0, 0, 1, 1, 2, 2])
    expect([...all.lane]).toEqual([0, 1, 1, 0, 0, 1])
    expect([...all.state].map((state) => laneStates[state])).toEqual([
      ...['pending', 'pending'],
      ...['dropped', 'in_progress'],
      ...['in_progress', 'completed']
    ])
    expect([...all.text].map((text) => all.texts[text])).toEqual(['read', 'write', 'write', 'read', 'read it', 'write'])
    expect(lanes.transitionsFrom(4, 1)).toMatchObject({ snapshot: Uint32Array.of(2), texts: ['read it'] })
    expect([...all.beside]).toEqual([0, 1, 1, 0, 0, 1])
    // "read" and "write" would be nine characters.
    expect(lanes.transitionsFrom(0, 100, 8).snapshot).toHaveLength(1)
    expect(lanes.transitionsFrom(0, 100, 1).snapshot).toHaveLength(1)
    expect(lanes.transitionsFrom(6, 100)).toMatchObject({ snapshot: Uint32Array.of(), texts: [] })
    expect([lanes.count, lanes.transitions]).toEqual([2, 6])
  })
})

describe('any history', () => {
  const text = fc.constantFrom('a', 'b', 'c', 'write it', 'write it all', 'write all', '__proto__')
  const items = fc.array(fc.record({ text, status: fc.constantFrom(...todoStatuses) }), { maxLength: 7 })
  const history = fc.array(fc.record({ track: fc.nat(2), items }), { maxLength: 25 })

  /** The lanes of a history, made up to the end or to a snapshot. */
  function made(steps: readonly { track: number; items: TodoItem[] }[], forkAt = -1): TodoLanes {
    let lanes = new TodoLanes()
    const last = new Map<number, number>()
    for (const [i, step] of steps.entries()) {
      if (i === forkAt) {
        const abandoned = lanes
        lanes = forkState(lanes)
        // What goes its own way changes nothing here.
        abandoned.add([{ text: 'c', status: 'completed' }], last.get(step.track) ?? -1, step.track)
      }
      lanes.add(step.items, last.get(step.track) ?? -1, step.track)
      last.set(step.track, i)
    }
    return lanes
  }

  test('every item of every list is in one lane, and is what its lane is then', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const lanes = made(steps)
        const { snapshot, lane, state, text: words, texts } = lanes.transitionsFrom(0, Infinity)
        const now = new Map<number, { track: number; status: LaneState; text: string | undefined; since: number }>()
        let at = 0
        for (const [i, { track, items: list }] of steps.entries()) {
          for (; snapshot[at] === i; at++) {
            const status = laneStates[state[at] ?? 0] ?? 'absent'
            const number = lane[at] ?? -1
            const before = now.get(number)
            if (before !== undefined) expect(before.track).toBe(track)
            const since = before?.status === status ? before.since : i
            now.set(number, { track, status, text: texts[words[at] ?? -1], since })
          }
          expect(lanes.itemsAt(i)).toEqual(list)
          const places = lanes.placesAt(i)
          expect(new Set(places.map((place) => place.lane)).size).toBe(list.length)
          for (const [place, item] of list.entries()) {
            const { lane: number = -1, since } = places[place] ?? {}
            expect(now.get(number)).toEqual({ track, ...item, since })
          }
          const present = [...now.values()].filter((each) => each.track === track && !isAway(each.status))
          expect(present).toHaveLength(list.length)
        }
        expect(at).toBe(lanes.transitions)
        expect(now.size).toBe(lanes.count)
      }),
      { numRuns: 500 }
    )
  })

  test('as many items are dropped as a replay of the lists finds', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const lanes = new TodoLanes()
        const tracks = new Map<number, Replay>()
        for (const [i, { track, items: list }] of steps.entries()) {
          const replay: Replay = tracks.get(track) ?? { snapshots: [], now: new Map(), dropped: new Map(), count: 0 }
          const former = replay.snapshots.at(-1) ?? -1
          replay.count += lanes.add(list, former, track)
          replay.snapshots.push(i)
          tracks.set(track, replay)
          const now = new Map(lanes.placesAt(i).map(({ lane }, place) => [lane, list[place]!]))
          const drops = [...replay.now].filter(
            ([lane, { status }]) => !now.has(lane) && (status === 'pending' || status === 'in_progress')
          )
          for (const [lane, item] of drops) replay.dropped.set(lane, item.text)
          for (const lane of now.keys()) replay.dropped.delete(lane)
          replay.now = now
          expect(lanes.dropsOf(i, former).size).toBe(drops.length)
          expect(replay.count).toBe(replay.dropped.size)
          expect(lanes.droppedAfter(replay.snapshots).toSorted()).toEqual([...replay.dropped.values()].toSorted())
        }
      }),
      { numRuns: 500 }
    )
  })

  /** What is in the list of a track, by lane, and what was dropped. */
  interface Replay {
    readonly snapshots: number[]
    now: Map<number, TodoItem>
    readonly dropped: Map<number, string>
    count: number
  }

  test('what comes later changes nothing before it, and a copy goes on as the original would have', () => {
    fc.assert(
      fc.property(history, fc.nat(25), (steps, cut) => {
        const whole = made(steps).transitionsFrom(0, Infinity)
        expect(made(steps, cut).transitionsFrom(0, Infinity)).toEqual(whole)
        const part = made(steps.slice(0, cut))
        const { snapshot, lane, state } = part.transitionsFrom(0, Infinity)
        expect([snapshot, lane, state]).toEqual(
          [whole.snapshot, whole.lane, whole.state].map((column) => column.slice(0, part.transitions))
        )
      }),
      { numRuns: 300 }
    )
  })

  test('in pieces the transitions are the same', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 30 }), (steps, count, room) => {
        const lanes = made(steps)
        const whole = lanes.transitionsFrom(0, Infinity)
        const said: (string | undefined)[] = []
        const snapshots: number[] = []
        while (said.length < lanes.transitions) {
          const piece = lanes.transitionsFrom(said.length, count, room)
          expect(piece.snapshot.length).toBeGreaterThan(0)
          said.push(...[...piece.text].map((each) => piece.texts[each]))
          snapshots.push(...piece.snapshot)
        }
        expect(said).toEqual([...whole.text].map((each) => whole.texts[each]))
        expect(snapshots).toEqual([...whole.snapshot])
      })
    )
  })
})

test('a long list costs what changes in it', () => {
  const lanes = new TodoLanes()
  const list = Array.from({ length: 1000 }, (_, i): TodoItem => ({ text: `Item ${i}`, status: 'pending' }))
  for (let i = 0; i < 2000; i++) {
    list[i % 1000] = { text: `Item ${i % 1000}`, status: i < 1000 ? 'in_progress' : 'completed' }
    lanes.add(list, i - 1, 0)
  }
  expect([lanes.count, lanes.transitions]).toEqual([1000, 2999])
})
