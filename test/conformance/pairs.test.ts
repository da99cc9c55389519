import { dirname } from 'node:path/posix'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { fileNameOf } from '../../src/core/formats/run-search.ts'
import { corpusBytes, corpusFiles, corpusIsHere, formatOfCorpusFile } from './corpus.ts'
import { openLog, readLog } from './read-log.ts'
import { readRun } from './read-run.ts'

if (!corpusIsHere) console.warn('pairs.test.ts: skipped, ../shared/corpus is not here')

/** One run, as the agent printed it and as it saved it. */
interface Pair {
  readonly name: string
  /** What each of its processes printed, in order. */
  readonly stdout: readonly string[]
  /** The main file of what it saved; the others of the run are found beside it. */
  readonly saved: string
  /** The members of a turn's usage that both logs count. */
  readonly counters: readonly string[]
}

/** What one of the two logs does not have: an entry as `toolsOf`, `todosOf` or `turnsOf` writes it, and why it is missing. */
interface Differences {
  readonly printedOnly?: Readonly<Record<string, string>>
  readonly savedOnly?: Readonly<Record<string, string>>
}

const claudeCounters = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens'
] as const

const generated = (name: string, session: string): Pair => ({
  name,
  stdout: [`claude-stream-json/generated/${name}.jsonl`],
  saved: `claude-transcript/generated/${name}/${session}.jsonl`,
  counters: claudeCounters
})

const pairs: readonly Pair[] = [
  generated('c330-tasks', 'fa52337f-7a0b-48bb-8bb2-a16486ebc77d'),
  generated('c330-agent', 'd7cbf5a2-16f4-4f8d-b8eb-4094d68ce00d'),
  generated('c330-todowrite', '8241a0ae-4b8d-4fe3-a41e-58eda18bc6ba'),
  generated('c10128-agenttask', '7c8058c3-660d-49f8-830a-3ec26bbd66e8'),
  ...recordedRuns(/^recorded\/claude/, claudeCounters)
]

const noEnd = 'before 2.1.112 only the next prompt tells in a transcript that a turn has ended'

/** By `Pair.name`. */
const differences: Readonly<Record<string, Differences>> = {
  'c10128-agenttask': { printedOnly: { 'turn 1: done claude-sonnet-4-20250514 200, 84, 20, 2000': noEnd } },
  'recorded/claude-1.0.128/todowrite': {
    printedOnly: { 'turn 1: done claude-sonnet-4-20250514 156, 1520, 8320, 197600': noEnd }
  },
  'recorded/claude-2.0.77/todowrite': {
    printedOnly: { 'turn 1: done claude-sonnet-4-5-20250929 156, 1520, 8320, 197600': noEnd }
  },
  'recorded/claude/sigint-in-text': {
    printedOnly: { 'turn 1: cancelled claude-opus-5-5 12, 62, 640, 15200': 'the answer that was cut is not counted' },
    savedOnly: { 'turn 1: cancelled claude-opus-5-5 24, 63, 1280, 30400': 'its line states a usage' }
  }
}

/** Every recorded run of an agent whose folder's name fits. */
function recordedRuns(agent: RegExp, counters: readonly string[]): Pair[] {
  const files = corpusFiles('recorded/').filter((path) => agent.test(path))
  return files
    .filter((path) => path.endsWith('/stdout.jsonl'))
    .map((first) => {
      const name = dirname(first)
      const saved = files.filter(
        (path) =>
          path.startsWith(`${name}/transcript/`) &&
          formatOfCorpusFile(path) !== null &&
          !fileNameOf(path).startsWith('agent-')
      )
      if (saved[0] === undefined || saved.length > 1) throw new Error(`${name} has ${saved.length} main files`)
      // A run that was resumed has a stdout for each process.
      const stdout = files.filter((path) => dirname(path) === name && /\/stdout(-\d+)?\.jsonl$/.test(path)).sort()
      return { name, stdout: [first, ...stdout.filter((path) => path !== first)], saved: saved[0], counters }
    })
}

/** Every tool call and every answer, whose it is and what it says. Calls at once are printed and saved in any order. */
function toolsOf(events: readonly AgentEvent[]): string[] {
  return events
    .flatMap((event) => {
      const track = event.trackId ?? 'main'
      if (event.type === 'tool.started') {
        return [`${track} ${event.toolId} ${event.toolName} ${JSON.stringify(event.input)}`]
      }
      if (event.type !== 'tool.completed') return []
      return [
        `${track} ${event.toolId} ${event.error === undefined ? `answers ${event.output}` : `fails ${event.error}`}`
      ]
    })
    .sort()
}

/** The todo lists of each track, in order. */
function todosOf(events: readonly AgentEvent[]): string[] {
  const count = new Map<string, number>()
  return events.flatMap((event) => {
    if (event.type !== 'todo_list') return []
    const track = event.trackId ?? 'main'
    const number = (count.get(track) ?? 0) + 1
    count.set(track, number)
    const items = event.items.map(({ text: words, status }) => `${words} (${status})`)
    return [`${track} list ${number}: ${items.join(', ')}`]
  })
}

/** How each turn of the main agent ended, which model answered, and what it used. */
function turnsOf(events: readonly AgentEvent[], counters: readonly string[]): string[] {
  return events
    .filter((event) => event.type === 'turn.completed')
    .map(({ finishReason, model, usage }, index) => {
      const counts = counters.map((name) => String(usage?.[name] ?? 0)).join(', ')
      return `turn ${index + 1}: ${finishReason} ${model ?? 'no model'} ${counts}`
    })
}

describe.skipIf(!corpusIsHere)('what was printed and what was saved of one run tell the same', () => {
  test('all that differ are there', () => {
    const names = new Set(pairs.map(({ name }) => name))
    expect(Object.keys(differences).filter((name) => !names.has(name))).toEqual([])
  })

  describe.each(pairs)('$name', ({ name, stdout, saved, counters }) => {
    const { printedOnly = {}, savedOnly = {} } = differences[name] ?? {}

    test.each([
      ['tool calls', toolsOf],
      ['todo lists', todosOf],
      ['turns', (events: readonly AgentEvent[]) => turnsOf(events, counters)]
    ])('%s', (_, entriesOf) => {
      const printed = entriesOf(stdout.flatMap((path) => readLog(openLog(corpusBytes(path))).events))
      const kept = entriesOf(readRun(saved).events)
      expect(printed.filter((entry) => !(entry in printedOnly))).toEqual(kept.filter((entry) => !(entry in savedOnly)))
    })
  })
})
