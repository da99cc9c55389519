import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { compareRead, readComparedRun, type ReadSession } from '#backend/compare/read-compared-run.ts'
import type { RunComparison } from '#core/compare/compare-runs.ts'
import type { ComparedRow, StepClass } from '#core/compare/compare-sessions.ts'

/** Pairs of logs, each with what a comparison has to find: the edge cases of comparing. */
const folder = new URL('../fixtures/compare/', import.meta.url).pathname
const cases = readdirSync(folder).toSorted()

interface Expected {
  readonly about: string
  readonly steps: Record<StepClass, number>
  readonly firstDifference: { readonly a: number | null; readonly b: number | null } | null
  /** Of pairs of calls, without those whose results are the same. */
  readonly results: readonly string[]
  readonly files: Record<string, 'a' | 'b' | 'both'>
  readonly sections: number
}

const mirrored: Readonly<Partial<Record<string, string>>> = {
  'only-a': 'only-b',
  'only-b': 'only-a',
  'a-failed': 'b-failed',
  'b-failed': 'a-failed'
}
const mirror = (word: string): string => mirrored[word] ?? word

async function read(path: string): Promise<ReadSession> {
  return await readComparedRun({ path, format: null, single: false })
}

async function compare(a: string, b: string): Promise<RunComparison> {
  return await compareRead(await read(a), await read(b), { a: readComparedRun, b: readComparedRun })
}

function found({ steps, files }: RunComparison): Omit<Expected, 'about'> {
  const { sections, counts, firstDifference } = steps
  const rows = sections.flatMap((section) => section.rows)
  const first = firstDifference === null ? null : sections[firstDifference.section]?.rows[firstDifference.row]
  return {
    steps: { ...counts },
    firstDifference: first ? { a: first.a?.seq ?? null, b: first.b?.seq ?? null } : null,
    results: rows.flatMap(({ result }) => (result === null || result === 'same' ? [] : [result])),
    files: Object.fromEntries(
      files.map(({ path, a, b }) => [path, a === null ? 'b' : b === null ? 'a' : 'both'] as const)
    ),
    sections: sections.length
  }
}

const texts = ({ steps }: RunComparison, side: (row: ComparedRow) => string): readonly string[] =>
  steps.sections.flatMap(({ rows }) => rows.map(side)).toSorted()

describe.each(cases)('%s', (name) => {
  const [a, b] = [join(folder, name, 'a.jsonl'), join(folder, name, 'b.jsonl')]

  test('is compared as expected, from both sides', async () => {
    const expected = JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8')) as Expected
    const comparison = await compare(a, b)
    expect({ about: expected.about, ...found(comparison) }).toEqual(expected)
    const back = await compare(b, a)
    expect(
      texts(back, (row) => `${row.b?.seq} ${row.a?.seq} ${mirror(row.class)} ${mirror(row.result ?? '')}`)
    ).toEqual(texts(comparison, (row) => `${row.a?.seq} ${row.b?.seq} ${row.class} ${row.result ?? ''}`))
  })

  test('each log took the path of itself', async () => {
    for (const path of [a, b]) {
      const { steps } = await compare(path, path)
      expect(steps.firstDifference).toBeNull()
      expect(steps.counts).toMatchObject({ changed: 0, 'only-a': 0, 'only-b': 0, moved: 0 })
    }
  })
})

describe('long logs', () => {
  const here = mkdtempSync(join(tmpdir(), 'playhead-compared-'))
  afterAll(() => rmSync(here, { recursive: true }))

  /** A session of Claude Code with these commands. */
  function log(name: string, commands: readonly string[]): string {
    const init = { type: 'system', subtype: 'init', session_id: 's', cwd: '/w', tools: [], model: 'm' }
    const lines = commands.flatMap((command, i) => [
      `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t${i}","name":"Bash","input":${JSON.stringify({ command })}}]}}`,
      `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t${i}","content":"pending"}]}}`
    ])
    const path = join(here, name)
    writeFileSync(path, `${[JSON.stringify(init), ...lines].join('\n')}\n`)
    return path
  }
  const polls = (count: number): readonly string[] => Array.from({ length: count }, () => 'gh pr checks')

  test('500 equal polls, 480 and another command in the other one', async () => {
    const { steps } = await compare(
      log('500', ['ls', ...polls(500), 'git merge']),
      log('480', ['ls', ...polls(240), 'gh run view', ...polls(240), 'git merge'])
    )
    expect(steps.counts).toEqual({ same: 482, changed: 0, 'only-a': 20, 'only-b': 1, moved: 0 })
  })
})
