import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import type { TodoItem } from '../../src/core/events/todo.ts'
import { corpusBytes, corpusFiles, corpusIsHere, corpusPath, formatOfCorpusFile } from './corpus.ts'
import { sharedFolder } from '../shared-folder.ts'
import { allFixtures } from './fixtures.ts'
import { openLog, readLog } from './read-log.ts'

if (!corpusIsHere) console.warn('todo-truths.test.ts: skipped, ../shared/corpus is not here')

function eventsOf(path: string): readonly AgentEvent[] {
  return readLog(openLog(corpusBytes(path))).events
}

function todoLists(path: string): readonly (readonly TodoItem[])[] {
  return eventsOf(path).flatMap((event) => (event.type === 'todo_list' ? [event.items] : []))
}

/** As a log tells it that knows no more than whether an item is done. */
function doneOnly(lists: readonly (readonly TodoItem[])[]): unknown {
  return lists.map((items) => items.map(({ text, status }) => ({ text, done: status === 'completed' })))
}

describe.skipIf(!corpusIsHere)('todo truths', () => {
  test('c330-tasks: eight snapshots on stdout, the same eight in the transcript', () => {
    const stdout = todoLists('claude-stream-json/generated/c330-tasks.jsonl')
    const transcript = todoLists('claude-transcript/generated/c330-tasks/fa52337f-7a0b-48bb-8bb2-a16486ebc77d.jsonl')
    expect(stdout).toHaveLength(8)
    expect(transcript).toEqual(stdout)
    // Who waits for whom is no part of the list, so that update gives none.
    for (const [index, list] of stdout.entries()) expect(list).not.toEqual(stdout[index - 1])
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
      const lists = todoLists(path)
      expect(lists.map((list) => list.length)).toEqual([2, 1, 2, 0])
      expect(lists[2]).toEqual(lists[0])
    }
  })

  test('dagster-io__erk__a98d6941: thirty snapshots, ending with ten completed', () => {
    const lists = todoLists('claude-transcript/dagster-io__erk__a98d6941.jsonl')
    expect(lists).toHaveLength(30)
    expect(lists.at(-1)?.map((item) => item.status)).toEqual(Array(10).fill('completed'))
  })

  test('entireio__cli__1a2aeb4e: the list is reset outside the log; subagents change it inside their progress lines', () => {
    const path = 'claude-transcript/entireio__cli__1a2aeb4e.jsonl'
    const lines = new TextDecoder().decode(corpusBytes(path)).split('\n')
    const lists = eventsOf(path).flatMap((event) =>
      event.type === 'todo_list'
        ? [{ size: event.items.length, bySubagent: lines[(event.source?.line ?? 0) - 1]?.includes('"agent_progress"') }]
        : []
    )
    const byMain = lists.filter((list) => !list.bySubagent)
    expect(byMain.map((list) => list.size)).toEqual([1, 2, 3, 3, 3, 0])
    // The main agent's own update at line 307 changed nothing: a subagent had completed the task at line 230.
    expect(lists.map((list) => list.size)).toEqual([1, 2, 3, 3, 3, 3, 3, 3, 0])
  })

  test('c0169-plan: five snapshots in two processes; the rollout of both has the same five, and says what is in progress', () => {
    const stdout = ['c0169-plan', 'c0169-plan-resume'].flatMap((name) =>
      todoLists(`codex-exec-json/generated/${name}.jsonl`)
    )
    const rollout = corpusFiles('codex-rollout/generated/')
      .filter((path) => path.includes('c0169-plan__'))
      .flatMap(todoLists)
    expect(stdout).toHaveLength(5)
    expect(doneOnly(rollout)).toEqual(doneOnly(stdout))
    expect(stdout.flat().some(({ status }) => status === 'in_progress')).toBe(false)
    expect(rollout.flat().some(({ status }) => status === 'in_progress')).toBe(true)
  })

  test('v061-todos: the stream and the chat tell the same lists, and end with none', () => {
    const stream = todoLists('gemini-stream-json/generated/v061-todos.jsonl')
    const chat = todoLists('gemini-chat/generated/v061-todos__session-2026-11-21T21-03-7204a4e3.jsonl')
    expect(stream).toHaveLength(4)
    expect(chat).toEqual(stream)
    expect(stream.at(-1)).toEqual([])
  })

  test('v061-todos-invalid: four calls are rejected, and what was known before each is restored; one is accepted', () => {
    const lists = todoLists('gemini-stream-json/generated/v061-todos-invalid.jsonl')
    const accepted = lists.at(-1)
    expect(accepted?.length).toBeGreaterThan(0)
    // Whatever a rejected call said, the list is empty again after its result.
    const before = lists.slice(0, -1)
    expect(before.length % 2).toBe(0)
    expect(before.filter((_, index) => index % 2 === 1)).toEqual(
      before.filter((_, index) => index % 2 === 1).map(() => [])
    )
  })

  test('v061-tracker: three tasks, one of them updated', () => {
    const lists = todoLists('gemini-chat/generated/v061-tracker__session-2026-11-21T21-03-e0c1884b.jsonl')
    expect(lists.at(-1)).toHaveLength(3)
  })
})

/** Runs whose two logs do not tell the same lists, and why. */
const unlike: Readonly<Record<string, string>> = {
  'recorded/claude/subagent-todowrite/': "the subagent's own list stands in its own file",
  'recorded/claude/resumed/': 'two processes, each with a stdout of its own, and one transcript',
  'recorded/gemini/tracker/': 'the ids of new tasks are not on stdout, so an update cannot be told by its task'
}

describe.skipIf(!corpusIsHere)('recorded runs: stdout and what the agent saved tell the same todo lists', () => {
  const runs = corpusFiles('recorded/')
    .filter((path) => path.endsWith('/stdout.jsonl'))
    .map((path) => path.slice(0, -'stdout.jsonl'.length))

  test('of three agents', () => expect(runs.length).toBeGreaterThan(45))

  for (const folder of runs.filter((run) => !(run in unlike))) {
    test(folder, () => {
      const saved = corpusFiles(`${folder}transcript/`).filter(
        (path) => formatOfCorpusFile(path) !== null && !/\/agent-/.test(path)
      )
      const [transcript] = saved
      if (transcript === undefined || saved.length > 1) throw new Error(`${saved.length} transcripts`)
      // A run that was resumed has a stdout for each process.
      const stdout = ['stdout.jsonl', 'stdout-2.jsonl']
        .map((name) => `${folder}${name}`)
        .filter((path) => corpusFiles(folder).includes(path))
        .flatMap(todoLists)
      if (folder.startsWith('recorded/codex')) expect(doneOnly(todoLists(transcript))).toEqual(doneOnly(stdout))
      else expect(todoLists(transcript)).toEqual(stdout)
    })
  }
})

/** An item as an agent states it, under whichever names. */
interface StatedItem {
  readonly id?: string
  readonly content?: string
  readonly subject?: string
  readonly description?: string
  readonly status?: string
}

interface StatingRecord {
  readonly isSidechain?: boolean
  readonly attachment?: { readonly type?: string; readonly content?: unknown }
  readonly toolUseResult?: { readonly newTodos?: unknown; readonly tasks?: unknown }
  readonly toolCalls?: readonly { readonly name?: string; readonly resultDisplay?: { readonly todos?: unknown } }[]
}

/** The lists that a record states of the main agent, by this test's own reading. */
function statedIn({
  isSidechain,
  attachment,
  toolUseResult,
  toolCalls = []
}: StatingRecord): (readonly StatedItem[])[] {
  if (isSidechain === true) return []
  const isReminder = attachment?.type === 'todo_reminder' || attachment?.type === 'task_reminder'
  const lists = [
    ...(isReminder ? [attachment.content] : []),
    ...[toolUseResult?.newTodos, toolUseResult?.tasks],
    ...(Array.isArray(toolCalls) ? toolCalls : []).map((call) =>
      // The tracker's items have their kind and id in the text.
      call.name === 'write_todos' ? call.resultDisplay?.todos : null
    )
  ]
  return lists.filter((list): list is readonly StatedItem[] => Array.isArray(list) && list.every(isItem))
}

function isItem(item: unknown): boolean {
  const { content, subject, description, status } = (item ?? {}) as StatedItem
  return [content, subject, description].some((text) => typeof text === 'string') && typeof status === 'string'
}

function inWords(items: readonly StatedItem[]): string[] {
  // Gemini CLI has a status more; its items are pending.
  return items.map(
    ({ content, subject, description, status }) =>
      `${status === 'blocked' ? 'pending' : status} ${content ?? subject ?? description}`
  )
}

/** Of each statement of a log: its line, what it says, and the list there. */
function statements(bytes: Uint8Array): { line: number; stated: string[]; list: string[] }[] {
  const lines = new TextDecoder().decode(bytes).split('\n')
  if (!lines.some((line) => /_reminder"|"newTodos"|"tasks"|"resultDisplay"/.test(line))) return []
  const lists = readLog(openLog(bytes)).events.flatMap((event) =>
    event.type === 'todo_list' && event.trackId === undefined
      ? [{ line: event.source?.line ?? 0, items: event.items }]
      : []
  )
  return lines.flatMap((text, at) => {
    let record: StatingRecord
    try {
      record = JSON.parse(text) as StatingRecord
    } catch {
      return []
    }
    if (typeof record !== 'object' || record === null) return []
    const stated = statedIn(record).at(-1)
    if (stated === undefined) return []
    const current = lists.findLast(({ line }) => line <= at + 1)?.items ?? []
    const list = current.map((item) => `${item.status} ${item.text}`)
    return [{ line: at + 1, stated: inWords(stated), list }]
  })
}

function expectStated(bytes: Uint8Array): number {
  const found = statements(bytes)
  for (const { line, stated, list } of found) expect({ line, list }).toEqual({ line, list: stated })
  return found.length
}

describe('where a log states its list, that is the list', () => {
  const chunk = /\.jsonl$/
  const next = sharedFolder('corpus-next')
  const beside = next === null ? [] : readdirSync(next, { recursive: true, encoding: 'utf8' })
  const real = [...corpusFiles().map(corpusPath), ...beside.map((path) => join(next ?? '', path))].filter((path) =>
    chunk.test(path)
  )

  test('in fixtures', () => {
    const found = allFixtures()
      .filter(
        ({ formatId, name, input }) =>
          /^claude|^gemini|^qwen/.test(formatId) && name !== 'damage' && chunk.test(input.pathname)
      )
      .map(({ input }) => expectStated(new Uint8Array(readFileSync(input))))
    expect(found.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(10)
  })

  test.skipIf(real.length === 0)('in the corpora', () => {
    const found = real.map((path) => expectStated(new Uint8Array(readFileSync(path))))
    expect(found.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100)
  })
})
