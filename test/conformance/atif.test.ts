import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { file, playhead } from '../command-line.ts'
import { every } from '../thorough.ts'
import { corpusIsHere, corpusLogs, corpusPath, formatOfCorpusFile } from './corpus.ts'
import { allFixtures } from './fixtures.ts'

/** Trajectories that Playhead writes: by the rules of their format, and read by its own reader. */

const fixtures = allFixtures().map(({ formatId, name, input }) => ({
  name: `${formatId}/${name}`,
  path: fileURLToPath(input),
  format: formatId
}))
const real = corpusLogs().map((path) => ({
  name: path,
  path: corpusPath(path),
  format: formatOfCorpusFile(path) ?? ''
}))

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/atif-v1.7.schema.json'), 'utf8')
) as object
const isValid = new Ajv2020({ strict: false }).compile(schema)

async function exported(path: string, format: string, ...how: string[]): Promise<string> {
  const { code, out, err } = await playhead('export', path, '--format', format, ...how)
  expect([0, 2], err).toContain(code)
  return out
}

/** The same document, once it was written, read and written again. */
async function expectAgain(text: string, ...how: string[]): Promise<void> {
  const again = file('again.json', text)
  expect(await exported(again, 'atif', '--to', 'atif', ...how)).toBe(text)
  rmSync(again)
}

describe('a session that is written, read and written again', () => {
  test.each(fixtures)('$name has the same bytes', async ({ path, format }) => {
    await expectAgain(await exported(path, format, '--to', 'atif'))
  })

  test.each(every(8, fixtures))('$name has them without redaction, and in a part', async ({ path, format }) => {
    await expectAgain(await exported(path, format, '--to', 'atif', '--no-redact'), '--no-redact')
    await expectAgain(await exported(path, format, '--to', 'atif', '--where', 'NOT kind:tool'))
  })

  if (!corpusIsHere) test.skip('the corpus is not here: only committed logs are exported', () => {})
  test.each(every(12, real))('$name has the same bytes', async ({ path, format }) => {
    await expectAgain(await exported(path, format, '--to', 'atif'))
  })
})

describe('a trajectory', () => {
  test.each([...every(8, fixtures), ...every(14, real)])(
    '$name is valid, and keeps events, todos and times',
    async ({ path, format }) => {
      const text = await exported(path, format, '--to', 'atif', '--no-redact')
      expect(await exported(path, format, '--to', 'atif', '--no-redact')).toBe(text)
      const document = JSON.parse(text) as Trajectory
      expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true)
      expectInvariants(document)
      const before = eventsOf(await exported(path, format, '--no-redact'))
      const again = file('again.json', text)
      const after = eventsOf(await exported(again, 'atif', '--no-redact'))
      rmSync(again)
      expect(after.map(comparable).sort()).toEqual(before.map(comparable).sort())
      // Of one track, everything is in order but results that came during later steps.
      const lists = (events: readonly AgentEvent[]) => events.filter(({ type }) => type === 'todo_list').map(comparable)
      for (const track of new Set(before.map(({ trackId }) => trackId))) {
        const own = (events: readonly AgentEvent[]) => events.filter(({ trackId }) => trackId === track)
        expect(lists(own(after))).toEqual(lists(own(before)))
      }
    }
  )

  test.each(every(4, fixtures))('$name has the tokens, calls and costs of its session', async ({ path, format }) => {
    const again = file('again.json', await exported(path, format, '--to', 'atif'))
    expect(await figures(again, 'atif')).toEqual(await figures(path, format))
    rmSync(again)
  })
})

/** What people quote of a session. */
async function figures(path: string, format: string): Promise<unknown> {
  const { out } = await playhead('stats', path, '--format', format, '--json')
  const { usage, calls, cost, byType, tools, model, sessionId } = JSON.parse(out) as Record<string, unknown>
  return unordered({ usage, calls, cost, byType, tools, model, sessionId })
}

/** Subagents come after the main agent, so what is listed by model or track can be in another order. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(unordered(one))).sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unordered(one)]))
}

interface Trajectory {
  readonly steps: readonly Step[]
  readonly subagent_trajectories?: readonly (Trajectory & { readonly trajectory_id: string })[]
}

interface Step {
  readonly step_id: number
  readonly source: string
  readonly model_name?: string
  readonly reasoning_content?: string
  readonly metrics?: object
  readonly tool_calls?: readonly { readonly tool_call_id: string }[]
  readonly observation?: {
    readonly results: readonly {
      readonly source_call_id?: string
      readonly subagent_trajectory_ref?: readonly { readonly trajectory_id: string }[]
    }[]
  }
}

/** What the schema does not say: docs of the format, version 1.7. */
function expectInvariants(document: Trajectory): void {
  const subagents = document.subagent_trajectories ?? []
  const ids = subagents.map(({ trajectory_id: id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { steps } of [document, ...subagents]) {
    expect(steps.length).toBeGreaterThan(0)
    for (const [at, step] of steps.entries()) {
      expect(step.step_id).toBe(at + 1)
      const { model_name: model, reasoning_content: reasoning, metrics, tool_calls: calls = [] } = step
      if (step.source !== 'agent')
        expect([model, reasoning, metrics, calls]).toEqual([undefined, undefined, undefined, []])
      for (const result of step.observation?.results ?? []) {
        if (result.source_call_id !== undefined)
          expect(calls.map(({ tool_call_id: id }) => id)).toContain(result.source_call_id)
        for (const ref of result.subagent_trajectory_ref ?? []) expect(ids).toContain(ref.trajectory_id)
      }
    }
  }
}

function eventsOf(lines: string): AgentEvent[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AgentEvent)
}

/**
 * Without what a trajectory cannot keep: teams, parts of a millisecond, times of other years than 100 to 9999. A time that was carried from the
 * event before is found again from the other events. A document has one session, so it is that of events before the first that names one.
 */
function comparable(event: AgentEvent): string {
  const rest: Record<string, unknown> = { ...event }
  for (const key of ['agentId', 'teamMetadata', 'source', 'sessionId']) delete rest[key]
  const { timestamp } = event
  if (rest['timestampFrom'] === 'previous' || timestamp > 253_402_300_799_999) delete rest['timestamp']
  else rest['timestamp'] = Math.floor(timestamp)
  delete rest['timestampFrom']
  return JSON.stringify(sorted(rest))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)])
  )
}
