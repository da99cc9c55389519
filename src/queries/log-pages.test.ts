import { expect, test } from 'vitest'
import { claudeStreamJson } from '#core/formats/claude/stream-json.ts'
import type { Decoded } from '#core/formats/log-format.ts'
import { RunReader } from '#core/formats/run-reader.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { LogPages } from './log-pages.ts'

const said = (text: string): string =>
  `${JSON.stringify({
    type: 'assistant',
    message: { id: text, role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
    session_id: 's'
  })}\n`

interface Open {
  readonly pages: LogPages
  readonly reader: RunReader<Decoded, RunIndex>
  content: Uint8Array
}

function open(content: string): Open {
  const reader = new RunReader<Decoded, RunIndex>(claudeStreamJson, new RunIndex(claudeStreamJson))
  const source = {
    read: async (offset: number, length: number) => opened.content.subarray(offset, offset + length)
  }
  const run = { format: claudeStreamJson, files: [{ name: undefined, source }], framingOf: () => 'lines' as const }
  const opened: Open = { reader, pages: new LogPages(run, reader.sink), content: new Uint8Array(0) }
  grow(opened, content)
  return opened
}

/** Something is added, and the log rests again. */
function grow(log: Open, added: string): void {
  const { pages, reader } = log
  const bytes = new TextEncoder().encode(added)
  log.content = Uint8Array.from([...log.content, ...bytes])
  // The end that was shown is dropped before more is read.
  pages.show(reader.sink, reader.sink)
  reader.resumeFile(0)
  reader.push(0, bytes)
  reader.pauseFile(0)
  const ended = reader.endedCopy()
  if (ended === null) throw new Error('a log in one file is always in order')
  pages.show(ended, reader.sink)
}

async function textOf(pages: LogPages, row: number): Promise<string | undefined> {
  const { rows } = await pages.rows([row])
  return rows[0]?.text
}

test('a cut line that goes on and is cut again is another one', async () => {
  const log = open(`${said('one')}{"type": "user`)
  const { rows } = log.reader.sink.rows
  expect(await textOf(log.pages, rows)).toBe('{"type": "user')
  grow(log, '", "message":')
  expect(await textOf(log.pages, rows)).toBe('{"type": "user", "message":')
})

test('what was asked of an index that is shown no more is answered from it, and not kept', async () => {
  const text = said('in two pieces')
  const log = open(said('one') + text.slice(0, 40))
  const { rows } = log.reader.sink.rows
  const [late, event] = [log.pages.rows([0, rows]), log.pages.event(rows, 1000)]
  grow(log, text.slice(40))
  expect((await late).rows[1]?.text).toBe(text.slice(0, 40).trimEnd())
  expect((await event).event).toMatchObject({ category: 'unparsed', text: text.slice(0, 40) })
  expect(await textOf(log.pages, rows)).toBe('in two pieces')
})

const written = (id: string, count: number, done: number): string =>
  `${JSON.stringify({
    type: 'assistant',
    message: {
      id,
      role: 'assistant',
      model: 'm',
      content: [{ type: 'tool_use', id, name: 'TodoWrite', input: { todos: items(count, done) } }]
    },
    parent_tool_use_id: null,
    session_id: 's'
  })}\n`

function items(count: number, done: number) {
  return Array.from({ length: count }, (_, at) => {
    const content = `Item ${at}`
    return { content, activeForm: content, status: at < done ? 'completed' : 'pending' }
  })
}

test('lists asked for at once are whole, or are not given yet', async () => {
  const { pages } = open(Array.from({ length: 9 }, (_, at) => written(`t${at}`, 1000, at)).join(''))
  const given: number[] = []
  for (let from = 0; from < 9;) {
    const { snapshots } = pages.todos(from, 9)
    expect(snapshots[0]?.index).toBe(from)
    given.push(...snapshots.map((snapshot) => snapshot.items.length))
    from += snapshots.length
  }
  expect(given).toEqual(Array.from({ length: 9 }, () => 1000))
})

test('of a list that is too long it is told what changed, or how much', async () => {
  const long = 10_000
  const { pages } = open(written('a', long, 0) + written('b', long, 1) + written('c', long, 5000))
  const [first] = pages.todos(0, 1).snapshots
  expect(first).toMatchObject({ moreChanges: long - 1000, changes: { length: 1000 } })
  expect(first?.items.length).toBeGreaterThan(4000)
  const [second] = pages.todos(1, 1).snapshots
  expect(second).toMatchObject({ moreChanges: 0, changes: [{ kind: 'status', text: 'Item 0' }] })
  expect(second?.items.length).toBeGreaterThan(6000)
  expect(pages.todos(2, 1).snapshots[0]).toMatchObject({ moreChanges: 3999, changes: { length: 1000 } })
})

test('a list that is stated again as it was is a row that says so, and no snapshot', async () => {
  const { pages } = open(written('a', 2, 0) + written('b', 2, 0) + written('c', 1, 1))
  const { rows } = await pages.rows([0, 1, 2])
  expect(rows.map(({ text }) => text)).toEqual(['2 added', 'no change', 'Item 0, 1 dropped (Item 1)'])
  expect(rows[1]?.todo).toMatchObject({ total: 2, completedDelta: 0 })
  const { count, row, dropped } = pages.todoColumns(0)
  expect([count, [...new Int32Array(row)], [...new Uint32Array(dropped)]]).toEqual([2, [0, 2], [0, 1]])
  expect(pages.todos(0, 9).snapshots.map((snapshot) => snapshot.dropped)).toEqual([0, 1])
})

const edit = { file_path: '/w/a.ts', old_string: 'a\nb\nc', new_string: 'x\na\nb\ny\nc', replace_all: true }
const edited = `${JSON.stringify({
  type: 'assistant',
  message: {
    id: 'e',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'tool_use', id: 'e', name: 'Edit', input: edit }]
  },
  parent_tool_use_id: null,
  session_id: 's'
})}\n`
const recordedEdit = `${JSON.stringify({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'e', content: 'done' }] },
  tool_use_result: {
    filePath: '/w/a.ts',
    structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 3, lines: ['+x', ' a', '+y', '+z', '-c'] }]
  },
  parent_tool_use_id: null,
  session_id: 's'
})}\n`

test('the row of an edit counts the lines that its diff shows, and those that its result recorded once it is there', async () => {
  const log = open(said('one') + edited)
  const row = log.reader.sink.rows.rows - 1
  const counts = async () => (await log.pages.rows([row])).rows[0]?.badges.map(({ text }) => text)
  expect(await counts()).toEqual(['+2'])
  grow(log, recordedEdit)
  expect(await counts()).toEqual(['+3', '−1'])
})

test('paths of calls are said from the folder of the session', async () => {
  const line = (record: object) => `${JSON.stringify({ session_id: 's', ...record })}\n`
  const call = (id: string, name: string, input: object) =>
    line({
      type: 'assistant',
      message: { id, role: 'assistant', model: 'm', content: [{ type: 'tool_use', id, name, input }] },
      parent_tool_use_id: null
    })
  const { pages } = open(
    line({ type: 'system', subtype: 'init', cwd: '/work/shop', model: 'm', tools: [] }) +
      call('a', 'Read', { file_path: '/work/shop/src/a.ts' }) +
      call('b', 'Grep', { pattern: 'x', path: '/work/shop/src' }) +
      call('c', 'Read', { file_path: '/etc/hosts' }) +
      call('d', 'Bash', { command: 'cat /work/shop/src/a.ts' })
  )
  expect(await Promise.all([1, 2, 3, 4].map((row) => textOf(pages, row)))).toEqual([
    'src/a.ts',
    'x in src',
    '/etc/hosts',
    'cat /work/shop/src/a.ts'
  ])
})

/** One answer counts for so long only. */
async function wholeSummary(pages: LogPages): ReturnType<LogPages['summary']> {
  for (;;) {
    const summary = await pages.summary()
    if (summary.counted === summary.rows && summary.read === summary.rows) return summary
  }
}

test('the summary of a log that grows counts each call once, what may be taken back included', async () => {
  const use = (id: string, path: string) => {
    const input = { file_path: path, content: 'one\ntwo' }
    const content = [{ type: 'tool_use', id, name: 'Write', input }]
    return JSON.stringify({ type: 'assistant', message: { role: 'assistant', content } })
  }
  const result = (id: string) =>
    JSON.stringify({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] }
    })
  const counted = async ({ pages }: Open) => {
    const { calls, files } = await wholeSummary(pages)
    return { calls: calls.total, files: files.changed.map(({ path, added }) => `${path} +${added}`) }
  }
  const log = open(`${use('a', '/w/a')}\n${result('a')}\n`)
  expect(await counted(log)).toEqual({ calls: 1, files: ['/w/a +2'] })
  // A last line that has no end yet is shown, and taken back when the log goes on.
  grow(log, use('b', '/w/b'))
  expect(await counted(log)).toEqual({ calls: 2, files: ['/w/a +2', '/w/b +2'] })
  grow(log, `\n${result('b')}\n`)
  expect(await counted(log)).toEqual({ calls: 2, files: ['/w/a +2', '/w/b +2'] })
})

test('failed calls of a log that grows are grouped by why they failed, each once', async () => {
  const use = (id: string, name = 'Bash') =>
    JSON.stringify({
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input: { command: 'x' } }] }
    })
  const result = (id: string, content: string) =>
    JSON.stringify({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: true }] }
    })
  const groups = async ({ pages }: Open) => (await wholeSummary(pages)).failures
  const denied = 'This command requires approval'
  const log = open(`${[use('a'), result('a', 'Exit code 1\nready\nError: no such sheep'), use('b')].join('\n')}\n`)
  const gone = { tool: 'Bash', text: 'Error: no such sheep', count: 1, row: 1 }
  expect(await groups(log)).toEqual({ groups: [gone], further: 0 })
  // Without its line end it is shown, and taken back when the log goes on.
  grow(log, result('b', denied))
  expect(await groups(log)).toEqual({ groups: [gone, { tool: 'Bash', text: denied, count: 1, row: 3 }], further: 0 })
  // A result that is delivered again is no further failure; that of another tool is another one.
  grow(
    log,
    `\n${[result('b', denied), use('c'), result('c', denied), use('d', 'Edit'), result('d', denied)].join('\n')}\n`
  )
  expect(await groups(log)).toEqual({
    groups: [{ tool: 'Bash', text: denied, count: 2, row: 3 }, gone, { tool: 'Edit', text: denied, count: 1, row: 8 }],
    further: 0
  })
})

test('each part of a damaged line is a row with bytes of its own', async () => {
  const [one, two] = [said('one').trimEnd(), said('two').trimEnd()]
  const { pages, reader } = open(`${one}${two}\0\0\n${said('three')}`)
  const { rows } = reader.sink.rows
  const shown = await Promise.all(
    Array.from({ length: rows }, async (_, row) => {
      const { line, bytes, end } = await pages.raw(row, 0, 10_000)
      return { line, text: await textOf(pages, row), raw: new TextDecoder().decode(bytes), end }
    })
  )
  expect(shown.map(({ line, raw, end }) => [line, raw, end])).toEqual([
    [1, one, 'none'],
    [1, two, 'none'],
    [1, '\0\0', 'lf'],
    [1, '\0\0', 'lf'],
    [2, said('three').trimEnd(), 'lf']
  ])
  expect(pages.issues({ from: 0, count: 9 }).issues).toMatchObject([{ row: 1, line: 1, code: 'JsonParse' }])
})
