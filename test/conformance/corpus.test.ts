import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { TodoItem } from '../../src/core/events/todo.ts'
import { detectFormat, headOf } from '../../src/core/formats/registry.ts'
import {
  expectCutReadable,
  expectEveryLineRead,
  expectExportAgrees,
  expectInOrder,
  expectReadableAgain,
  expectSameInChunks,
  formatOf
} from './properties.ts'
import { readLog, someCuts, type LogSeen } from './read-log.ts'

/** Real logs, kept beside the repository: none of them is ours to publish. */
const corpus = new URL('../../../shared/corpus/', import.meta.url)
const present = existsSync(corpus)
if (!present) console.warn('corpus.test.ts: skipped, ../shared/corpus is not here')

/** Every file that a registered format claims, by its path in the corpus. */
function logsBelow(folder: string): string[] {
  return readdirSync(new URL(folder, corpus), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .map((path) => `${folder}${path}`)
    .filter((path) => detectFormat(headOf('log', bytesOf(path))).format !== null)
    .sort()
}

function bytesOf(path: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(path, corpus)))
}

function read(path: string): LogSeen {
  const bytes = bytesOf(path)
  return readLog(formatOf(bytes), bytes)
}

function todoLists(log: LogSeen): readonly (readonly TodoItem[])[] {
  return log.events.flatMap((event) => (event.type === 'todo_list' ? [event.items] : []))
}

describe.skipIf(!present)('every log of the corpus', () => {
  const logs = present ? logsBelow('./') : []

  test('there are logs', () => {
    expect(logs.length).toBeGreaterThan(90)
  })

  test('Claude logs are all claimed, by the format of their folder', () => {
    for (const folder of ['claude-stream-json', 'claude-transcript']) {
      const all = readdirSync(new URL(folder, corpus), { recursive: true, encoding: 'utf8' })
      for (const path of all.filter((name) => name.endsWith('.jsonl'))) {
        expect([path, formatOf(bytesOf(`${folder}/${path}`)).id]).toEqual([path, folder])
      }
    }
  })

  for (const path of logs) {
    test(path, { timeout: 120_000 }, () => {
      const bytes = bytesOf(path)
      const format = formatOf(bytes)
      const log = readLog(format, bytes)
      expectEveryLineRead(bytes, log)
      expectInOrder(log)
      expectReadableAgain(format, bytes, log)
      expectExportAgrees(log)
      expectSameInChunks(format, bytes, log, someCuts(bytes.length, 200, 7))
      const places = bytes.length > 4_000_000 ? 2 : 8
      for (const cut of someCuts(bytes.length, places, 11)) expectCutReadable(format, bytes, log, cut)
    })
  }
})

describe.skipIf(!present)('todo truths (formats.md 14)', () => {
  test('c330-tasks: nine snapshots on stdout, the same nine in the transcript', () => {
    const stdout = todoLists(read('claude-stream-json/generated/c330-tasks.jsonl'))
    const transcript = todoLists(
      read('claude-transcript/generated/c330-tasks/fa52337f-7a0b-48bb-8bb2-a16486ebc77d.jsonl')
    )
    expect(stdout).toHaveLength(9)
    expect(transcript).toEqual(stdout)
    expect(stdout.at(-1)).toEqual([
      { text: 'Inspect the repository', status: 'completed' },
      { text: 'Write greeting module', status: 'completed' }
    ])
  })

  test('c330-todowrite: two items, a rejected call, the two restored, cleared', () => {
    const paths = [
      'claude-stream-json/generated/c330-todowrite.jsonl',
      'claude-transcript/generated/c330-todowrite/8241a0ae-4b8d-4fe3-a41e-58eda18bc6ba.jsonl'
    ]
    for (const path of paths) {
      const lists = todoLists(read(path))
      expect(lists.map((list) => list.length)).toEqual([2, 1, 2, 0])
      expect(lists[2]).toEqual(lists[0])
    }
  })

  test('dagster-io__erk__a98d6941: thirty snapshots, ending with ten completed', () => {
    const lists = todoLists(read('claude-transcript/dagster-io__erk__a98d6941.jsonl'))
    expect(lists).toHaveLength(30)
    expect(lists.at(-1)?.map((item) => item.status)).toEqual(Array(10).fill('completed'))
  })

  test('entireio__cli__1a2aeb4e: the list is reset outside the log; subagents change it inside their progress lines', () => {
    const path = 'claude-transcript/entireio__cli__1a2aeb4e.jsonl'
    const { events } = read(path)
    const lines = new TextDecoder().decode(bytesOf(path)).split('\n')
    const lists = events.flatMap((event) =>
      event.type === 'todo_list'
        ? [{ size: event.items.length, bySubagent: lines[(event.source?.line ?? 0) - 1]?.includes('"agent_progress"') }]
        : []
    )
    const byMain = lists.filter((list) => !list.bySubagent)
    expect(byMain.map((list) => list.size)).toEqual([1, 2, 3, 3, 3, 0])
    // The main agent's own update at line 307 changed nothing: a subagent had completed the task at line 230.
    expect(lists.map((list) => list.size)).toEqual([1, 2, 3, 3, 3, 3, 3, 3, 0])
  })

  test('recorded runs: stdout and transcript of one run tell the same todo lists', () => {
    for (const run of ['claude-1.0.128', 'claude-2.0.77', 'claude-2.1.112', 'claude']) {
      for (const scenario of readdirSync(new URL(`recorded/${run}/`, corpus))) {
        if (scenario === 'subagent-todowrite' || scenario === 'resumed') continue
        const folder = `recorded/${run}/${scenario}/`
        const transcripts = logsBelow(`${folder}transcript/`).filter((path) => !/\/agent-/.test(path))
        const [transcript] = transcripts
        if (transcript === undefined) throw new Error(`${folder} has no transcript`)
        expect([folder, todoLists(read(transcript))]).toEqual([folder, todoLists(read(`${folder}stdout.jsonl`))])
      }
    }
  })
})
