import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LogStatus } from '#contract/methods.ts'
import { failingThreads } from '../../test/failing-thread.ts'
import { bundleForNode } from '../../test/node-worker-plugin.ts'
import { indexClasses } from '#core/state/index-classes.ts'
import { restoreState, saveState } from '#core/state/saved-state.ts'
import { type Backend, createBackend } from './handlers.ts'
import { createWorker } from './indexer/create-worker.ts'
import { readLabel, readState, stateBytes } from './saved/state-file.ts'
import { formatNamed } from './sources/choose-format.ts'
import { times } from '../../test/thorough.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-live-'))
afterAll(() => rmSync(folder, { recursive: true }))

let backend: Backend
let statuses: LogStatus[]

function start(cache?: string, threads = createWorker): Backend {
  return createBackend({
    createWorker: threads,
    facts: { host: 'browser', version: '1.2.3', sample: null, drops: '/drops' },
    ...(cache === undefined ? {} : { cache }),
    notify(name, payload) {
      if (name === 'log.progress') statuses.push(LogStatus.parse(payload))
    }
  })
}

beforeEach(() => {
  statuses = []
  backend = start()
})
afterEach(() => backend.close())

let files = 0
function pathOf(content: string | Buffer, name = 'run.jsonl'): string {
  const path = join(folder, String(files++), name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`
const said = (text: string): string =>
  line({
    type: 'assistant',
    message: { id: `msg ${text}`, role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
    timestamp: '2026-01-02T03:04:05.000Z',
    session_id: 's'
  })
const init = line({ type: 'system', subtype: 'init', cwd: '/w', tools: [], model: 'm', session_id: 's', uuid: 'u' })

/** Waits until the host has said something of the log that is as wanted. */
async function until(log: string, wanted: (status: LogStatus) => boolean): Promise<LogStatus> {
  return await vi.waitFor(
    () => {
      const status = statuses.findLast((one) => one.log === log)
      if (status === undefined || !wanted(status)) throw new Error(`not yet: ${JSON.stringify(status)}`)
      return status
    },
    { timeout: 60_000, interval: 5 }
  )
}

async function opened(path: string): Promise<LogStatus> {
  const { log } = await backend.handlers['log.open']({ path })
  return await until(log, ({ phase }) => phase !== 'reading')
}

async function textsOf({ log, rows }: LogStatus): Promise<string[]> {
  if (rows === 0) return []
  const summaries = await backend.handlers['log.rows']({ log, rows: Array.from({ length: rows }, (_, row) => row) })
  return summaries.rows.map(({ text }) => text)
}

/** All that the page can ask of rows. */
async function contentOf({ log, rows, todoSnapshots }: LogStatus, by = backend): Promise<object> {
  const columns = await by.handlers['log.columns']({ log, from: 0, count: 100_000 })
  const events: unknown[] = []
  for (let row = 0; row < rows; row++) events.push(await by.handlers['log.event']({ log, row, limit: 1000 }))
  const { issues } = await by.handlers['log.issues']({ log, from: 0, count: 1000 })
  const todos = todoSnapshots === 0 ? [] : await by.handlers['log.todos']({ log, from: 0, count: 200 })
  const numbers = Object.entries(columns).map(([name, value]) => [
    name,
    value instanceof ArrayBuffer ? Buffer.from(value).toString('hex') : value
  ])
  return { columns: Object.fromEntries(numbers) as object, events, issues, todos }
}

describe('a log that grows', () => {
  test('shows additions', async () => {
    const path = pathOf(init + said('one'))
    const { log } = await opened(path)
    appendFileSync(path, said('two'))
    const status = await until(log, ({ rows }) => rows === 3)
    expect(status).toMatchObject({ phase: 'done', generation: 1, lines: 3, events: 3, fileState: 'there' })
    expect(status.grownAt).toBeGreaterThan(0)
    expect((await textsOf(status)).slice(1)).toEqual(['one', 'two'])
  })

  test('an unfinished last line waits, is shown as cut at rest, and can continue', async () => {
    const path = pathOf(init)
    const { log } = await opened(path)
    const text = said('in two pieces')
    appendFileSync(path, said('whole') + text.slice(0, 40))
    const cut = await until(log, ({ issues }) => issues.malformed === 1)
    expect(cut).toMatchObject({ waitingBytes: 40, lines: 3, settled: { rows: 2, events: 2 } })
    expect(cut.rows).toBeGreaterThan(2)
    appendFileSync(path, text.slice(40))
    const whole = await until(log, ({ issues, rows }) => issues.malformed === 0 && rows === 3)
    expect(whole).toMatchObject({ generation: 1, waitingBytes: 0, settled: { rows: 3 } })
    expect((await textsOf(whole)).slice(1)).toEqual(['whole', 'in two pieces'])
  })

  test('an empty file becomes a log once its format is known', async () => {
    const path = pathOf('')
    const { log, format } = await opened(path)
    expect(format).toBeNull()
    appendFileSync(path, init)
    await until(log, (status) => status.format === 'claude-stream-json' && status.rows === 1)
    appendFileSync(path, said('one'))
    await until(log, ({ rows }) => rows === 2)
  })

  test('appends cut anywhere give the same as the complete file', async () => {
    const todos = (status: string): string =>
      line({
        type: 'assistant',
        message: {
          id: `todo ${status}`,
          role: 'assistant',
          content: [{ type: 'tool_use', id: status, name: 'TodoWrite', input: { todos: [{ content: 'a', status }] } }]
        },
        parent_tool_use_id: null,
        session_id: 's'
      })
    const lines = [init, said('one'), todos('pending'), 'no JSON\n', '\n', said('two'), todos('completed'), said('é😀')]
    const bytes = Buffer.from(lines.join('').trimEnd())
    const whole = pathOf(bytes)
    const status = await opened(whole)
    const wanted = await contentOf(status)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
        const path = pathOf('')
        const { log } = await opened(path)
        let given = 0
        for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
          appendFileSync(path, bytes.subarray(given, cut))
          given = cut
          await new Promise((resume) => setTimeout(resume, 15))
        }
        const grown = await until(log, ({ bytesRead, rows }) => bytesRead === bytes.length && rows === status.rows)
        expect(await contentOf(grown)).toEqual(wanted)
        await backend.handlers['log.close']({ log })
      }),
      { numRuns: times(4, 12) }
    )
  })

  test('thousands of appends a second are all read', async () => {
    const path = pathOf(init)
    const { log } = await opened(path)
    let appended = 0
    while (appended < 10_000) {
      for (let i = 0; i < 200; i++) appendFileSync(path, said(`line ${appended++}`))
      await new Promise((resume) => setTimeout(resume, 10))
    }
    const status = await until(log, ({ rows, settled }) => rows === 10_001 && settled.rows === 10_001)
    const { rows } = await backend.handlers['log.rows']({ log, rows: [1, 5000, 10_000] })
    expect(rows.map(({ text }) => text)).toEqual(['line 0', 'line 4999', 'line 9999'])
    expect(status.issues).toEqual({ malformed: 0, violation: 0, notice: 0 })
    // Each says how far it is: far fewer than there were appends.
    expect(statuses.length).toBeLessThan(1000)
  })

  test('keeps what was read when the file is deleted, and finds it again', async () => {
    const path = pathOf(init + said('one'))
    const { log } = await opened(path)
    const kept = readFileSync(path)
    renameSync(path, `${path}.away`)
    const gone = await until(log, ({ fileState }) => fileState === 'gone')
    expect(await textsOf(gone)).toHaveLength(2)
    renameSync(`${path}.away`, path)
    await until(log, ({ fileState }) => fileState === 'there')
    appendFileSync(path, said('two'))
    expect(await until(log, ({ rows }) => rows === 3)).toMatchObject({ generation: 1 })
    rmSync(path)
    await until(log, ({ fileState }) => fileState === 'gone')
    writeFileSync(path, kept)
    const anew = await until(log, ({ generation, phase }) => generation === 2 && phase === 'done')
    expect(anew).toMatchObject({
      rows: 2,
      fileState: 'there',
      generationNote: expect.stringMatching(/was replaced/)
    })
  })

  test.each([
    ['cut to nothing', (path: string) => truncateSync(path, 0), 0, /truncated/],
    ['cut in the middle', (path: string) => truncateSync(path, init.length), 1, /truncated/],
    [
      'written anew',
      (path: string) => writeFileSync(path, said('a') + said('b') + said('c') + said('d')),
      4,
      /rewritten/
    ],
    [
      'replaced by another',
      (path: string) => {
        writeFileSync(`${path}.new`, init + said('new'))
        renameSync(`${path}.new`, path)
      },
      2,
      /was replaced/
    ]
  ])('a file that is %s begins a new generation, and says so', async (_what, change, rows, note) => {
    const path = pathOf(init + said('one'))
    const { log } = await opened(path)
    change(path)
    const anew = await until(log, ({ generation, phase }) => generation === 2 && phase === 'done')
    expect(anew).toMatchObject({ rows, generationNote: expect.stringMatching(note) })
    appendFileSync(path, init + said('later'))
    const grown = await until(log, (status) => status.rows === rows + 2)
    expect((await textsOf(grown)).at(-1)).toBe('later')
  })
})

describe('a run of several files', () => {
  const at = (second: number): string => new Date(1_767_600_000_000 + second * 1000).toISOString()
  const spoken = (who: string, second: number): string =>
    line({
      type: 'assistant',
      isSidechain: who !== 'main',
      ...(who === 'main' ? {} : { agentId: who }),
      ...{ sessionId: 'session', version: '2', cwd: '/w', uuid: `${who} ${second}`, parentUuid: null },
      timestamp: at(second),
      message: {
        id: `${who} ${second}`,
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: `${who} ${second}` }]
      }
    })

  test('grows in all of them and with later files, in the order of a newly opened run', async () => {
    const main = pathOf(spoken('main', 0), 'session.jsonl')
    const beside = join(dirname(main), 'session', 'subagents')
    const { log } = await opened(main)
    mkdirSync(beside, { recursive: true })
    writeFileSync(join(beside, 'agent-abc.jsonl'), spoken('abc', 2))
    const two = await until(log, ({ files: beside, phase }) => beside.length === 1 && phase === 'done')
    expect(await textsOf(two)).toEqual(['/w', 'main 0', 'abc 2'])
    appendFileSync(main, spoken('main', 5))
    await until(log, ({ rows }) => rows === 4)
    // Before what has been shown already: put in order by reading the run anew.
    appendFileSync(join(beside, 'agent-abc.jsonl'), spoken('abc', 3))
    const ordered = await until(log, ({ rows, settled, generation, phase }) => {
      return phase === 'done' && rows === 5 && settled.rows === 5 && generation > two.generation
    })
    expect(ordered.generationNote).toBeNull()
    expect(await textsOf(ordered)).toEqual(['/w', 'main 0', 'abc 2', 'abc 3', 'main 5'])
  })
})

describe('a saved index', () => {
  // As long as a log has to be for its index to be saved, 16 MB, in few lines.
  const long = init + Array.from({ length: 2000 }, (_, i) => said(`${i} ${'x'.repeat(8500)}`)).join('')

  async function kept(cache: string): Promise<string[]> {
    return await vi.waitFor(
      () => {
        const names = existsSync(cache) ? readdirSync(cache).filter((name) => name.endsWith('.index')) : []
        if (names.length === 0) throw new Error('not yet')
        return names
      },
      { timeout: 60_000 }
    )
  }

  /** Opens the log in another process, as it were. */
  async function reopened(path: string, cache: string): Promise<LogStatus> {
    await backend.close()
    statuses = []
    backend = start(cache)
    return await opened(path)
  }

  async function saved(): Promise<{ path: string; cache: string; status: LogStatus }> {
    const cache = join(folder, `cache-${files++}`)
    await backend.close()
    backend = start(cache)
    const path = pathOf(long)
    const status = await opened(path)
    await kept(cache)
    return { path, cache, status }
  }

  test('opens an unchanged or grown log, and is never beside it', async () => {
    const { path, cache, status } = await saved()
    expect(status.savedRows).toBe(0)
    expect(readdirSync(dirname(path))).toEqual(['run.jsonl'])
    const again = await reopened(path, cache)
    expect(again).toMatchObject({ savedRows: status.rows, rows: status.rows, events: status.events, phase: 'done' })
    const { log, ...rest } = again
    expect({ ...rest, savedRows: 0 }).toEqual({ ...status, log: undefined })
    appendFileSync(path, said('while open'))
    await until(log, ({ rows }) => rows === status.rows + 1)
    await backend.close()
    appendFileSync(path, said('while closed').slice(0, -1))
    const grown = await reopened(path, cache)
    expect(grown).toMatchObject({ savedRows: status.rows, rows: status.rows + 2 })
    const { rows } = await backend.handlers['log.rows']({ log: grown.log, rows: [1, status.rows, status.rows + 1] })
    expect(rows.map(({ text }) => text.slice(0, 12))).toEqual(['0 xxxxxxxxxx', 'while open', 'while closed'])
  })

  /** Takes a part of the state that was saved away, in a file that is as whole as before. */
  async function takeAway(index: string, part: string): Promise<void> {
    const format = formatNamed('claude-stream-json')
    const file = await open(index)
    const label = await readLabel(file)
    const state = restoreState(await readState(file), indexClasses(format))
    await file.close()
    const holder = part.split('/').reduce<unknown>((one, name) => Reflect.get(one as object, name), state)
    for (const name of Object.keys(holder as object)) Reflect.deleteProperty(holder as object, name)
    const bytes = [...stateBytes(label, saveState(state, indexClasses(format)))]
    writeFileSync(index, Buffer.concat(bytes.map((block) => Buffer.from(block))))
  }

  test('is saved if a log is closed that grew and never rested', async () => {
    const { path, cache, status } = await saved()
    appendFileSync(path, long.slice(init.length))
    await until(status.log, ({ rows }) => rows === 2 * status.rows - 1)
    const grown = await reopened(path, cache)
    expect(grown.rows).toBe(2 * status.rows - 1)
    expect(grown.savedRows).toBeGreaterThan(status.rows)
  })

  const damage: [string, (path: string, index: string) => void | Promise<void>][] = [
    ['knows nothing of the lines before', async (_path, index) => await takeAway(index, 'foldedLines/fold')],
    ['has no rows', async (_path, index) => await takeAway(index, 'foldedLines/sink')],
    ['is cut', (_path, index) => truncateSync(index, statSync(index).size - 100)],
    ['is empty', (_path, index) => truncateSync(index, 0)],
    [
      'has a bit turned',
      (_path, index) => {
        const bytes = readFileSync(index)
        bytes[1000] = (bytes[1000] ?? 0) ^ 1
        writeFileSync(index, bytes)
      }
    ],
    ['is something else', (_path, index) => writeFileSync(index, 'x'.repeat(5000))],
    [
      'is of a log that was written to since, and is as long',
      (path) => {
        const bytes = readFileSync(path)
        bytes[bytes.lastIndexOf('x')] = 0x79
        writeFileSync(path, bytes)
        utimesSync(path, new Date(), new Date(Date.now() + 5000))
      }
    ],
    [
      'is of a log that was copied',
      (path) => {
        const bytes = readFileSync(path)
        rmSync(path)
        writeFileSync(`${path}.other`, 'takes the place of the first on the disk')
        writeFileSync(path, bytes)
      }
    ]
  ]
  test.each(damage)('that %s is replaced silently', async (_what, change) => {
    const { path, cache, status } = await saved()
    await backend.close()
    const [index] = await kept(cache)
    await change(path, join(cache, index ?? ''))
    const again = await reopened(path, cache)
    expect(again).toMatchObject({ savedRows: 0, rows: status.rows, phase: 'done', error: null })
  })

  test('is not required if it cannot be written', async () => {
    const cache = pathOf('a file stands where the folder should be')
    await backend.close()
    backend = start(cache)
    expect(await opened(pathOf(long))).toMatchObject({ rows: 2001, phase: 'done', error: null })
  })

  test.each([
    ['full', 0],
    ['full', 2],
    ['broken', 3]
  ] as const)('that the disk does not take is said, and made the next time (%s, write %i)', async (fault, at) => {
    const cache = join(folder, `cache-${files++}`)
    const report = `${cache}.failed`
    const bundle = await bundleForNode(join(import.meta.dirname, '../../test/failing-thread.ts'), folder)
    await backend.close()
    backend = start(cache, failingThreads(createWorker, bundle, { at, fault, folders: [cache], report }))
    const path = pathOf(long)
    const status = await opened(path)
    await until(status.log, ({ notes }) => notes.some((note) => note.startsWith(`The index was not saved: ${cache}`)))
    const again = await reopened(path, cache)
    expect(readFileSync(report, 'utf8')).toContain(cache)
    expect(again).toMatchObject({ savedRows: 0, rows: status.rows, phase: 'done', error: null, notes: [] })
    // While the second index is written there is a draft of it.
    await kept(cache)
    expect(readdirSync(cache).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})
