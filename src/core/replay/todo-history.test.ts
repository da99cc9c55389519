import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sameTodoItems, type TodoItem, todoStatuses } from '../events/todo.ts'
import { claudeStreamJson } from '../formats/claude/stream-json.ts'
import { forkState } from '../state/fork-state.ts'
import { indexClasses } from '../state/index-classes.ts'
import { restoreState, saveState } from '../state/saved-state.ts'
import { TodoHistory, type TodoSnapshot } from './todo-history.ts'

function snapshot(seq: number, items: readonly TodoItem[], trackId?: string): TodoSnapshot {
  return {
    seq,
    line: seq + 1,
    timestamp: 1000 * seq,
    agentId: 'agent',
    ...(trackId === undefined ? {} : { trackId }),
    todoId: `todo-${seq}`,
    items
  }
}

function historyOf(...snapshots: TodoSnapshot[]): TodoHistory {
  const history = new TodoHistory()
  for (const each of snapshots) history.add(each)
  return history
}

const read: TodoItem = { text: 'read', status: 'completed' }
const write: TodoItem = { text: 'write', status: 'pending' }
const writing: TodoItem = { text: 'write', status: 'in_progress' }

describe('todo history', () => {
  test('keeps every snapshot as it was, and its place', () => {
    const history = historyOf(snapshot(3, [write]), snapshot(5, [], 'sub'))
    expect(history.length).toBe(2)
    expect(history.at(0)).toEqual({ ...snapshot(3, [write]), index: 0 })
    expect(history.at(1)).toEqual({ ...snapshot(5, [], 'sub'), index: 1 })
    expect(history.at(2)).toBeUndefined()
    expect(history.at(-1)).toBeUndefined()
  })

  test('finds the latest snapshot of a track at or before an event', () => {
    const history = historyOf(snapshot(3, [write]), snapshot(5, [read], 'sub'), snapshot(9, [writing]))
    expect([2, 3, 8, 9, 100].map((seq) => history.indexAt(seq))).toEqual([-1, 0, 0, 2, 2])
    expect([4, 5, 100].map((seq) => history.indexAt(seq, 'sub'))).toEqual([-1, 1, 1])
    expect(history.indexAt(100, 'no such track')).toBe(-1)
  })

  test('gives the state of all tracks at an event: main first, then as they appeared', () => {
    const history = historyOf(
      snapshot(1, [read], 'b'),
      snapshot(2, [write]),
      snapshot(3, [], 'a'),
      snapshot(4, [], 'b')
    )
    const stateAt = (seq: number) => history.tracksAt(seq).map(({ index, trackId }) => [index, trackId])
    expect(stateAt(0)).toEqual([])
    expect(stateAt(1)).toEqual([[0, 'b']])
    expect(stateAt(3)).toEqual([
      [1, undefined],
      [0, 'b'],
      [2, 'a']
    ])
    expect(stateAt(4)).toEqual([
      [1, undefined],
      [3, 'b'],
      [2, 'a']
    ])
  })

  test('tells what a snapshot changed against the one before of its track', () => {
    const history = historyOf(snapshot(1, [write]), snapshot(2, [read], 'sub'), snapshot(3, [writing]))
    expect(history.changes(0)).toEqual([{ kind: 'added', text: 'write', to: 'pending' }])
    expect(history.changes(1)).toEqual([{ kind: 'added', text: 'read', to: 'completed' }])
    expect(history.changes(2)).toEqual([{ kind: 'status', text: 'write', from: 'pending', to: 'in_progress' }])
    expect(history.changes(3)).toEqual([])
    expect([0, 1, 2].map((index) => history.formerOf(index)?.index)).toEqual([undefined, undefined, 0])
  })

  test('tells where the items of a list come from: tracks have items of their own', () => {
    const history = historyOf(
      snapshot(1, [write]),
      snapshot(2, [write], 'sub'),
      snapshot(3, [writing]),
      snapshot(4, [read, { ...writing, text: 'write it' }])
    )
    expect([0, 1, 2, 3].map((index) => history.itemsInRun(index))).toEqual([
      { lanes: [0], sinceSeq: [1], since: [1000], tookMs: [null], edited: [], returned: [] },
      { lanes: [1], sinceSeq: [2], since: [2000], tookMs: [null], edited: [], returned: [] },
      { lanes: [0], sinceSeq: [3], since: [3000], tookMs: [null], edited: [], returned: [] },
      {
        lanes: [2, 0],
        sinceSeq: [4, 3],
        since: [4000, 3000],
        tookMs: [null, null],
        edited: [{ place: 1, from: 'write' }],
        returned: []
      }
    ])
  })

  test('tells how long what is completed was in progress before, where lists and times say so', () => {
    const done = { ...write, status: 'completed' as const }
    const tookMs = (...snapshots: Parameters<typeof historyOf>) => {
      const history = historyOf(...snapshots)
      return history.itemsInRun(history.length - 1).tookMs
    }
    const all = [snapshot(1, [write]), snapshot(3, [writing]), snapshot(8, [done])]
    expect(tookMs(...all)).toEqual([5000])
    // Another text, and what others do, change nothing about that; work that goes on again is what counts.
    expect(
      tookMs(...all, snapshot(9, [{ ...done, text: 'write it' }]), snapshot(11, [read, { ...done, text: 'write it' }]))
    ).toEqual([null, 5000])
    expect(tookMs(...all, snapshot(9, [write]), snapshot(10, [writing]), snapshot(12, [done]))).toEqual([2000])
    // It was never in progress, went meanwhile, or no time is known.
    expect(tookMs(snapshot(1, [write]), snapshot(3, [done]))).toEqual([null])
    expect(tookMs(snapshot(1, [writing]), snapshot(2, []), snapshot(3, [done]))).toEqual([null])
    expect(tookMs({ ...snapshot(1, [writing]), timestamp: 0 }, snapshot(3, [done]))).toEqual([null])
    expect(tookMs(snapshot(3, [writing]), { ...snapshot(4, [done]), timestamp: 3000 })).toEqual([null])
  })

  test('tells which items came back, and not which are new, stayed or are of another track', () => {
    const history = historyOf(
      snapshot(1, [write, read]),
      snapshot(2, [read]),
      snapshot(3, [writing], 'sub'),
      snapshot(4, [{ ...read, status: 'pending' }, { ...write, text: 'ship' }, write]),
      snapshot(5, []),
      snapshot(6, [write, { ...write, text: 'new' }, write, read])
    )
    const returned = [0, 1, 2, 3, 4, 5].map((index) => history.itemsInRun(index).returned)
    expect(returned).toEqual([[], [], [], [2], [], [0, 3]])
  })

  test('an update that changes neither text, status nor order is no snapshot', () => {
    const history = new TodoHistory()
    const indices = [
      // The first list of a track is one, even if it is empty.
      snapshot(1, []),
      snapshot(2, []),
      snapshot(3, [read, write]),
      snapshot(4, [read, write], 'sub'),
      snapshot(5, [{ ...read }, { ...write }]),
      snapshot(6, [write, read])
    ].map((each) => history.add(each))
    expect(indices).toEqual([0, -1, 1, 2, -1, 3])
    expect([history.length, history.indexAt(5), history.at(3)?.seq]).toEqual([4, 1, 6])
  })

  test('tells which items are dropped, of each track its own', () => {
    const history = historyOf(
      snapshot(1, [read, write, { text: 'ask', status: 'pending' }]),
      snapshot(2, [write], 'sub'),
      snapshot(3, [writing]),
      snapshot(4, [], 'sub'),
      snapshot(5, [writing, { text: 'ask', status: 'completed' }])
    )
    expect([0, 1, 2, 3, 4].map((index) => history.droppedAt(index))).toEqual([0, 0, 1, 1, 0])
    expect([0, 1, 2, 3, 4].map((index) => history.droppedItems(index))).toEqual([[], [], ['ask'], ['write'], []])
    expect(history.changes(2)).toEqual([
      { kind: 'removed', text: 'read', from: 'completed' },
      { kind: 'removed', text: 'ask', from: 'pending', dropped: true },
      { kind: 'status', text: 'write', from: 'pending', to: 'in_progress' }
    ])
    expect([...new Uint32Array(history.progress(2, 3).dropped)]).toEqual([1, 1, 0])
  })

  test('an item whose text was edited is not dropped', () => {
    const history = historyOf(snapshot(1, [write]), snapshot(2, [{ ...writing, text: 'write it' }]))
    expect(history.changes(1)).toEqual([
      { kind: 'removed', text: 'write', from: 'pending' },
      { kind: 'added', text: 'write it', to: 'in_progress' }
    ])
    expect(history.droppedAt(1)).toBe(0)
  })

  test('tells how far lists are without putting them together', () => {
    const history = historyOf(snapshot(3, [read, write]), snapshot(5, [], 'sub'), snapshot(9, [read, read, writing]))
    const { seq, completed, total } = history.progress(1, 2)
    expect([...new Int32Array(seq)]).toEqual([5, 9])
    expect([...new Uint16Array(completed)]).toEqual([0, 2])
    expect([...new Uint16Array(total)]).toEqual([0, 3])
    expect([0, 1, 2].map((index) => history.seqOf(index))).toEqual([3, 5, 9])
  })
})

describe('any history', () => {
  const items = fc.array(
    fc.record({ text: fc.constantFrom('a', 'b', 'c', '__proto__'), status: fc.constantFrom(...todoStatuses) }),
    { maxLength: 4 }
  )
  const tracks = [undefined, 'x', 'y', '__proto__']
  const snapshots = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(...tracks), items), { maxLength: 20 })
    .map((steps) => {
      let seq = -1
      return steps.map(([step, trackId, list]) => snapshot((seq += step), list, trackId))
    })

  test('equals a replay from the start at every event and for every track', () => {
    fc.assert(
      fc.property(snapshots, (all) => {
        const history = historyOf(...all)
        const state = new Map<string | undefined, TodoSnapshot>()
        for (let seq = 0; seq <= (all.at(-1)?.seq ?? 0) + 1; seq++) {
          for (const each of all.filter((one) => one.seq === seq)) {
            const former = state.get(each.trackId)
            if (former === undefined || !sameTodoItems(former.items, each.items)) state.set(each.trackId, each)
          }
          for (const trackId of tracks) {
            const found = history.at(history.indexAt(seq, trackId))
            expect(found === undefined ? undefined : { ...found, index: undefined }).toEqual(state.get(trackId))
          }
          expect(new Set(history.tracksAt(seq).map((each) => each.seq))).toEqual(
            new Set([...state.values()].map((each) => each.seq))
          )
        }
      }),
      { numRuns: 500 }
    )
  })

  test('a fork, and one that was saved, go on as the original would have', () => {
    const classes = indexClasses(claudeStreamJson)
    const told = (history: TodoHistory) =>
      Array.from({ length: history.length }, (_, index) => [
        ...[history.at(index), history.changes(index), history.itemsInRun(index)],
        ...[history.droppedAt(index), history.droppedItems(index)]
      ])
    fc.assert(
      fc.property(snapshots, fc.nat(20), (all, cut) => {
        const first = historyOf(...all.slice(0, cut))
        const saved = restoreState(saveState(forkState(first), classes), classes) as TodoHistory
        const fork = forkState(first)
        for (const each of all.slice(cut)) for (const history of [first, fork, saved]) history.add(each)
        const whole = told(historyOf(...all))
        expect([first, fork, saved].map(told)).toEqual([whole, whole, whole])
      }),
      { numRuns: 200 }
    )
  })
})
