import { afterEach, expect, test } from 'vitest'
import type { FindAnswer } from './find-jobs.ts'
import type { MatchAllowance } from './match-guard.ts'
import type { FindThreadListener, StartFindThread } from './finder.ts'
import { FinderCrew } from './finder-crew.ts'

interface Job {
  readonly query: { readonly regex: boolean }
  readonly allowance?: MatchAllowance
  readonly of: string
}
interface Part {
  readonly to: number
}

/** A thread that is done with a job when a test says so. */
class HeldThread {
  readonly #listener: FindThreadListener<Part>
  job: Job | null = null

  constructor(listener: FindThreadListener<Part>) {
    this.#listener = listener
    queueMicrotask(() => listener.onAnswer({ kind: 'ready' } as FindAnswer<Part>))
  }

  done(spentMs = 0): void {
    this.job = null
    this.#listener.onAnswer({ kind: 'found', part: { to: 1 }, isLast: true, spentMs })
  }
}

const threads = new Set<HeldThread>()
const start: StartFindThread<Job, Part> = (listener) => {
  const thread = new HeldThread(listener)
  threads.add(thread)
  return { post: (job) => void (thread.job = job), end: async () => void threads.delete(thread) }
}
let crew = new FinderCrew(start, { size: 4 })
afterEach(async () => {
  await crew.close()
  threads.clear()
  crew = new FinderCrew(start, { size: 4 })
})

const settled = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve, 0))
const owners = { a: {}, b: {}, c: {} }
type Owner = keyof typeof owners

function ask(of: Owner, many: number): void {
  for (let i = 0; i < many; i++) void crew.search({ query: { regex: false }, of }, () => {}, owners[of])
}

async function busy(): Promise<Record<Owner, number>> {
  await settled()
  const many = (of: Owner): number => [...threads].filter(({ job }) => job?.of === of).length
  return { a: many('a'), b: many('b'), c: many('c') }
}

function finish(of: Owner): void {
  ;[...threads].find(({ job }) => job?.of === of)?.done()
}

test('one owner has all threads, and another one a thread of its own at once', async () => {
  ask('a', 20)
  expect(await busy()).toEqual({ a: 4, b: 0, c: 0 })
  ask('b', 20)
  expect(await busy()).toEqual({ a: 4, b: 1, c: 0 })
  ask('c', 20)
  expect(await busy()).toEqual({ a: 4, b: 1, c: 1 })
})

test('threads that become free go to the owner with the fewest, until there are no more than the size again', async () => {
  ask('a', 20)
  await settled()
  ask('b', 20)
  for (const expected of [
    { a: 3, b: 1, c: 0 },
    { a: 2, b: 2, c: 0 },
    { a: 2, b: 2, c: 0 }
  ]) {
    finish('a')
    expect(await busy()).toEqual(expected)
  }
})

test('what is dropped is one owner’s, and its threads go to the others', async () => {
  ask('a', 20)
  ask('b', 20)
  await settled()
  await crew.drop(true, owners.a)
  expect(await busy()).toEqual({ a: 0, b: 4, c: 0 })
  expect(threads.size).toBe(4)
})

test('work that was dropped and goes on gets nobody more threads', async () => {
  ask('a', 20)
  await settled()
  for (let i = 0; i < 10; i++) {
    await crew.drop(false, owners.a)
    ask('a', 20)
    await settled()
  }
  expect(threads.size).toBe(4)
})

test('the jobs of an owner share the time for slow matches, until they are dropped', async () => {
  const allowed = async (owner: object, spentMs: number): Promise<MatchAllowance | undefined> => {
    const searched = crew.search({ query: { regex: true }, of: 'a' }, () => {}, owner)
    await settled()
    const [thread] = [...threads].filter(({ job }) => job !== null)
    const allowance = thread?.job?.allowance
    thread?.done(spentMs)
    await searched
    return allowance
  }
  expect(await allowed(owners.a, 900)).toEqual({ leftMs: 10_000, isSlow: false })
  expect(await allowed(owners.a, 5000)).toEqual({ leftMs: 9100, isSlow: false })
  expect(await allowed(owners.a, 5000)).toEqual({ leftMs: 4100, isSlow: true })
  expect(await allowed(owners.a, 0)).toEqual({ leftMs: 0, isSlow: true })
  expect(await allowed(owners.b, 0)).toEqual({ leftMs: 10_000, isSlow: false })
  await crew.drop(true, owners.a)
  expect(await allowed(owners.a, 0)).toEqual({ leftMs: 10_000, isSlow: false })
})
