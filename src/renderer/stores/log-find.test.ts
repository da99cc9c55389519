import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HostError } from '#contract/host-error.ts'
import type { FindProgress, Handlers } from '#contract/methods.ts'
import { testHost } from '../../../test/page/host.ts'
import { type FindState, LogFind, noFind } from './log-find.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A search on a host whose results the test controls. */
function search({
  settledRows = 0,
  handlers = {},
  as = 'find'
}: { settledRows?: number; handlers?: Partial<Handlers>; as?: string } = {}) {
  const asked: { text: string; regex: boolean; caseSensitive: boolean }[] = []
  const ended: number[] = []
  const found = { rows: [] as readonly number[] }
  const { host, ...said } = testHost(
    [],
    {},
    {
      'log.find': async ({ text, regex, caseSensitive }) => {
        asked.push({ text, regex, caseSensitive })
        return { find: asked.length }
      },
      'log.hits': async ({ find, from, count }) => {
        const known = find === asked.length && !ended.includes(find) ? found.rows.slice(from, from + count) : []
        return { rows: Uint32Array.from(known).buffer }
      },
      'log.endFind': async ({ find }) => {
        ended.push(find)
        return {}
      },
      ...handlers
    }
  )
  const state: FindState = { ...noFind }
  const froms: number[] = []
  const finder = new LogFind(
    host,
    'log-1',
    () => settledRows,
    (change, from) => {
      Object.assign(state, change)
      if (from < Infinity) froms.push(from)
    },
    as
  )
  host.on('log.found', (progress) => finder.onFound(progress))
  /** Waits for pending requests. */
  const settle = () => vi.advanceTimersByTimeAsync(1)
  const tell = async (rows: number[], change: Partial<FindProgress> = {}) => {
    found.rows = rows
    const progress = {
      log: 'log-1',
      find: asked.length,
      as,
      generation: 1,
      bytes: 100,
      error: null,
      hits: rows.length
    }
    said.found({ ...progress, bytesSearched: 100, searching: false, ...change })
    await settle()
  }
  const type = async (text: string, { regex = false, caseSensitive = false } = {}) => {
    finder.setQuery({ text, regex, caseSensitive })
    await vi.advanceTimersByTimeAsync(200)
  }
  return { state, finder, found, asked, ended, froms, tell, type, settle }
}

describe('LogFind', () => {
  it('with a shared name continues with a search that another page has started', async () => {
    const { state, asked, tell, type, ended } = search({ as: 'breakpoint a' })
    await type('tool')
    await tell([3, 7])
    expect([...state.hits]).toEqual([3, 7])
    asked.push({ text: 'tool', regex: false, caseSensitive: false })
    await tell([3, 7, 9])
    expect([...state.hits]).toEqual([3, 7, 9])
    expect([state.stopped, state.searching, ended]).toEqual([false, false, []])
  })

  it('searches after a pause in typing', async () => {
    const { state, asked, finder } = search()
    for (const text of ['t', 'to', 'too']) {
      finder.setQuery({ text, regex: true, caseSensitive: true })
      await vi.advanceTimersByTimeAsync(100)
    }
    expect([asked, state.searching, state.found]).toEqual([[], true, null])
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toEqual([{ text: 'too', regex: true, caseSensitive: true }])
  })

  it('loads matches during the search, and reports progress', async () => {
    const { state, tell, type, froms } = search()
    await type('x')
    await tell([], { searching: true, bytesSearched: 0 })
    expect(state).toMatchObject({ searching: true, found: 0, part: 0 })
    await tell([3, 7], { searching: true, bytesSearched: 40 })
    expect(state).toMatchObject({ hits: Uint32Array.of(3, 7), searching: true, found: 2, part: 0.4 })
    await tell([3, 7, 8], { bytesSearched: 100 })
    expect(state).toMatchObject({ hits: Uint32Array.of(3, 7, 8), searching: false, found: 3, part: 1, error: null })
    expect(froms).toEqual([0, 3, 8])
  })

  it('sorts matches of several files', async () => {
    const { state, tell, type } = search()
    await type('x')
    await tell([5, 9, 1], { searching: true })
    await tell([5, 9, 1, 7, 0])
    expect([...state.hits]).toEqual([0, 1, 5, 7, 9])
  })

  it('uses progress that arrives before the number of the search', async () => {
    const { state, tell, type, settle } = search({
      handlers: {
        'log.find': async () => {
          await tell([4], { find: 1 })
          return { find: 1 }
        },
        'log.hits': async () => ({ rows: Uint32Array.of(4).buffer })
      }
    })
    await type('x')
    await settle()
    expect(state).toMatchObject({ hits: Uint32Array.of(4), searching: false })
  })

  it('stops and keeps its matches', async () => {
    const { state, finder, ended, tell, type, settle } = search()
    await type('x')
    await tell([1, 2], { searching: true, bytesSearched: 30 })
    finder.stop()
    expect(state).toMatchObject({ searching: false, stopped: true, part: 0.3 })
    await settle()
    expect(ended).toEqual([1])
    await tell([1, 2, 3])
    expect(state).toMatchObject({ hits: Uint32Array.of(1, 2), found: 2, searching: false, stopped: true })
    await type('y')
    expect(state.stopped).toBe(false)
  })

  it('has no matches when stopped before the first answer', async () => {
    const { state, finder, asked, ended, tell, type, settle } = search()
    await type('x')
    await tell([1, 2])
    finder.setQuery({ text: 'xy', regex: false, caseSensitive: false })
    finder.stop()
    await vi.advanceTimersByTimeAsync(500)
    expect(state).toMatchObject({ text: 'xy', hits: new Uint32Array(), searching: false, stopped: true })
    expect([asked.length, ended]).toEqual([1, [1]])
    await settle()
  })

  it('ends a replaced search', async () => {
    const { state, ended, tell, type } = search()
    await type('x')
    await tell([1], { searching: true })
    await type('')
    expect(ended).toEqual([1])
    expect(state).toMatchObject({ text: '', hits: new Uint32Array(), searching: false, found: null })
    await tell([1, 2])
    expect([...state.hits]).toEqual([])
  })

  it('adds matches of new rows, and removes those of replaced rows', async () => {
    const { state, finder, found, tell, type, settle } = search({ settledRows: 5 })
    await type('x')
    await tell([1, 4, 8])
    await tell([1, 4])
    expect([...state.hits]).toEqual([1, 4])
    await tell([1, 4, 9, 12])
    expect([...state.hits]).toEqual([1, 4, 9, 12])
    // The rows from 9 on are replaced: others of them match now.
    found.rows = [1, 4, 10, 13]
    finder.truncate(9)
    expect([...state.hits]).toEqual([1, 4])
    await settle()
    expect([...state.hits]).toEqual([1, 4, 10, 13])
  })

  it('drops requested matches whose rows are taken back', async () => {
    const answers: ((rows: number[]) => void)[] = []
    const { state, finder, tell, type, settle } = search({
      handlers: {
        'log.hits': async () => {
          const rows = await new Promise<number[]>((resolve) => answers.push(resolve))
          return { rows: Uint32Array.from(rows).buffer }
        }
      }
    })
    await type('x')
    await tell([8])
    finder.truncate(5)
    answers[0]?.([8])
    await settle()
    answers[1]?.([9])
    await settle()
    expect(state).toMatchObject({ hits: Uint32Array.of(9), searching: false })
  })

  it('requests matches again that the host finds again without a notice', async () => {
    const { state, finder, found, tell, type } = search({ settledRows: 5 })
    await type('x')
    await tell([1, 4, 8])
    found.rows = [1, 4]
    finder.truncate(8)
    await vi.advanceTimersByTimeAsync(100)
    expect(state).toMatchObject({ hits: Uint32Array.of(1, 4), searching: true })
    found.rows = [1, 4, 9]
    await vi.advanceTimersByTimeAsync(300)
    expect(state).toMatchObject({ hits: Uint32Array.of(1, 4, 9), searching: false })
  })

  it('restarts and shows its earlier matches meanwhile', async () => {
    const { state, finder, asked, tell, type, settle } = search()
    await type('x')
    await tell([1, 2])
    finder.searchAgain()
    await settle()
    expect([asked.length, [...state.hits], state.searching]).toEqual([2, [1, 2], true])
    await tell([7])
    expect(state).toMatchObject({ hits: Uint32Array.of(7), searching: false })
  })

  it('reports an invalid expression, and a failed search', async () => {
    const refuses = {
      'log.find': () => Promise.reject(new HostError('bad-params', 'Invalid regular expression: it has no end.'))
    }
    const bad = search({ handlers: refuses })
    await bad.type('(', { regex: true })
    expect(bad.state).toMatchObject({
      searching: false,
      hits: new Uint32Array(),
      error: { message: 'Invalid regular expression: it has no end.', invalid: true }
    })
    const { state, tell, type } = search()
    await type('x')
    await tell([1], { error: 'The file can no longer be read.' })
    expect(state).toMatchObject({ hits: Uint32Array.of(1), searching: false })
    expect(state.error).toEqual({ message: 'The file can no longer be read.', invalid: false })
  })

  it('detects that another window has ended its search', async () => {
    const { state, tell, type } = search()
    await type('x')
    await tell([1], { searching: true })
    await tell([1], { find: 9, searching: true })
    expect(state).toMatchObject({ searching: false, stopped: true, hits: Uint32Array.of(1) })
  })
})
