import { expect, test } from 'vitest'
import { createLayoutStore } from './layout-store.ts'

function storage(kept: Record<string, string> = {}) {
  const values = new Map(Object.entries(kept))
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value)
  }
}

test('panels have a stored size only after a person sets one', () => {
  const memory = storage()
  const layout = createLayoutStore(memory).getState()
  expect(layout.sizes).toEqual({})
  layout.resize('side', 500.4)
  layout.resize('todos', 200)
  layout.resize('todos', null)
  layout.setWide(true)
  layout.setRunScale('events')
  expect(layout.tasksOpen).toBeNull()
  layout.setTasksOpen(false)
  expect(layout.singleKeys).toBe(true)
  layout.setSingleKeys(false)
  const kept = { sizes: { side: 500 }, wide: true, runScale: 'events', tasksOpen: false, singleKeys: false }
  expect(createLayoutStore(memory).getState()).toMatchObject(kept)
  expect(createLayoutStore(storage({ 'playhead.todo-scale': 'sideways' })).getState().runScale).toBe('short-time')
})

test('the inspector and the todos have a size per kind of row, and else the last one', () => {
  const memory = storage()
  const store = createLayoutStore(memory)
  const { setKind, resize } = store.getState()
  setKind('tool')
  resize('side', 700)
  setKind('prompt')
  expect(store.getState().sizes).toEqual({ side: 700 })
  resize('side', 400)
  resize('todos', 150)
  resize('runs', 300)
  expect(store.getState().sizes).toEqual({ side: 400, todos: 150, runs: 300 })
  setKind('tool')
  expect(store.getState().sizes).toEqual({ side: 700, todos: 150, runs: 300 })
  setKind(null)
  expect(store.getState().sizes).toEqual({ side: 400, todos: 150, runs: 300 })

  const later = createLayoutStore(memory)
  later.getState().setKind('tool')
  expect(later.getState().sizes).toEqual({ side: 700, todos: 150, runs: 300 })
  later.getState().resize('side', null)
  later.getState().setKind('prompt')
  expect(later.getState().sizes).toEqual({ todos: 150, runs: 300 })
})

test('panels have a smallest and a largest size', () => {
  const store = createLayoutStore(storage())
  store.getState().resize('runs', 3)
  store.getState().resize('drawer', 99_999)
  expect(store.getState().sizes).toEqual({ runs: 180, drawer: 800 })
})

test.each([
  'not json',
  'null',
  '[]',
  '{"side":"wide","runs":null,"drawer":1e999}',
  '{"kinds":7}',
  '{"kinds":{"tool":["x"],"prompt":{"side":"wide"},"__proto__":{"side":500},"nothing":{"side":500}}}',
  '{"kinds":{"prompt":{"runs":300}}}'
])('what was kept and makes no sense is nothing: %s', (kept) => {
  const store = createLayoutStore(storage({ 'playhead.panels': kept }))
  store.getState().setKind('prompt')
  expect(store.getState().sizes).toEqual({})
})
