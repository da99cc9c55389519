import { expect, describe, test } from 'vitest'
import { compareRead, readComparedRun, type ReadSession } from '#backend/compare/read-compared-run.ts'
import type { RunComparison } from '#core/compare/compare-runs.ts'
import { corpusIsHere, corpusPath } from './corpus.ts'

/** Comparisons of real sessions. Without the corpus they are skipped. */

async function read(path: string): Promise<ReadSession> {
  return await readComparedRun({ path: corpusPath(path), format: null, single: false })
}

async function compareBoth(a: ReadSession, b: ReadSession): Promise<RunComparison> {
  return await compareRead(a, b, { a: readComparedRun, b: readComparedRun })
}

async function compare(a: string, b: string): Promise<RunComparison> {
  return await compareBoth(await read(a), await read(b))
}

const recorded = (agent: string, run: string): string => `recorded/${agent}/${run}/stdout.jsonl`

describe.skipIf(!corpusIsHere)('real sessions', () => {
  /** All recordings of one scenario by more than one version of an agent. */
  const scenarios = [
    ['claude-1.0.128', 'claude-2.0.77', 'claude-2.1.112', 'claude'].map((agent) => recorded(agent, 'todowrite')),
    ['codex-0.77.0', 'codex'].map((agent) => recorded(agent, 'plan')),
    ['gemini-0.20.0', 'gemini-0.33.0', 'gemini'].map((agent) => recorded(agent, 'write-todos'))
  ]
  const pairs = scenarios.flatMap((logs) => logs.flatMap((a, at) => logs.slice(at + 1).map((b) => [a, b] as const)))

  test.each(pairs)('two versions of one scenario pair completely: %s, %s', async (a, b) => {
    const { steps } = await compare(a, b)
    expect(steps.firstDifference).toBeNull()
    expect(steps.counts.same).toBeGreaterThan(10)
    expect(steps.counts).toMatchObject({ changed: 0, 'only-a': 0, 'only-b': 0, moved: 0 })
  })

  test('each step of the older version has its pair, where the newer one prints the prompts of subagents', async () => {
    const { steps } = await compare(
      'claude-stream-json/generated/c10128-agenttask.jsonl',
      'claude-stream-json/generated/c21112-agenttask.jsonl'
    )
    const main = steps.sections[0]?.rows ?? []
    expect(main.filter(({ a, b }) => a !== null && b === null)).toEqual([])
  })

  test('agents of two vendors in one scenario do the same by other names', async () => {
    const gemini = await compare(recorded('gemini', 'write-todos'), recorded('claude', 'todowrite'))
    // Gemini CLI also prints the prompt.
    expect(gemini.steps.counts).toEqual({ same: 18, changed: 0, 'only-a': 1, 'only-b': 0, moved: 0 })
    const { steps, todos } = await compare(recorded('codex', 'plan'), recorded('claude', 'todowrite'))
    const calls = steps.sections.flatMap(({ rows }) => rows).filter(({ a }) => a?.kind === 'call')
    expect(calls.filter(({ b }) => b !== null).length).toBeGreaterThanOrEqual(calls.length - 1)
    expect(todos.every(({ a, b }) => a !== null && b !== null)).toBe(true)
  })

  test('sessions about different tasks of one project are not forced together', async () => {
    const names = ['34db3130', '406cb656', '5c2bfbbb', '659ec59e', '6ddfb896', 'a5c4e037', 'ae2a8dd8', 'ea4e20cd']
    const paths = names.map((name) => `claude-stream-json/wonaruechon__PriceHawkUI__${name}.jsonl`)
    const sessions = await Promise.all(paths.map(read))
    for (const [place, a] of sessions.entries()) {
      for (const b of sessions.slice(place + 1)) {
        const rows = (await compareBoth(a, b)).steps.sections.flatMap((section) => section.rows)
        const same = rows.flatMap((row) => (row.class === 'same' && row.a !== null ? row.a : []))
        // All of them end in the same way. What else is equal was done in both: `git diff --stat`, and reads of a file that
        // two tasks of one project need, at most four in a pair.
        expect(same.filter(({ kind }) => kind === 'turn')).toHaveLength(1)
        expect(same.filter(({ kind }) => kind !== 'turn').length).toBeLessThanOrEqual(4)
      }
    }
  })
})
