import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { LibraryFound } from '#contract/library.ts'
import type { Host } from '#contract/methods.ts'
import { LibraryFind } from './library-find.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const over = (find: number): LibraryFound => ({
  ...{ find, searching: false, hits: 0, sessionsWithHits: 0, sessionsSearched: 1, sessions: 1 },
  ...{ bytesSearched: 1, bytes: 1, isCut: false, error: null }
})

it('receives the end of its search before its number, while another page searches', async () => {
  let hear: (found: LibraryFound) => void = () => {}
  let answer: (result: { find: number }) => void = () => {}
  const answers: Record<string, () => unknown> = {
    'library.find': () => new Promise((resolve) => (answer = resolve)),
    'library.hits': () => ({ sessions: [] }),
    'library.cards': () => ({ cards: [] }),
    'library.overview': () => ({ total: 0 })
  }
  const host = {
    call: async (method: string) => await answers[method]?.(),
    on: (_notice: string, listener: (found: LibraryFound) => void) => (hear = listener),
    onClose: () => {}
  }
  const find = new LibraryFind(host as unknown as Host, () => {})
  find.search({ where: null, texts: [{ type: 'word', text: 'words' }], without: [] })
  await vi.advanceTimersByTimeAsync(300)
  hear(over(7))
  hear(over(6))
  answer({ find: 7 })
  await vi.advanceTimersByTimeAsync(300)
  expect(find.state?.found).toEqual(over(7))
})
