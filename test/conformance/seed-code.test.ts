import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { isValidTodoItem } from '../../src/core/events/todo.ts'
import { corpusBytes, corpusFiles, corpusIsHere, formatOfCorpusFile } from './corpus.ts'
import { expectEqual } from './expect-equal.ts'
import { claudeParser, fed, type Fed, geminiParser, team } from './fed-parsers.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { randomNumbers } from './read-log.ts'
import { type Difference, differences, ourLines, type Said, seedLines } from './seed-alignment.ts'
import { claudeCases, geminiCases } from './seed-cases.ts'
import type { Deviation } from './seed-deviations.ts'
import { claudeDeviations } from './seed-deviations-claude.ts'
import { geminiDeviations } from './seed-deviations-gemini.ts'
import { seedCode, seedsAreHere } from './seed-parsers.ts'

/**
 * The seeds' own code beside ours, on every log there is: every event of the seed is one of ours, in the same order, but for the deviations
 * that docs/seeds.md names. Skipped where the seeds are not here, as they are none of this repository's.
 */

interface Pair {
  readonly name: 'ClaudeCodeParser' | 'GeminiParser'
  readonly formatId: string
  readonly deviations: readonly Deviation[]
  readonly cases: Readonly<Record<string, string>>
  readonly ours: () => Fed<AgentEvent> & { reset(): void }
}

const pairs: readonly Pair[] = [
  {
    name: 'ClaudeCodeParser',
    formatId: 'claude-stream-json',
    deviations: claudeDeviations,
    cases: claudeCases,
    ours: claudeParser
  },
  {
    name: 'GeminiParser',
    formatId: 'gemini-stream-json',
    deviations: geminiDeviations,
    cases: geminiCases,
    ours: geminiParser
  }
]

/** What an agent printed, of the corpus, the fixtures and the cases; also what lies there and mostly is another agent's. */
function logsOf({ formatId, cases }: Pair): { name: string; bytes: Uint8Array }[] {
  const ofCorpus = corpusFiles().filter((path) => {
    const format = formatOfCorpusFile(path)
    return format === formatId || (format !== null && path.startsWith(`${formatId}/`))
  })
  return [
    ...ofCorpus.map((path) => ({ name: path, bytes: corpusBytes(path) })),
    ...allFixtures()
      .filter((fixture) => fixture.formatId === formatId)
      .map((fixture) => ({ name: `fixture ${fixture.name}`, bytes: bytesOfFixture(fixture) })),
    ...Object.entries(cases).map(([name, text]) => ({ name: `case: ${name}`, bytes: new TextEncoder().encode(text) }))
  ]
}

/** Where small chunks end: every few bytes in small logs. `isAllowed`: the seed's code cannot put a cut character together. */
function smallCuts(bytes: Uint8Array, isAllowed: (at: number) => boolean = () => true): number[] {
  const random = randomNumbers(bytes.length)
  const most = Math.max(16, bytes.length / 500)
  const cuts: number[] = []
  for (let at = 1; at < bytes.length; at += 1 + Math.floor(random() * most)) if (isAllowed(at)) cuts.push(at)
  return cuts
}

const beginsCharacter = (bytes: Uint8Array, at: number): boolean => ((bytes[at] ?? 0) & 0xc0) !== 0x80

/** Ids and times of the seed's events are made anew each time. */
const withoutChance = (events: unknown[]): unknown[] =>
  events.map((event) => {
    const { eventId: _id, timestamp: _time, todoId, ...rest } = event as Record<string, unknown>
    const made = typeof todoId === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(todoId)
    return { ...rest, todoId: made ? null : todoId }
  })

function shown({ at, seed, ours }: Difference): string {
  const short = (value: unknown): string => (JSON.stringify(value) ?? '').slice(0, 400)
  return `line ${at.line}: the seed ${short(seed)}, ours ${short(ours)}, of ${at.text.slice(0, 300)}`
}

if (!seedsAreHere) {
  test.skip('the seeds are not here: no ../shared/seeds', () => {})
}

describe.skipIf(!seedsAreHere).each(seedsAreHere ? pairs : [])('$name', async (pair) => {
  const code = await seedCode()
  const logs = logsOf(pair)
  const seedParser = () => new code[pair.name]('agent-1', team)
  const used = new Set<string>()
  const nameOf = (one: Difference): string | undefined => pair.deviations.find(({ holds }) => holds(one))?.id

  test.each(logs)('every event of the seed is ours, but for named deviations: $name', ({ bytes }) => {
    const seed = seedLines(seedParser(), bytes)
    const ours = ourLines(fed(pair.ours(), bytes), seed.length)
    const found = differences({ bytes, seed, ours }, nameOf)
    for (const { name } of found) used.add(name ?? '')
    const unnamed = found.filter(({ name }) => name === undefined)
    expect(unnamed.slice(0, 5).map(shown)).toEqual([])
  })

  test.each(logs)('in small chunks both give the same as in whole: $name', ({ bytes }) => {
    expectEqual(fed(pair.ours(), bytes, smallCuts(bytes)), fed(pair.ours(), bytes))
    const cuts = smallCuts(bytes, (at) => beginsCharacter(bytes, at))
    expectEqual(withoutChance(fed(seedParser(), bytes, cuts)), withoutChance(fed(seedParser(), bytes)))
  })

  test('the comparison is no sieve: an event that is left out, or is another, has no name', () => {
    const bytes = new TextEncoder().encode(pair.cases['todo calls'] ?? '')
    const seed = seedLines(seedParser(), bytes)
    const ours = ourLines(fed(pair.ours(), bytes), seed.length)
    const unnamed = (lines: Said[][]): number =>
      differences({ bytes, seed, ours: lines }, nameOf).filter(({ name }) => name === undefined).length
    for (const [line, events] of ours.entries()) {
      for (const [at, event] of events.entries()) {
        if (!seed[line]?.some((theirs) => isDeepStrictEqual(theirs, event))) continue
        expect(unnamed(ours.with(line, events.toSpliced(at, 1)))).toBeGreaterThan(0)
        expect(unnamed(ours.with(line, events.with(at, { ...event, agentId: 'another' })))).toBeGreaterThan(0)
      }
    }
  })

  test.skipIf(!corpusIsHere)('every named deviation is one: the logs show it', () => {
    expect(pair.deviations.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([])
  })

  test('reset forgets a line begun, as the seed’s does', () => {
    const line = new TextEncoder().encode('{"type":"message_st')
    for (const parser of [pair.ours(), seedParser()]) {
      parser.parseChunk(Buffer.from(line))
      parser.reset()
      expect(parser.flush()).toEqual([])
    }
  })

  test('any bytes in any chunks: neither throws, and of ours chunks do not matter', () => {
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .array(fc.jsonValue(), { maxLength: 5 })
        .map((values) => Buffer.from(values.map((v) => JSON.stringify(v)).join('\n')))
    )
    fc.assert(
      fc.property(anyBytes, fc.array(fc.nat({ max: 300 }), { maxLength: 8 }), (bytes, at) => {
        const cuts = at.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b)
        expect(fed(pair.ours(), bytes, cuts)).toEqual(fed(pair.ours(), bytes))
        fed(seedParser(), bytes, cuts)
      }),
      { numRuns: 500 }
    )
  })
})

test.skipIf(!seedsAreHere)('isValidTodoItem gives what the seed’s gives, of any value', async () => {
  const code = await seedCode()
  const status = fc.oneof(
    fc.constantFrom('pending', 'in_progress', 'completed', 'cancelled', 'Pending', ''),
    fc.anything()
  )
  const text = fc.oneof(fc.string(), fc.constantFrom('', ' ', '\u00A0', '\uFEFF\n', 'a'), fc.anything())
  const item = fc.record({ text, status, more: fc.anything() }, { requiredKeys: [] })
  fc.assert(
    fc.property(fc.oneof({ weight: 3, arbitrary: item }, { weight: 1, arbitrary: fc.anything() }), (value) => {
      expect(isValidTodoItem(value)).toBe(code.isValidTodoItem(value))
    }),
    { numRuns: 5000 }
  )
})
