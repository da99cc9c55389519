import { expect, test } from 'vitest'
import type { LibraryStatus } from '#contract/library.ts'
import { IndexFilling } from './index-filling.ts'
import { indexedFromBytes } from './library-search.ts'

const status = (over: Partial<LibraryStatus>): LibraryStatus => ({
  ...{ version: 1, phase: 'idle', done: 0, all: 0, isPaused: false, sessions: 1, bytes: indexedFromBytes, lookedAt: 1 },
  ...{ roots: [], problem: null },
  ...over
})

/** What lets go of the fill that goes on. */
function filling(): {
  hear: (over: Partial<LibraryStatus>) => void
  fills: AbortSignal[]
  end: (error?: Error) => Promise<void>
  problems: string[]
} {
  const fills: AbortSignal[] = []
  const problems: string[] = []
  let settle: (error?: Error) => void = () => {}
  const one = new IndexFilling(
    (signal) => {
      fills.push(signal)
      return new Promise((resolve, reject) => (settle = (error) => (error === undefined ? resolve() : reject(error))))
    },
    (problem) => problems.push(problem)
  )
  const end = async (error?: Error): Promise<void> => {
    settle(error)
    await new Promise((resume) => setImmediate(resume))
  }
  return { hear: (over) => one.onStatus(status(over)), fills, end, problems }
}

test('a large library is noted once for each version, when all else is done', async () => {
  const { hear, fills, end } = filling()
  hear({ phase: 'counts' })
  hear({ bytes: 1000 })
  hear({ isPaused: true })
  expect(fills).toHaveLength(0)
  hear({})
  hear({})
  hear({ version: 2 })
  expect(fills).toHaveLength(1)
  await end()
  expect(fills).toHaveLength(2)
  await end()
  hear({ version: 2 })
  expect(fills).toHaveLength(2)
})

test('it stops while there is something else to do, and goes on after', async () => {
  const { hear, fills, end } = filling()
  hear({})
  hear({ phase: 'cards' })
  expect(fills[0]?.aborted).toBe(true)
  await end()
  hear({})
  expect(fills).toHaveLength(2)
})

test('what cannot be kept is said once', async () => {
  const { hear, fills, end, problems } = filling()
  hear({})
  await end(new Error('the disk is full.'))
  hear({ version: 2 })
  expect(fills).toHaveLength(1)
  expect(problems).toEqual(['Searching is slow without its index: the disk is full.'])
})

test('what is heard while a fill comes to its end is not forgotten', async () => {
  const { hear, fills, end } = filling()
  hear({})
  hear({ phase: 'cards' })
  hear({})
  expect(fills).toHaveLength(1)
  await end()
  expect(fills).toHaveLength(2)
  expect(fills[1]?.aborted).toBe(false)
  hear({ version: 2 })
  await end()
  expect(fills).toHaveLength(3)
})

test('a fill that was told to stop and failed goes on later, without a word', async () => {
  const { hear, fills, end, problems } = filling()
  hear({})
  hear({ isPaused: true })
  await end(new Error('it was ended'))
  hear({})
  expect(fills).toHaveLength(2)
  expect(problems).toEqual([])
})
