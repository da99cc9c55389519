import { expect, test } from 'vitest'
import { createLayoutStore } from './layout-store.ts'

function storage(kept: Record<string, string> = {}) {
  const values = new Map(Object.entries(kept))
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value)
  }
}

test('panels have no size of their own until somebody sets one, and are then remembered', () => {
  const memory = storage()
  const layout = createLayoutStore(memory).getState()
  expect(layout.sizes).toEqual({})
  layout.resize('side', 500.4)
  layout.resize('todos', 200)
  layout.resize('todos', null)
  layout.setWide(true)
  layout.setTodoScale('events')
  expect(layout.tasksOpen).toBeNull()
  layout.setTasksOpen(false)
  expect(layout.singleKeys).toBe(true)
  layout.setSingleKeys(false)
  const kept = { sizes: { side: 500 }, wide: true, todoScale: 'events', tasksOpen: false, singleKeys: false }
  expect(createLayoutStore(memory).getState()).toMatchObject(kept)
  expect(createLayoutStore(storage({ 'playhead.todo-scale': 'sideways' })).getState().todoScale).toBe('short-time')
})

test('no panel gets smaller or larger than it is of use', () => {
  const store = createLayoutStore(storage())
  store.getState().resize('runs', 3)
  store.getState().resize('drawer', 99_999)
  expect(store.getState().sizes).toEqual({ runs: 180, drawer: 800 })
})

test.each(['not json', 'null', '[]', '{"side":"wide","runs":null,"drawer":1e999}'])(
  'what was kept and makes no sense is nothing: %s',
  (kept) => {
    expect(createLayoutStore(storage({ 'playhead.panels': kept })).getState().sizes).toEqual({})
  }
)
