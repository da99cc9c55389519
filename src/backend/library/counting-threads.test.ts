import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { codexRun } from '../../../test/invented-runs.ts'
import { OpenLibrary } from '../../../test/open-library.ts'
import { createWorker } from '../indexer/create-worker.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { ParentsOf } from '../sources/run-files.ts'
import { type Counted, countSession, notCounted } from './count-session.ts'
import type { CountingReport, CountingTask } from './counting-thread.ts'
import { CountingThreads } from './counting-threads.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'playhead-counting-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folder = ''
let at = 0
beforeEach(() => {
  folder = join(root, String(at++))
  mkdirSync(folder)
})

const never = new AbortController().signal
const none: ParentsOf = async () => new Map()

const starvedWorkers: Worker[] = []
/** A thread that gets no time: it answers nothing. */
function starved(): Worker {
  const worker = new Worker('setInterval(() => {}, 1e9)', { eval: true })
  starvedWorkers.push(worker)
  return worker
}
afterEach(async () => void (await Promise.all(starvedWorkers.splice(0).map((worker) => worker.terminate()))))

/** The threads, and the workers they started. */
function opened(parentsOf = none, atOnce = 2) {
  const workers: Worker[] = []
  const create: CreateWorker = (options) => {
    const worker = createWorker(options)
    workers.push(worker)
    return worker
  }
  return { threads: new CountingThreads(create, parentsOf, atOnce), workers, create }
}

const prompt = (text: string): string =>
  `${JSON.stringify({ type: 'user', uuid: text, sessionId: 's', timestamp: '2026-01-02T03:00:00Z', message: { role: 'user', content: text } })}\n`

function transcript(prompts: number): string {
  const path = join(folder, `${prompts}.jsonl`)
  writeFileSync(path, Array.from({ length: prompts }, (_, number) => prompt(`Prompt ${number}`)).join(''))
  return path
}

/** Once `worker` has said something for which `isSo`. The threads see it before. */
async function once<T>(worker: Worker, event: 'message' | 'exit', isSo: (said: T) => boolean): Promise<void> {
  await new Promise<void>((resolve) => worker.on(event, (said: T) => void (isSo(said) && resolve())))
  await setImmediate()
}

/** The first event is the start of the session. */
const promptsOf = ({ whole }: Counted): number | null | 'cancelled' =>
  whole === null || whole === 'cancelled' ? whole : whole.counts.events - 1

describe('threads that count', () => {
  test('count as one thread does, subagents included, and ask whose files these are', async () => {
    const path = codexRun(folder)
    const asked: string[] = []
    const parentsOf: ParentsOf = async (paths) => {
      asked.push(...paths)
      return new Map(paths.filter((each) => each.endsWith('other.jsonl')).map((each) => [each, null]))
    }
    const { threads } = opened(parentsOf)
    const counted = await threads.count({ path, format: 'codex-rollout', givesWay: false }, never)
    expect(asked.filter((each) => each.endsWith('other.jsonl'))).toHaveLength(1)
    const here = await countSession({ path, format: 'codex-rollout', givesWay: false }, none, async () => true)
    expect(counted).toEqual({ ...here, tookMs: counted.tookMs })
    expect(counted.tookMs).toBeGreaterThan(0)
    expect(counted.bytes).toBeGreaterThan(1000)
    threads.close()
  })

  test('one thread counts what comes one after the other, two what comes together', async () => {
    const { threads, workers } = opened()
    const task = (prompts: number) => ({ path: transcript(prompts), format: 'claude-transcript', givesWay: false })
    expect(promptsOf(await threads.count(task(1), never))).toBe(1)
    expect(promptsOf(await threads.count(task(2), never))).toBe(2)
    expect(workers).toHaveLength(1)
    const both = await Promise.all([threads.count(task(3), never), threads.count(task(4), never)])
    expect(both.map(promptsOf)).toEqual([3, 4])
    expect(workers).toHaveLength(2)
    const exits = workers.map(async (worker) => await new Promise((resolve) => worker.once('exit', resolve)))
    threads.close()
    await Promise.all(exits)
  })

  /** A count that takes long, its thread, and what cancels it. */
  function longCount() {
    const { threads, workers } = opened()
    const cancel = new AbortController()
    const task = { path: transcript(60_000), format: 'claude-transcript', givesWay: false }
    const count = threads.count(task, cancel.signal)
    return { threads, workers, count, worker: workers[0]!, cancel: () => cancel.abort() }
  }

  test('a count is cancelled at once, and its thread goes on with the next when it has noticed', async () => {
    const { threads, workers, count, worker, cancel } = longCount()
    const noticed = once(worker, 'message', (report: CountingReport) => report.kind === 'counted')
    cancel()
    expect(promptsOf(await count)).toBe('cancelled')
    await noticed
    const next = { path: transcript(1), format: 'claude-transcript', givesWay: false }
    expect(promptsOf(await threads.count(next, never))).toBe(1)
    expect(workers).toHaveLength(1)
    threads.close()
  })

  test('a thread that counts while all are closed ends after it', async () => {
    const { threads, count, worker, cancel } = longCount()
    const ended = once(worker, 'exit', () => true)
    cancel()
    threads.close()
    expect(promptsOf(await count)).toBe('cancelled')
    await ended
  })

  test('a cancelled count does not wait for its thread', async () => {
    const threads = new CountingThreads(starved, none)
    const cancel = new AbortController()
    const count = threads.count({ path: transcript(1), format: '', givesWay: true }, cancel.signal)
    cancel.abort()
    expect(promptsOf(await count)).toBe('cancelled')
    expect(promptsOf(await threads.count({ path: '', format: '', givesWay: true }, cancel.signal))).toBe('cancelled')
    threads.close()
  })

  test('what cannot be read has no counts', async () => {
    const { threads } = opened()
    expect(await threads.count({ path: join(folder, 'gone.jsonl'), format: '', givesWay: false }, never)).toEqual(
      notCounted
    )
    threads.close()
  })

  test('a session that takes too much memory has no counts, and the next one has another thread', async () => {
    const workers: Worker[] = []
    const threads = new CountingThreads((options) => {
      const isFirst = workers.length === 0
      const worker = isFirst
        ? new Worker('const all = []; for (;;) all.push(new Array(1000).fill(all.length))', {
            eval: true,
            resourceLimits: { maxOldGenerationSizeMb: 16 }
          })
        : createWorker(options)
      workers.push(worker)
      return worker
    }, none)
    const task = { path: transcript(1), format: 'claude-transcript', givesWay: false }
    expect(await threads.count(task, never)).toEqual(notCounted)
    expect(promptsOf(await threads.count(task, never))).toBe(1)
    expect(workers).toHaveLength(2)
    threads.close()
  })

  test('a thread that fails says so', async () => {
    const threads = new CountingThreads(() => new Worker('throw new RangeError("of its own")', { eval: true }), none)
    await expect(threads.count({ path: transcript(1), format: '', givesWay: false }, never)).rejects.toThrow(
      'of its own'
    )
    const ending = new CountingThreads(() => new Worker('process.exit(3)', { eval: true }), none)
    await expect(ending.count({ path: transcript(1), format: '', givesWay: false }, never)).rejects.toThrow('has ended')
  })
})

/** The priority of each thread of this process, from the 19th field of its line. */
const priorities = (): Map<string, number> =>
  new Map(
    readdirSync('/proc/self/task').map((thread) => {
      const line = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
      return [thread, Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[16])]
    })
  )

test.runIf(process.platform === 'linux')('only a thread that nobody waits for gives way, and not always', async () => {
  const before = priorities()
  const { threads, workers } = opened()
  const started = (): number[] =>
    [...priorities()].flatMap(([thread, priority]) => (before.has(thread) ? [] : [priority]))
  const task = { path: transcript(1), format: 'claude-transcript' }
  await threads.count({ ...task, givesWay: false }, never)
  expect(started()).not.toContain(10)
  await threads.count({ ...task, givesWay: true }, never)
  await threads.count({ ...task, givesWay: false }, never)
  await threads.count({ ...task, givesWay: true }, never)
  expect(workers).toHaveLength(2)
  // A thread of priority 19 counted nothing in five minutes beside other tests.
  expect(started().filter((priority) => priority > 0)).toEqual([10])
  threads.close()
})

test('once a page shows the library, no count gives way any more', async () => {
  const home = join(folder, 'home')
  const project = join(home, '.claude/projects/-work-app')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, '1.jsonl'), prompt('Count me'))
  const gaveWay: boolean[] = []
  const createWorkers: CreateWorker = (options) => {
    const { givesWay } = options.workerData as CountingTask
    gaveWay.push(givesWay)
    return givesWay ? starved() : createWorker(options)
  }
  const library = new OpenLibrary({ home, cache: join(folder, 'cache'), createWorker: createWorkers })
  await expect.poll(() => gaveWay).toEqual([true])
  await library.library.watch({ isShown: true })
  await library.idle()
  expect((await library.cards())[0]?.counts).not.toBeNull()
  // A page repeats this. Nothing begins anew.
  await library.library.watch({ isShown: true })
  expect(gaveWay).toEqual([true, false])
  await library.library.close()
})

test('a library counts several sessions at once, as it does one after the other', async () => {
  const home = join(folder, 'home')
  codexRun(join(home, '.codex'))
  const project = join(home, '.claude/projects/-work-app')
  mkdirSync(project, { recursive: true })
  for (let session = 0; session < 12; session++)
    writeFileSync(join(project, `${session}.jsonl`), prompt(`Of ${session}`).replace('"s"', `"${session}"`).repeat(9))
  const countsOf = async (name: string, options: { readonly createWorker?: CreateWorker }) => {
    const library = new OpenLibrary({ home, cache: join(folder, name), ...options })
    await library.idle()
    const cards = await library.cards()
    const read = library.bytes.read
    await library.library.close()
    return { read, counts: cards.map(({ path, counts, state }) => ({ path, counts, state })) }
  }
  const { create, workers } = opened()
  const elsewhere = await countsOf('elsewhere', { createWorker: create })
  expect(elsewhere).toEqual(await countsOf('here', {}))
  expect(elsewhere.counts).toHaveLength(14)
  expect(elsewhere.counts.every(({ counts }) => counts !== null)).toBe(true)
  expect(workers.length).toBeGreaterThan(0)
})
