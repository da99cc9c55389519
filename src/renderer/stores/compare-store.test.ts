import { expect, test, vi } from 'vitest'
import type { LogComparison } from '#contract/compare.ts'
import type { Host } from '#contract/methods.ts'
import { comparisonOf } from '../../../test/compared-rows.ts'
import { createCompareStore } from './compare-store.ts'
import type { LogStore } from './log-store.ts'

const logs = { a: 'one', b: 'two' }

/** A store whose host compares as told, one answer after the other. */
function storeOf(...answers: readonly (LogComparison | Error)[]) {
  return storeWith(() => undefined, ...answers)
}

function storeWith(logStoreOf: (log: string) => LogStore | undefined, ...answers: readonly (LogComparison | Error)[]) {
  const listeners = new Map<string, (payload: object) => void>()
  const left = [...answers]
  const call = vi.fn((method: string) => {
    const answer = method === 'compare.logs' ? left.shift() : {}
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  })
  const on = (name: string, listener: (payload: object) => void) => {
    listeners.set(name, listener)
    return () => {}
  }
  const store = createCompareStore({ call, on } as unknown as Host, logStoreOf)
  return { store, call, tell: (name: string, payload: object) => listeners.get(name)?.(payload) }
}

test('opens at the first difference, and steps to the others', async () => {
  const { store } = storeOf(comparisonOf('==≠==A').answer)
  store.getState().compare(logs, false)
  await expect.poll(() => store.getState().row).toBe(2)
  expect(store.getState().step(1)).toBe(true)
  expect(store.getState().row).toBe(5)
  expect(store.getState().step(1)).toBe(false)
  expect(store.getState().step(-1)).toBe(true)
  expect(store.getState().row).toBe(2)
})

test('a playhead that is moved takes the row along', async () => {
  const { store } = storeOf(comparisonOf('=AB=').answer)
  store.getState().compare(logs, false)
  await expect.poll(() => store.getState().row).toBe(1)
  store.getState().follow('b', 1)
  expect(store.getState().row).toBe(2)
})

test('a log whose rows are not loaded is put at the row as soon as they are, and is not followed before', async () => {
  const moves: (() => void)[] = []
  const placeEvent = vi.fn()
  const loading = { begin: () => {}, whenLoaded: (move: () => void) => void moves.push(move) }
  const logStore = { getState: () => ({}), parts: { loading, playhead: { placeEvent } } } as unknown as LogStore
  const { store } = storeWith((log) => (log === 'one' ? logStore : undefined), comparisonOf('==≠=').answer)
  store.getState().compare(logs, false)
  await expect.poll(() => store.getState().row).toBe(2)
  // Its details are shown while it loads: its playhead is still at its first event.
  store.getState().follow('a', 0)
  expect(store.getState().row).toBe(2)
  store.getState().swap()
  for (const move of moves) move()
  expect(placeEvent.mock.calls).toEqual([[2]])
  store.getState().follow('b', 2)
  expect(store.getState().row).toBe(2)
  store.getState().follow('b', 1)
  expect(store.getState().row).toBe(1)
})

test('a moved step leads to its equal in the other session, and back', async () => {
  const answer = comparisonOf('A==B').answer
  const moved = { ...answer, class: Uint8Array.of(4, 0, 0, 4).buffer, other: Int32Array.of(2, -1, -1, 0).buffer }
  const { store } = storeOf(moved)
  store.getState().compare(logs, false)
  await expect.poll(() => store.getState().row).toBe(0)
  store.getState().selectOther(0)
  expect(store.getState().row).toBe(3)
  store.getState().selectOther(3)
  expect(store.getState().row).toBe(0)
})

test('logs that grew are compared again when they rest, and the place stays', async () => {
  vi.useFakeTimers()
  try {
    const { store, tell, call } = storeOf(comparisonOf('=A=').answer, comparisonOf('=A==B').answer)
    store.getState().compare(logs, false)
    await expect.poll(() => store.getState().row).toBe(1)
    store.getState().select(2)
    tell('log.progress', { log: 'two', phase: 'done', generation: 0, events: 9 })
    await vi.advanceTimersByTimeAsync(5000)
    expect(call).toHaveBeenCalledTimes(2)
    expect(store.getState().comparison?.rows).toBe(5)
    expect(store.getState().row).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})

test('what failed is said, and can be tried again', async () => {
  const { store } = storeOf(new Error('The file is gone.'), comparisonOf('=').answer)
  store.getState().compare(logs, false)
  await expect.poll(() => store.getState().error).toBe('The file is gone.')
  store.getState().again()
  await expect.poll(() => store.getState().comparison?.rows).toBe(1)
  expect(store.getState().error).toBeNull()
})
