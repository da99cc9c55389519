import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { callGroups } from '#contract/analysis.ts'
import { PriceTable } from '#core/requests/prices.ts'
import { type Handlers, type LogStatus, type Params, type Result } from '#contract/methods.ts'
import { FoundRows } from '../found-rows.ts'
import { createBackend } from '#backend/handlers.ts'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { Run } from '#backend/sources/run.ts'
import { type FindJob, FindServer, type FoundPart } from '#queries/find/find-jobs.ts'
import type { StartFindThread } from '#queries/find/finder.ts'
import { ScriptScanner } from '#queries/find/script-scanner.ts'
import { FixedLog } from '#queries/fixed-log.ts'
import { fixedLogHandlers } from '#queries/fixed-log.ts'
import type { LogMethod } from '#queries/log-answers.ts'
import { claudeBesideRun, claudeFolderRun, codexRun, geminiRun } from '../invented-runs.ts'
import { corpusIsHere, corpusPath } from './corpus.ts'
import { allFixtures } from './fixtures.ts'
import { openHere } from './log-here.ts'
import { wholeSummary } from './whole-summary.ts'
import { every } from '../thorough.ts'

/** A log that a page holds is answered for as the same log is by its host, which reads its file. */

/** A host with one log open, and what it says of its searches. */
interface OpenHost {
  readonly handlers: Pick<Handlers, LogMethod>
  readonly found: FoundRows
  readonly log: string
  readonly status: LogStatus
  readonly close?: () => Promise<unknown>
}

const found = new FoundRows()
const backend = createBackend({
  createWorker,
  facts: { host: 'browser', version: '1', sample: null, drops: null },
  recent: { list: async () => [], remember: async () => {} },
  notify: (name, payload) => found.onNotice(name, payload)
})
afterAll(() => backend.close())

async function withFile(path: string): Promise<OpenHost> {
  const { handlers } = backend
  const { log } = await handlers['log.open']({ path })
  const close = async (): Promise<unknown> => await handlers['log.close']({ log })
  return { handlers, found, log, status: await read(handlers, log), close }
}

async function withFileHere(path: string): Promise<OpenHost> {
  const found = new FoundRows()
  const { handlers, status, close } = await openHere(path, (progress) => found.onNotice('log.found', progress))
  return { handlers, found, log: status.log, status, close }
}

/** Searches bytes in this thread. */
const startFinding: StartFindThread<FindJob<Uint8Array>, FoundPart> = ({ onAnswer }) => {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  const later = (act: () => void): void => void setTimeout(act, 0)
  const server = new FindServer<Uint8Array>({
    scanner: (patterns, windowBytes) => new ScriptScanner(patterns, windowBytes),
    readText: (bytes) => utf8.decode(bytes),
    open: (bytes) => ({
      read(target, offset) {
        const read = bytes.subarray(offset, offset + target.length)
        target.set(read)
        return read.length
      }
    }),
    say: (answer) => later(() => onAnswer(answer))
  })
  later(() => onAnswer({ kind: 'ready' }))
  return {
    post: (job: FindJob<Uint8Array>) => later(() => server.serve(job)),
    end: async () => {}
  }
}

async function withBytes(path: string): Promise<OpenHost> {
  const run = await Run.open({ path, format: null, single: false })
  const files = []
  for (const { name, source } of run.files) {
    const chunks: Uint8Array[] = []
    for await (const chunk of source.chunks()) chunks.push(Uint8Array.from(chunk))
    const bytes = Buffer.concat(chunks)
    const { callId } = run.found.files.find((one) => one.name === name) ?? {}
    files.push({
      name,
      callId,
      framing: run.framingOf(name),
      bytes: bytes.length,
      source: { read: async (offset: number, length: number) => bytes.subarray(offset, offset + length) },
      handle: bytes
    })
  }
  const found = new FoundRows()
  const { format, note: formatNote } = run.chosen
  const shown = { name: run.main.source.name, format, formatNote, notes: run.notes, files }
  const log = new FixedLog('held', shown, startFinding, {
    status: () => {},
    found: (progress) => found.onNotice('log.found', progress)
  })
  await run.close()
  await log.read()
  const handlers = fixedLogHandlers(log, await backend.handlers['host.capabilities']({}))
  return { handlers, found, log: 'held', status: await read(handlers, 'held') }
}

async function read(handlers: Handlers, log: string): Promise<LogStatus> {
  for (;;) {
    const status = await handlers['log.status']({ log })
    if (status.phase !== 'reading') return status
    await new Promise((resume) => setTimeout(resume, 5))
  }
}

/** At most so many rows are asked for one by one. */
const someRows = 12
const prices = PriceTable.parse(
  JSON.parse(readFileSync(new URL('../../resources/prices.json', import.meta.url), 'utf8'))
)

/** Numbers below `count`, about `most` of them, both ends among them. */
function some(count: number, most: number): number[] {
  const step = Math.max(1, (count - 1) / (most - 1))
  const all = Array.from({ length: Math.min(count, most) }, (_, i) => Math.min(count - 1, Math.round(i * step)))
  return [...new Set(all)]
}

type Asked<M extends LogMethod> = Omit<Params<M>, 'log'>

/** What is asked of a log, for each method there is. Searches are compared by what they find, the summary once it is whole. */
const questions: {
  readonly [M in Exclude<LogMethod, 'log.find' | 'log.hits' | 'log.endFind' | 'log.summary' | 'log.findings'>]: (
    status: LogStatus
  ) => Asked<M>[]
} = {
  'log.columns': ({ rows }) => [
    { from: 0, count: 200_000 },
    { from: Math.floor(rows / 2), count: 7 }
  ],
  'log.rows': ({ rows }) => {
    const asked = some(rows, 500)
    return [asked.slice(0, 400), asked.slice(400)].filter((part) => part.length > 0).map((part) => ({ rows: part }))
  },
  'log.requests': () => [{ from: 0, count: 1000 }],
  'log.spans': () => [{ from: 0, count: 200_000 }],
  'log.timeSplit': ({ rows }) => [{ range: null }, { range: { by: 'rows', from: 3, to: Math.floor(rows / 2) } }],
  'log.callTable': ({ rows }) => {
    const asked = { sort: 'calls', descending: true, prices, from: 0, count: 1000 } as const
    const range = { by: 'rows', from: 0, to: Math.floor(rows / 2) } as const
    return [
      ...callGroups.map((groupBy) => ({ ...asked, groupBy, range: null, find: null })),
      { ...asked, groupBy: 'tool', range, find: null }
    ]
  },
  'log.context': () => [{ range: null, prices, from: 0, count: 1000 }],
  'log.usage': ({ rows }) => [
    { ranges: [{ from: 0, to: rows }, ...some(rows, 20).map((from) => ({ from, to: from + 50 }))] }
  ],
  'log.event': ({ rows }) =>
    some(rows, someRows).flatMap((row) => [
      { row, limit: 100 },
      { row, limit: 4_000_000 }
    ]),
  'log.text': ({ rows }) => some(rows, someRows).map((row) => ({ row, path: '$.text', from: 0, count: 5000 })),
  'log.images': ({ rows }) => some(rows, someRows).map((row) => ({ row })),
  'log.raw': ({ rows }) => some(rows, someRows).map((row) => ({ row, from: 3, count: 100_000 })),
  'log.sameFile': ({ rows }) => some(rows, someRows).map((row) => ({ row, from: row, direction: 1 })),
  'log.files': () => [
    { file: 0, step: 0, doubt: 0, count: 200_000 },
    { file: 1, step: 5, doubt: 2, count: 10 }
  ],
  'log.fileAt': ({ rows }) =>
    [0, 1, 2, 5].flatMap((file) =>
      [rows, Math.floor(rows / 3), rows].map((seq) => ({ file, seq, from: 0, count: 300 }))
    ),
  'log.fileLines': ({ rows }) => [
    { file: 0, seq: rows, from: 0, to: 20 },
    { file: 1, seq: Math.floor(rows / 3), from: 3, to: 4 }
  ],
  'log.todoColumns': () => [{ from: 0 }],
  'log.todos': ({ todoSnapshots }) => some(todoSnapshots, 20).map((from) => ({ from, count: 5 })),
  'log.todoLanes': () => [{ from: 0, count: 200_000 }],
  'log.issues': () => [{ from: 0, count: 1000 }]
}

/** Shorter logs are searched once. */
const longLog = 20_000
const searches: readonly Omit<Params<'log.find'>, 'log'>[] = [
  { text: 'the', regex: false, caseSensitive: false },
  { text: 'Ü', regex: false, caseSensitive: false },
  { text: '"type":"', regex: false, caseSensitive: true },
  { text: 'to+l|\\p{Lu}{4}', regex: true, caseSensitive: true },
  { text: 'read.{0,20}file', regex: true, caseSensitive: false },
  ...[
    'tool:shell OR changed:todo OR has:error',
    'status:ok -"the" output:e',
    'todo:=in_progress (/to+l/i OR input:/[a-z]+s/)'
  ].map((text) => ({ text, isQuery: true, regex: false, caseSensitive: false }))
]

/** Answers as they can be compared: buffers as bytes, failures as their messages. */
async function answered<M extends LogMethod>(host: OpenHost, method: M, asked: Asked<M>): Promise<unknown> {
  const handler = host.handlers[method] as (params: object) => Promise<object>
  try {
    const answer = await wholeAnswer(() => handler({ log: host.log, ...asked }))
    return Object.fromEntries(
      Object.entries(answer).map(([key, value]) => [key, value instanceof ArrayBuffer ? Buffer.from(value) : value])
    )
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

/** Asks until all is read. What is settled depends on whether the log may grow. */
async function wholeAnswer(ask: () => Promise<object>): Promise<object> {
  for (;;) {
    const { settled: _settled, ...answer }: Partial<Result<'log.spans'> & Result<'log.callTable'>> = await ask()
    const { counted = 0, rows = 0, read = 0, spans = 0 } = answer
    // Files: the index, and then the content.
    if (
      'problem' in answer &&
      answer.counted === undefined &&
      answer.problem === null &&
      (read < rows || ('making' in answer && answer.making !== null))
    )
      continue
    if (answer.counted === undefined || (counted >= rows && read >= spans)) return answer
  }
}

/** Without what depends on how a log is kept, and on whether it may grow. */
function comparable(status: LogStatus): object {
  const { log: _log, path: _path, settled: _settled, savedRows: _savedRows, waitingBytes: _waiting, ...same } = status
  return same
}

const fixtures = allFixtures().map(({ formatId, input, name }) => ({ formatId, name, path: fileURLToPath(input) }))
const compressed = fileURLToPath(new URL('../fixtures/compressed/rollout.jsonl.zst', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'playhead-held-'))
afterAll(() => rmSync(folder, { recursive: true }))
const runs = [claudeFolderRun, claudeBesideRun, codexRun, geminiRun].map(
  (layOut) => [layOut.name, layOut(mkdtempSync(join(folder, 'run-')))] as const
)
const fromCorpus = corpusIsHere
  ? [
      'claude-transcript/marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl',
      'claude-stream-json/presmihaylov__claudecontrol__879828b3.jsonl',
      'claude-stream-json/generated/c330-huge.jsonl'
    ].map((path) => [path, corpusPath(path)] as const)
  : []

/** Some are opened as the app does it: threads do the same for all of them, and take most of the time. */
const isFirst = ({ formatId }: (typeof fixtures)[number], i: number): boolean => formatId !== fixtures[i - 1]?.formatId
const threaded = new Set(every(6, fixtures.filter(isFirst)))
const named = ({ formatId, name, path }: (typeof fixtures)[number]) => [`${formatId}/${name}`, path] as const
const inThreads = fixtures.filter((fixture) => threaded.has(fixture)).map(named)
const inOneThread = every(
  2,
  fixtures.filter((fixture) => !threaded.has(fixture))
).map(named)

describe('a log that a page holds', () => {
  test.each([...inThreads, ['compressed', compressed] as const, ...runs, ...fromCorpus])(
    'is answered for as its file is: %s',
    async (_name, path) => await expectSameAnswers(await withFile(path), await withBytes(path))
  )

  test.each(inOneThread)('is answered for as its file is, in one thread: %s', async (_name, path) => {
    await expectSameAnswers(await withFileHere(path), await withBytes(path))
  })
})

async function expectSameAnswers(file: OpenHost, held: OpenHost): Promise<void> {
  expect(comparable(held.status)).toEqual(comparable(file.status))
  for (const method of Object.keys(questions) as (keyof typeof questions)[]) {
    for (const asked of questions[method](file.status)) {
      const answer = await answered(held, method, asked)
      const wanted = await answered(file, method, asked)
      if (!isDeepStrictEqual(answer, wanted)) expect(answer, `${method} ${JSON.stringify(asked)}`).toEqual(wanted)
    }
  }
  expect(await wholeSummary(held)).toEqual(await wholeSummary(file))
  // Each takes the file's host some threads.
  const isShort = file.status.bytes < longLog
  for (const search of isShort ? searches.slice(0, 1) : searches) {
    const rows = await held.found.search(held, { log: held.log, ...search })
    expect(rows, JSON.stringify(search)).toEqual(await file.found.search(file, { log: file.log, ...search }))
  }
  await file.close?.()
}
