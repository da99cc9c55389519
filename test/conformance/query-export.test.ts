import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { playhead } from '../command-line.ts'
import { corpusFiles, corpusIsHere, corpusPath, formatOfCorpusFile } from './corpus.ts'

interface Question {
  readonly query: string
  /** The same as a filter of what `export` prints: in JavaScript, and for jq, where `$seq` is the number of the event. */
  readonly holds: (event: AgentEvent, seq: number) => boolean
  readonly jq: string
}

const started = '.type == "tool.started"'
const completed = '.type == "tool.completed"'

const questions: readonly Question[] = [
  { query: 'type:text', holds: ({ type }) => type === 'text', jq: '.type == "text"' },
  { query: 'type:tool.started', holds: ({ type }) => type === 'tool.started', jq: started },
  { query: '-type:text', holds: ({ type }) => type !== 'text', jq: '.type != "text"' },
  {
    query: 'role:user',
    holds: (event) => event.type === 'text' && event.role === 'user',
    jq: '.type == "text" and .role == "user"'
  },
  {
    query: 'role:assistant',
    holds: (event) => event.type === 'text' && event.role === 'assistant',
    jq: '.type == "text" and .role == "assistant"'
  },
  {
    query: 'tool:Bash type:tool.started',
    holds: (event) => event.type === 'tool.started' && event.toolName.toLowerCase() === 'bash',
    jq: `${started} and (.toolName | ascii_downcase) == "bash"`
  },
  { query: 'type:error', holds: ({ type }) => type === 'error', jq: '.type == "error"' },
  { query: 'type:todo_list', holds: ({ type }) => type === 'todo_list', jq: '.type == "todo_list"' },
  { query: 'seq:10..20', holds: (_event, seq) => seq >= 10 && seq <= 20, jq: '$seq >= 10 and $seq <= 20' },
  {
    query: 'seq:<5 type:text',
    holds: ({ type }, seq) => seq < 5 && type === 'text',
    jq: '$seq < 5 and .type == "text"'
  },
  { query: 'line:>50', holds: ({ source }) => (source?.line ?? 0) > 50, jq: '(.source.line // 0) > 50' },
  { query: 'size:>2kb', holds: ({ source }) => (source?.length ?? 0) > 2000, jq: '(.source.length // 0) > 2000' },
  {
    query: 'stop:done',
    holds: (event) => event.type === 'turn.completed' && event.finishReason === 'done',
    jq: '.type == "turn.completed" and .finishReason == "done"'
  },
  { query: 'track:main', holds: ({ trackId }) => trackId === undefined, jq: 'has("trackId") | not' },
  {
    query: 'at:>=2026-01-01T00:00Z',
    holds: ({ timestamp }) => timestamp >= Date.UTC(2026, 0, 1),
    jq: '.timestamp >= 1767225600000'
  },
  {
    query: 'dur:>1s type:tool.completed',
    holds: (event) => event.type === 'tool.completed' && (event.durationMs ?? 0) > 1000,
    jq: `${completed} and (.durationMs // 0) > 1000`
  },
  {
    query: 'output:error type:tool.completed',
    holds: (event) => event.type === 'tool.completed' && has(event.error ?? event.output, 'error'),
    jq: `${completed} and (.error // .output // "" | ascii_downcase | contains("error"))`
  },
  {
    query: 'input:the type:tool.started',
    holds: (event) => event.type === 'tool.started' && has(event.input, 'the'),
    jq: `${started} and any(.input | .. | scalars | values; tostring | ascii_downcase | contains("the"))`
  },
  {
    query: 'input.file_path:*.ts type:tool.started',
    holds: (event) => event.type === 'tool.started' && /\.ts$/i.test(String(event.input['file_path'] ?? '')),
    jq: `${started} and (.input.file_path // "" | tostring | test("\\\\.ts$"; "i"))`
  },
  {
    query: 'type:(tool.started OR turn.completed) OR (type:text -role:user)',
    holds: (event) =>
      event.type === 'tool.started' ||
      event.type === 'turn.completed' ||
      (event.type === 'text' && event.role !== 'user'),
    jq: `${started} or .type == "turn.completed" or (.type == "text" and .role != "user")`
  }
]

/** Null: there is no jq on this machine. */
const jqVersion = spawnSync('jq', ['--version'], { encoding: 'utf8' }).stdout ?? null
if (corpusIsHere && jqVersion === null)
  console.warn('jq is not installed: the answers of queries are compared with filters in JavaScript only.')

/** The events that meet each question, as jq answers over what `export` prints. */
function seqsOfJq(exported: string): readonly (readonly number[])[] {
  const filters = questions.map(({ jq }) => `map(select(.key as $seq | .value | ${jq}) | .key)`)
  const { stdout, stderr } = spawnSync('jq', ['--slurp', '--compact-output', `to_entries | [${filters.join(', ')}]`], {
    input: exported,
    encoding: 'utf8',
    maxBuffer: 1 << 26
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as number[][]
}

function has(value: unknown, text: string): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some((each) => has(each, text))
  return value !== undefined && value !== null && String(value).toLowerCase().includes(text)
}

const logsOfFormat = 2
const maxBytes = 150_000

const formats = [...new Set(corpusFiles().map(formatOfCorpusFile))].filter((format) => format !== null)

/** The largest logs of each format that are not long. */
const logs = formats.flatMap((format) =>
  corpusFiles()
    .filter((path) => /\.jsonl?$/.test(path) && formatOfCorpusFile(path) === format)
    .map((path) => ({ path, format, bytes: statSync(corpusPath(path)).size }))
    .filter(({ bytes }) => bytes < maxBytes)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, logsOfFormat)
)

function linesOf(out: string): string[] {
  return out.split('\n').slice(0, -1)
}

describe.skipIf(!corpusIsHere)('queries and filters of the export (skipped where the corpus is absent)', () => {
  const found = new Map<string, number>()

  test('there are ten logs of five formats', () => {
    expect(logs.length).toBeGreaterThanOrEqual(10)
    expect(new Set(logs.map(({ format }) => format)).size).toBeGreaterThanOrEqual(5)
    expect(questions).toHaveLength(20)
  })

  test.each(logs)('$path', async ({ path }) => {
    const { out } = await playhead('export', corpusPath(path))
    const lines = linesOf(out)
    const events = lines.map((line) => JSON.parse(line) as AgentEvent)
    const ofJq = jqVersion === null ? null : seqsOfJq(out)
    for (const [i, { query, holds }] of questions.entries()) {
      const expected = [...events.keys()].filter((seq) => holds(events[seq] as AgentEvent, seq))
      if (ofJq !== null) expect({ query, seqs: ofJq[i] }).toEqual({ query, seqs: expected })
      const printed = linesOf((await playhead('query', corpusPath(path), query)).out)
      expect({ query, printed }).toEqual({ query, printed: expected.map((seq) => lines[seq]) })
      found.set(query, (found.get(query) ?? 0) + printed.length)
    }
  })

  test.skipIf(jqVersion === null)('jq answered too (skipped where it is not installed)', () => {
    expect(jqVersion).toMatch(/^jq-/)
  })

  test('every query found something', () => {
    expect(questions.filter(({ query }) => !found.get(query)).map(({ query }) => query)).toEqual([])
  })
})
