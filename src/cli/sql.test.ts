import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { sqlTables } from '#core/query/sql-tables.ts'
import { file, folder, init, json, jsonl, playhead, say } from '../../test/command-line.ts'

const sample = join(import.meta.dirname, '../../resources/sample-run.jsonl')
const documentation = readFileSync(join(import.meta.dirname, '../../docs/sql.md'), 'utf8')

async function rows(statement: string, ...files: readonly string[]): Promise<Record<string, unknown>[]> {
  const { out, err } = await playhead('sql', ...(files.length === 0 ? [sample] : files), statement, '--json')
  expect(err).toBe('')
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))
}

async function exported(): Promise<AgentEvent[]> {
  const { out } = await playhead('export', sample)
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as AgentEvent]))
}

describe('sql', () => {
  test('events are those of the export', async () => {
    const events = await exported()
    expect(await rows('select seq, type, role, tool, line, bytes, text from events')).toEqual(
      events.map((event, seq) => ({
        seq,
        type: event.type,
        role: event.type === 'text' ? (event.role ?? null) : null,
        tool:
          event.type === 'tool.started' || event.type === 'tool.completed'
            ? (event.toolName ?? expect.anything())
            : null,
        line: event.source?.line,
        bytes: event.source?.length,
        text: event.type === 'text' ? event.text : event.type === 'error' ? event.error : null
      }))
    )
  })

  test('calls have their input and their result', async () => {
    const events = await exported()
    const started = events.flatMap((event, seq) => (event.type === 'tool.started' ? [{ event, seq }] : []))
    const found = await rows(
      'select seq, result, tool, input, output, error, status, duration_ms from calls where input is not null'
    )
    expect(found).toHaveLength(started.length)
    for (const [i, { event, seq }] of started.entries()) {
      const { input, result, ...call } = found[i] ?? {}
      const completed = events[Number(result)]
      expect(JSON.parse(String(input))).toEqual(event.input)
      expect(completed).toMatchObject({ type: 'tool.completed', toolId: event.toolId })
      if (completed?.type !== 'tool.completed') continue
      const { output = null, error = null, durationMs = null } = completed
      expect(call).toEqual({
        seq,
        tool: event.toolName,
        output,
        error,
        status: call['status'],
        duration_ms: durationMs
      })
      if (error !== null) expect(call['status']).toBe('error')
    }
  })

  test('counts as stats, check and todos do', async () => {
    const { calls, usage, events, time } = await json('stats', sample)
    expect(await rows("select count(*) as total, sum(status = 'error') as failed from calls")).toEqual([
      { total: (calls as { total: number }).total, failed: (calls as { failed: number }).failed }
    ])
    expect(
      await rows(
        "select sum(kind = 'request') as requests, sum(input) as input, sum(cache_read) as cacheRead from requests"
      )
    ).toEqual([
      {
        requests: (usage as { requests: number }).requests,
        input: (usage as { input: number }).input,
        cacheRead: (usage as { cacheRead: number }).cacheRead
      }
    ])
    const times = await rows(
      'select events, wall_ms as wallMs, active_ms as activeMs, waiting_ms as waitingMs from sessions'
    )
    expect(times).toEqual([{ events, ...(time as object) }])
    const { issues } = await json('check', sample)
    expect(await rows('select line, code, severity, path, message from issues')).toEqual(
      (issues as Record<string, unknown>[]).map(({ line, code, severity, path, message }) => ({
        line,
        code,
        severity,
        path,
        message
      }))
    )
    const lists = (await playhead('todos', sample, '--json')).out.split('\n').filter(Boolean)
    const changes = lists.flatMap((line) => {
      const { seq, changes: all } = JSON.parse(line) as { seq: number; changes: { text: string }[] }
      return all.map(({ text }) => ({ seq, item: text }))
    })
    expect(await rows('select seq, item from todo_changes')).toEqual(changes)
  })

  test('unknown is null: no result, no duration, no exit code, no time', async () => {
    const call = { type: 'tool_use', id: 'b1', name: 'Bash', input: { command: 'ls' } }
    const log = file(
      'unknown.jsonl',
      jsonl(init, { type: 'assistant', message: { role: 'assistant', content: [call] }, session_id: 's1' })
    )
    expect(await rows('select result, status, duration_ms, exit_code, output, at_ms from calls', log)).toEqual([
      { result: null, status: 'running', duration_ms: null, exit_code: null, output: null, at_ms: null }
    ])
    expect(await rows('select cost_usd, cost_from, cost_at_least, wall_ms, branch from sessions', log)).toEqual([
      { cost_usd: null, cost_from: null, cost_at_least: null, wall_ms: null, branch: null }
    ])
  })

  test('tells several logs apart by their session', async () => {
    const log = file('second.jsonl', jsonl(init, say('hello')))
    expect(await rows('select session, count(*) as events from events group by session', sample, log)).toEqual([
      { session: 1, events: (await exported()).length },
      { session: 2, events: 2 }
    ])
    expect(await rows('select path from sessions where session = 2', sample, log)).toEqual([{ path: log }])
  })

  test('prints a table that no text of a log breaks', async () => {
    const log = file('hostile.jsonl', jsonl(init, say('one\n\u001b[31mtwo\u202e\u0007'), say('文字')))
    const { code, out } = await playhead('sql', log, "select seq, text, null as none from events where type = 'text'")
    expect({ code, out }).toEqual({ code: 0, out: 'seq  text     none\n  1  one two  NULL\n  2  文字     NULL\n' })
  })

  test('prints numbers as they are, bytes as hexadecimal digits, and what is no UTF-8', async () => {
    const { out } = await playhead(
      'sql',
      sample,
      "select 9007199254740993 as big, x'01ff' as bytes, 1.5 as part",
      '--json'
    )
    expect(out).toBe('{"big":9007199254740993,"bytes":"01FF","part":1.5}\n')
    expect(
      await rows("select cast(x'80' as text) as text, char(55296) as half, 'x''80' as quoted, x'00' as \"a \"\"name\"")
    ).toEqual([{ text: '\ufffd', half: expect.stringMatching(/^\ufffd+$/), quoted: "x'80", 'a "name': '00' }])
    const [{ a, b } = {}] = await rows('select r as a, r as b from (select random() as r limit 1)')
    expect(a).toBe(b)
  })

  test.each<[statement: string, message: string, place: string]>([
    ['select nope from calls', 'no such column: nope', 'nope'],
    ["select 'tol', tol from calls", 'no such column: tol', 'tol from'],
    ['select tool from cals', 'no such table: cals', 'cals'],
    ['selec 1', 'near "selec": syntax error', 'selec'],
    ["select ',' , , 2", 'near ",": syntax error', ', 2'],
    ['select 1; select 2', 'give one statement', 'select 2'],
    ["select 'a", 'unrecognized token', "'a"],
    ['insert into calls (tool) values (1)', 'near "insert"', 'insert'],
    ['delete from calls', 'near "delete"', 'delete'],
    ["attach '/tmp/other.db' as other", 'near "attach"', 'attach'],
    ['pragma trusted_schema = on', 'near "pragma"', 'pragma'],
    ["select readfile('/etc/hostname')", 'unsafe use of readfile()', 'readfile'],
    ['select * from fsdir', 'unsafe use of virtual table "fsdir"', 'fsdir'],
    ["select load_extension('x')", 'unsafe use of load_extension()', 'load_extension'],
    ['select * from pragma_database_list', 'unsafe use of virtual table', 'pragma_database_list']
  ])('refuses %s', async (statement, message, place) => {
    const { code, out, err } = await playhead('sql', sample, statement)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    const [, shown = '', marks = ''] = err.split('\n')
    expect(shown.slice(marks.indexOf('^'))).toMatch(
      place.length > 0 ? new RegExp(`^${place.replace(/[^\w ]/g, '.')}`) : /^$/
    )
  })

  test('writes no file', async () => {
    const target = join(folder, 'written.txt')
    expect(await playhead('sql', sample, `select writefile('${target}', 'x')`)).toMatchObject({ code: 2 })
    expect(await playhead('sql', sample, `select 1 from calls where writefile('${target}', 'x')`)).toMatchObject({
      code: 2
    })
    expect(existsSync(target)).toBe(false)
  })

  test('ends with 1 without rows, and with 2 for wrong use and for what SQLite cannot answer', async () => {
    expect(await playhead('sql', sample, 'select 1 from calls where false')).toMatchObject({ code: 1, out: '' })
    expect(await playhead('sql', sample)).toMatchObject({ code: 2 })
    expect(await playhead('sql', sample, '')).toMatchObject({ code: 2 })
    const { code, err } = await playhead('sql', sample, "select json_extract('{', '$.a')")
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot answer this statement: malformed JSON')
    })
  })

  const endless = 'with recursive n(i) as (values(1) union all select i + 1 from n)'

  test.each([
    ['an endless recursion', `${endless} select count(*) from n`],
    ['one behind the first rows', `select 1 union all select max(i) from (${endless} select * from n)`],
    ['one that sorts', `${endless} select i from n order by random()`],
    ['one in a condition', `select 1 from calls where (${endless} select count(*) from n) > 0`],
    ['a product of tables', `select count(*) from ${Array.from({ length: 12 }, (_, i) => `events e${i}`).join(', ')}`]
  ])('stops %s', async (_, statement) => {
    const { code, out, err } = await playhead('sql', sample, statement, '--timeout', '0.2')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('The statement was stopped after 0.2 s. Give it longer with --timeout SECONDS.')
  })

  test.each(['0', '-1', 'x', '', '1e9'])('does not take --timeout %j', async (given) => {
    const { code, err } = await playhead('sql', sample, 'select 1', `--timeout=${given}`)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('give a number of seconds') })
  })

  test('docs/sql.md describes every column', () => {
    const [, tables = ''] = documentation.split('## Tables')
    const described = tables
      .split(/^### /m)
      .slice(1)
      .map((section) => ({
        name: section.slice(0, section.indexOf('\n')),
        columns: [...section.matchAll(/^\| `(\w+)` +\| (\w+) +\|/gm)].map(([, name, type]) => ({ name, type }))
      }))
    expect(described).toEqual(sqlTables.map(({ name, columns }) => ({ name, columns })))
  })

  const questions = [...documentation.matchAll(/^```sql\n([^]*?)\n```$/gm)].map(([, statement = '']) => statement)

  test('docs/sql.md has ten questions', () => expect(questions).toHaveLength(10))

  test.each(questions)('answers a question of docs/sql.md: %s', async (statement) => {
    expect((await rows(statement)).length).toBeGreaterThan(0)
  })
})
