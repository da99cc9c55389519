import { expect, test } from 'vitest'
import type { Params, Result } from '#contract/methods.ts'
import { testHost } from '../../../test/page/host.ts'
import { linesOf, readFileText } from './file-text.ts'

const line = (at: number) => (at % 7 === 3 ? '' : `line ${at}`)
const total = 50_000

/** A file of 50,000 lines, made in three steps; the last 10,000 are those of another event. */
function answer(asked: Params<'log.fileAt'>[]) {
  return async (params: Params<'log.fileAt'>): Promise<Result<'log.fileAt'>> => {
    asked.push(params)
    const isReading = asked.length < 2
    const making = asked.length < 4 && !isReading ? { done: asked.length, of: 4 } : null
    const count = isReading || making !== null ? 0 : Math.min(params.count, total - params.from, 15_000)
    const known = { author: 'before', confidence: 'seen', confirmed: 1, stale: null } as const
    const end = params.from + count
    const mine = Math.max(0, Math.min(end, 40_000) - params.from)
    return {
      ...{ read: isReading ? 3 : 10, rows: 10, problem: null, making, knowledge: 'full', deleted: false },
      ...{ tooLarge: false, total, length: total, known: total, unplaced: null, stale: null, count },
      text: Array.from({ length: count }, (_, at) => line(params.from + at)).join('\n'),
      runs: [
        ...(mine > 0 ? [{ count: mine, known }] : []),
        ...(count > mine ? [{ count: count - mine, known: { ...known, author: 7 } }] : [])
      ]
    }
  }
}

test('a content is asked for until it is made, and then piece by piece', async () => {
  const asked: Params<'log.fileAt'>[] = []
  const { host } = testHost([], {}, { 'log.fileAt': answer(asked) })
  const progress: [number, number][] = []
  const text = await readFileText(
    host,
    'log-1',
    { file: 0, seq: 9 },
    {
      isOver: () => false,
      onProgress: (done, of) => progress.push([done, of])
    }
  )
  expect(progress).toEqual([
    [3, 10],
    [2, 4],
    [3, 4]
  ])
  expect(asked.slice(3).map(({ from }) => from)).toEqual([0, 15_000, 30_000, 45_000])
  expect(text?.runs.map(({ count }) => count)).toEqual([40_000, 10_000])
  expect(text?.text.split('\n')).toHaveLength(total)
  for (const at of [0, 3, 14_999, 15_000, 44_999, total - 1]) expect(linesOf(text!, at, at + 1)).toBe(line(at))
  expect(linesOf(text!, 2, 5)).toBe('line 2\n\nline 4')
  expect(linesOf(text!, total - 1, total + 5)).toBe(line(total - 1))
  expect(linesOf(text!, 5, 5)).toBe('')
})

test('an answer that nobody waits for is dropped', async () => {
  const { host } = testHost([], {}, { 'log.fileAt': answer([]) })
  const never = { isOver: () => true, onProgress: () => {} }
  expect(await readFileText(host, 'log-1', { file: 0, seq: 9 }, never)).toBeNull()
})

test('a line that cannot be read is an error', async () => {
  const { host } = testHost(
    [],
    {},
    { 'log.fileAt': async (params) => ({ ...(await answer([])(params)), problem: 'The file has changed.' }) }
  )
  const asked = readFileText(host, 'log-1', { file: 0, seq: 9 }, { isOver: () => false, onProgress: () => {} })
  await expect(asked).rejects.toThrow('The file has changed.')
})
