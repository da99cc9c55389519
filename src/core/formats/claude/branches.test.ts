import { expect, test } from 'vitest'
import { Branches, type Branch } from './branches.ts'

const prompt: Branch = { kind: 'prompt' }
const answer = (messageHash: number): Branch => ({ kind: 'answer', messageHash })

/** Adds lines by parent row and branch; returns what each abandoned. */
function grow(...lines: [parent: number, branch: Branch][]): (readonly number[])[] {
  const branches = new Branches()
  return lines.map(([parent, branch], row) => branches.add(row, parent, branch))
}

test('of two prompts with one parent the older is abandoned, with all that hangs from it', () => {
  const left = grow([-1, prompt], [0, answer(5)], [1, prompt], [2, answer(6)], [3, null], [3, null], [1, prompt])
  expect(left.at(-1)).toEqual([2, 3, 4, 5])
  expect(left.slice(0, -1)).toEqual(Array(6).fill([]))
})

test('so is the older of two answers to one prompt', () => {
  expect(grow([-1, prompt], [0, answer(5)], [1, answer(5)], [0, answer(6)]).at(-1)).toEqual([1, 2])
})

test('lines of one message are no branches; they are abandoned together', () => {
  expect(grow([-1, prompt], [0, answer(5)], [0, answer(5)], [0, answer(6)])).toEqual([[], [], [], [1, 2]])
})

test('nor are results of parallel calls, or a prompt beside an answer', () => {
  expect(grow([-1, prompt], [0, answer(5)], [1, null], [1, null], [1, prompt], [1, answer(6)])).toEqual(
    Array(6).fill([])
  )
})

test('a late line below an abandoned one is abandoned; a prompt there continues the branch', () => {
  const left = grow([-1, prompt], [0, prompt], [0, prompt], [1, null], [1, answer(5)], [1, prompt], [5, answer(6)])
  expect(left).toEqual([[], [], [1], [3], [4], [], []])
})

test('each line is abandoned once, however often the user goes back', () => {
  const lines: [number, Branch][] = [[-1, prompt]]
  for (let turn = 0; turn < 500; turn += 1) lines.push([0, prompt], [lines.length, answer(turn)])
  const all = grow(...lines).flat()
  expect(all.length).toBe(998)
  expect(new Set(all).size).toBe(998)
})
