import { expect, test } from 'vitest'
import { file, init, jsonl, playhead } from '../../test/command-line.ts'

/** A session of Claude Code in which these commands ran; those that begin with `fail` failed. */
const run = (...commands: readonly string[]): string =>
  jsonl(
    init,
    ...commands.flatMap((command, i) => [
      { type: 'assistant', message: { role: 'assistant', content: [call(`t${i}`, command)] } },
      { type: 'user', message: { role: 'user', content: [result(`t${i}`, command.startsWith('fail'))] } }
    ])
  )
const call = (id: string, command: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command } })
const result = (id: string, failed: boolean) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'so',
  is_error: failed
})
const written = new Map<string, string>()
const log = (name: string, ...commands: readonly string[]): string => {
  const path = written.get(name) ?? file(name, run(...commands))
  written.set(name, path)
  return path
}
const base = () => log('base.jsonl', 'ls', 'make', 'make test', 'git commit')
const other = () => log('other.jsonl', 'ls', 'make test', 'git commit', 'git push')

test('the same path: exit code 0', async () => {
  const { code, out } = await playhead('diff', base(), base())
  expect(code).toBe(0)
  expect(out).toContain('The paths are the same.')
})

test('other paths: exit code 1, the totals, and the rows around each difference', async () => {
  const { code, out } = await playhead('diff', base(), other())
  expect(code).toBe(1)
  expect(out).toMatch(/^calls {2,}4 {2,}4 {2,}=$/m)
  expect(out).toMatch(/^steps {2,}3 the same, 1 only in A, 1 only in B$/m)
  expect(out).toMatch(/^ {2}A {7}3 {10}shell {5}make$/m)
  expect(out).toMatch(/^ {2}B {15}7 {2}shell {5}git push$/m)
})

test('--json: totals, and event numbers of each row', async () => {
  const { code, out } = await playhead('diff', '--json', base(), other())
  expect(code).toBe(1)
  const { summary, sections } = JSON.parse(out) as { summary: Record<string, unknown>; sections: { rows: unknown[] }[] }
  expect(summary).toMatchObject({
    same: false,
    firstDifference: { a: 3, b: null },
    steps: { same: 3, changed: 0, 'only-a': 1, 'only-b': 1, moved: 0 },
    a: { calls: 4, wallMs: null },
    b: { calls: 4 }
  })
  expect(sections[0]?.rows).toEqual([
    { a: 1, b: 1, class: 'same', result: 'same' },
    { a: 3, b: null, class: 'only-a' },
    { a: 5, b: 3, class: 'same', result: 'same' },
    { a: 7, b: 5, class: 'same', result: 'same' },
    { a: null, b: 7, class: 'only-b' }
  ])
})

test('--json: a call that changes several files has a row for each, which names it', async () => {
  const patch = (...files: readonly string[]): string => {
    const changes = files.map((path) => `*** Update File: ${path}\n@@\n-a\n+b`)
    const input = { input: `*** Begin Patch\n${changes.join('\n')}\n*** End Patch` }
    const made = [{ type: 'tool_use', id: 'p1', name: 'apply_patch', input }]
    return jsonl(
      init,
      { type: 'assistant', message: { role: 'assistant', content: made } },
      { type: 'user', message: { role: 'user', content: [result('p1', false)] } }
    )
  }
  const { out } = await playhead(
    'diff',
    '--json',
    file('three.jsonl', patch('src/z.ts', 'src/a.ts', 'src/m.ts')),
    file('two.jsonl', patch('src/a.ts', 'src/z.ts', 'src/new.ts'))
  )
  const { sections } = JSON.parse(out) as { sections: { rows: { a: number | null; b: number | null }[] }[] }
  expect(sections[0]?.rows.filter(({ a, b }) => a === 1 || b === 1)).toEqual([
    { a: 1, b: 1, class: 'same', file: 'src/z.ts', result: 'same' },
    { a: 1, b: 1, class: 'same', file: 'src/a.ts', result: 'same' },
    { a: 1, b: 1, class: 'changed', file: 'src/m.ts', fileOfB: 'src/new.ts', result: 'same' }
  ])
})

test('several sessions: a table against the baseline, no rows', async () => {
  const { code, out } = await playhead('diff', base(), other(), base())
  expect(code).toBe(1)
  expect(out).toMatch(/^ +A +B1 +against A +B2 +against A$/m)
  expect(out).not.toContain('main agent')
})

test('a failed result is told beside a step that is the same', async () => {
  const { code, out } = await playhead(
    'diff',
    log('ok.jsonl', 'make', 'x'),
    log('failed.jsonl', 'make', 'x', 'fail now')
  )
  expect(code).toBe(1)
  expect(out).toMatch(/^calls {2,}2 {2,}3 {2,}\+1$/m)
  expect(out).toMatch(/^failed calls {2,}0 {2,}1 {2,}\+1$/m)
})

test.each([
  ['one session', [base]],
  ['a file that is not there', [base, () => '/nowhere/at-all.jsonl']]
])('%s: exit code 2', async (_, paths) => {
  const { code, out } = await playhead('diff', ...paths.map((path) => path()))
  expect(code).toBe(2)
  expect(out).toBe('')
})

test('--summary and --json exclude each other', async () => {
  expect((await playhead('diff', base(), base(), '--summary', '--json')).code).toBe(2)
  const { out } = await playhead('diff', base(), other(), '--summary')
  expect(out).not.toContain('main agent')
})
