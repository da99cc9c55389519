import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { rowKindOf } from '#core/index/row-kind.ts'
import { queryKeys } from '#core/query/query-keys.ts'
import { Reviews } from '#backend/reviews.ts'
import { file, folder, init, jsonl, playhead } from '../../test/command-line.ts'

const sample = join(import.meta.dirname, '../../resources/sample-run.jsonl')

async function printed(...argv: readonly string[]): Promise<unknown[]> {
  const { out } = await playhead('query', sample, ...argv)
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
}

async function exported(holds: (event: AgentEvent, seq: number) => boolean): Promise<unknown[]> {
  const { out } = await playhead('export', sample)
  const events = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as AgentEvent]))
  return events.filter(holds)
}

describe('query', () => {
  test.each<[string, (event: AgentEvent, seq: number) => boolean]>([
    ['', () => true],
    ['type:tool.started', ({ type }) => type === 'tool.started'],
    ['type:(tool.started OR todo_list)', ({ type }) => type === 'tool.started' || type === 'todo_list'],
    ['-type:text', ({ type }) => type !== 'text'],
    ['seq:3..7', (_event, seq) => seq >= 3 && seq <= 7],
    ['seq:<5 type:text', ({ type }, seq) => seq < 5 && type === 'text'],
    ['role:user', (event) => event.type === 'text' && event.role === 'user'],
    ['tool:Bash kind:tool', (event) => event.type === 'tool.started' && event.toolName === 'Bash'],
    ['stop:done', (event) => event.type === 'turn.completed' && event.finishReason === 'done'],
    ['line:>10', ({ source }) => (source?.line ?? 0) > 10],
    ['size:>1kb', ({ source }) => (source?.length ?? 0) > 1000]
  ])('prints what a filter of the export prints: %s', async (query, holds) => {
    const found = await printed(query)
    expect(found).toEqual(await exported(holds))
    expect(found.length).toBeGreaterThan(0)
  })

  test('counts, prints lines and fields, and events around', async () => {
    const calls = await exported(({ type }) => type === 'tool.started')
    expect(await playhead('query', sample, 'type:tool.started', '--count')).toMatchObject({
      code: 0,
      out: `${calls.length}\n`
    })
    const twice = await playhead('query', sample, sample, 'type:tool.started', '--count')
    expect(twice.out).toBe(`${sample}:${calls.length}\n`.repeat(2))
    const lines = readFileSync(sample, 'utf8').split('\n')
    expect((await playhead('query', sample, 'line:2', '--lines')).out).toBe(`${lines[1]}\n`)
    expect((await playhead('query', sample, 'seq:4', '--fields', 'seq,type')).out).toMatch(/^4\t[a-z._]+\n$/)
    const around = await playhead('query', sample, 'seq:4 OR seq:6', '-C', '1', '--fields', 'seq')
    expect(around.out).toBe('3\n4\n5\n6\n7\n')
  })

  test('ends with 1 where nothing is found, and with 2 for an error, whose place it shows', async () => {
    expect(await playhead('query', sample, '"nobody wrote this"')).toMatchObject({ code: 1, out: '' })
    const wrong = await playhead('query', sample, 'type:text status:eror')
    expect(wrong).toMatchObject({ code: 2, out: '' })
    expect(wrong.err).toContain('  type:text status:eror\n                   ^^^^\n')
    for (const [query, word] of [
      ['project:a', 'is a key for sessions'],
      ['(a', 'not closed'],
      ['dur:>soon', 'no number'],
      ['/(/', 'Invalid regular expression']
    ] as const) {
      const { code, err } = await playhead('query', sample, query)
      expect({ query, code, says: err.includes(word) }).toEqual({ query, code: 2, says: true })
    }
    expect(await playhead('query', sample)).toMatchObject({ code: 2 })
    expect(await playhead('query', sample, 'a', '--count', '--lines')).toMatchObject({ code: 2 })
    expect(await playhead('query', sample, 'a', '--fields', 'colour')).toMatchObject({ code: 2 })
    expect(await playhead('query', sample, 'a', '-C', 'two')).toMatchObject({ code: 2 })
  })

  test('asks for what a turn adds to the cost, which a log states as a sum', async () => {
    const turn = (total_cost_usd: number): object => ({
      ...{ type: 'result', subtype: 'success', is_error: false, session_id: 's', result: 'done' },
      ...{ duration_ms: 5, total_cost_usd }
    })
    // The last one is of another process, which counts from 0.
    const path = file('costs.jsonl', jsonl(init, turn(0.2), turn(0.5), turn(0.5), turn(0.1)))
    const linesOf = async (query: string): Promise<string> =>
      (await playhead('query', path, `type:turn.completed ${query}`, '--fields', 'line')).out
    expect(await linesOf('cost:>=0')).toBe('2\n3\n4\n5\n')
    expect(await linesOf('cost:>=0.3')).toBe('3\n')
    expect(await linesOf('cost:<0.15')).toBe('4\n5\n')
    expect(await linesOf('-cost:>=0')).toBe('')
  })

  test('asks for bookmarks, which are kept beside the log, and not for those of another event', async () => {
    const path = file('bookmarked.jsonl', readFileSync(sample, 'utf8'))
    const [third] = await exported((_event, seq) => seq === 3)
    const { line } = (third as AgentEvent).source ?? { line: 0 }
    const place = { file: null, line, ordinal: 0, time: (third as AgentEvent).timestamp, text: '' }
    const kind = rowKindOf(third as AgentEvent)
    const gone = kind === 'prompt' ? 'turn' : 'prompt'
    const bookmarks = [
      { id: 'a', place: { ...place, kind }, note: '' },
      { id: 'b', place: { ...place, kind: gone } as const, note: '' },
      { id: 'c', place: { ...place, kind, line: 100_000 }, note: '' }
    ]
    expect(await playhead('query', path, 'has:bookmark')).toMatchObject({ code: 1, out: '' })
    await new Reviews(join(folder, 'state')).change(realpathSync(path), () => ({ bookmarks, breakpoints: [] }))
    expect((await playhead('query', path, 'has:bookmark', '--fields', 'seq')).out).toBe('3\n')
    expect((await playhead('query', path, 'seq:<6 -has:bookmark', '--count')).out).toBe('5\n')
  })

  test('docs/query.md lists every key that asks about events', () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/query.md'), 'utf8')
    const [, keys = ''] = /^## The keys$([^]*?)^## /m.exec(text) ?? []
    const cells = [...keys.matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, cell = '']) => cell.match(/\w+(?=`)/g) ?? [])
    const names = queryKeys.rows.map(({ name }) => name)
    expect(cells.filter((name) => name !== 'NAME').toSorted()).toEqual(names.toSorted())
  })

  test('answers the questions of docs/query.md', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/query.md'), 'utf8')
    const [, questions = ''] = text.split('## Twenty questions')
    const queries = [...questions.matchAll(/^\|[^|]+\| `(.+)`\s*\|$/gm)].map(([, query = '']) => query)
    expect(queries).toHaveLength(20)
    for (const query of queries) {
      const { code, err } = await playhead('query', sample, query, '--count')
      expect({ query, err, isAnswered: code === 0 || code === 1 }).toEqual({ query, err: '', isAnswered: true })
    }
  })

  test('--where exports and lists what a query asks for', async () => {
    const { out } = await playhead('export', sample, '--where', 'type:todo_list')
    expect(out).toBe((await playhead('query', sample, 'type:todo_list')).out)
    const report = await playhead('export', sample, '--to', 'md', '--where', 'role:user')
    expect(report.out).toMatch(/^\| Part \| 5 of 95 events \|$/m)
    const all = (await playhead('todos', sample)).out
    expect((await playhead('todos', sample, '--where', 'seq:>=0')).out).toBe(all)
    const late = (await playhead('todos', sample, '--where', 'seq:>40')).out
    expect(all.endsWith(late) && late !== '' && late !== all).toBe(true)
    expect(await playhead('export', sample, '--where', '(')).toMatchObject({ code: 2, out: '' })
    expect(await playhead('todos', sample, '--where', 'a', '--at', '1')).toMatchObject({ code: 2 })
  })

  test('check --where lists the issues of lines that hold a matching event', async () => {
    // An issue beside two events of its line, and a line that is no JSON.
    const content = [{ type: 'text', text: 'look' }, { type: 'odd' }, { type: 'text', text: 'again' }]
    const spoken = { type: 'assistant', message: { role: 'assistant', content }, session_id: 's1' }
    const log = file('where.jsonl', `${jsonl(init, spoken)}{"cut\n${jsonl(init)}`)
    const issuesOf = async (where: string): Promise<unknown> => {
      const { code, out } = await playhead('check', log, '--json', '--where', where)
      return [code, ...(JSON.parse(out) as { issues: { code: string }[] }).issues.map(({ code }) => code)]
    }
    expect(await issuesOf('seq:>=0')).toEqual([1, 'UnknownBlock', 'JsonParse'])
    expect(await issuesOf('"again" seq:2')).toEqual([0, 'UnknownBlock'])
    expect(await issuesOf('issue:malformed')).toEqual([1, 'JsonParse'])
    expect(await issuesOf('line:1')).toEqual([0])
    expect((await playhead('check', log, '--where', 'issue:notice')).err).toContain(
      '0 malformed, 0 violations, 1 notices'
    )
  })
})
