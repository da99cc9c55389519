import { expect, test } from 'vitest'
import type { EventDraft } from '../formats/log-format.ts'
import { KeptDrafts } from './kept-drafts.ts'

test('drafts are given again by row, lists of todos with the items they had', () => {
  const drafts: EventDraft[] = [
    { type: 'turn.completed', finishReason: 'done', durationMs: 5 },
    { type: 'todo_list', todoId: 'a', items: [{ text: 'x', status: 'pending' }] },
    { type: 'todo_list', todoId: 'b', items: [{ text: 'x', status: 'completed' }] },
    { type: 'todo_list', todoId: 'c', items: [] }
  ]
  const kept = new KeptDrafts()
  for (const [i, draft] of drafts.entries()) kept.add(i * 10, draft)
  expect([0, 10, 20, 30].map((row) => kept.at(row))).toEqual(drafts)
  expect(kept.at(5)).toBeUndefined()
})
