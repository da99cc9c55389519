import { statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { playhead } from '../command-line.ts'
import { corpusFiles, corpusIsHere, corpusPath, formatOfCorpusFile } from './corpus.ts'

/** Queries, and the same as a filter of what `export` prints. */
const questions: readonly [query: string, holds: (event: AgentEvent, seq: number) => boolean][] = [
  ['type:text', ({ type }) => type === 'text'],
  ['type:tool.started', ({ type }) => type === 'tool.started'],
  ['-type:text', ({ type }) => type !== 'text'],
  ['role:user', (event) => event.type === 'text' && event.role === 'user'],
  ['role:assistant', (event) => event.type === 'text' && event.role === 'assistant'],
  ['tool:Bash type:tool.started', (event) => event.type === 'tool.started' && event.toolName.toLowerCase() === 'bash'],
  ['type:error', ({ type }) => type === 'error'],
  ['type:todo_list', ({ type }) => type === 'todo_list'],
  ['seq:10..20', (_event, seq) => seq >= 10 && seq <= 20],
  ['seq:<5 type:text', ({ type }, seq) => seq < 5 && type === 'text'],
  ['line:>50', ({ source }) => (source?.line ?? 0) > 50],
  ['size:>2kb', ({ source }) => (source?.length ?? 0) > 2000],
  ['stop:done', (event) => event.type === 'turn.completed' && event.finishReason === 'done'],
  ['track:main', ({ trackId }) => trackId === undefined],
  ['at:>=2026-01-01T00:00Z', ({ timestamp }) => timestamp >= Date.UTC(2026, 0, 1)],
  ['dur:>1s type:tool.completed', (event) => event.type === 'tool.completed' && (event.durationMs ?? 0) > 1000],
  [
    'output:error type:tool.completed',
    (event) => event.type === 'tool.completed' && has(event.error ?? event.output, 'error')
  ],
  ['input:the type:tool.started', (event) => event.type === 'tool.started' && has(event.input, 'the')],
  [
    'input.file_path:*.ts type:tool.started',
    (event) => event.type === 'tool.started' && /\.ts$/i.test(String(event.input['file_path'] ?? ''))
  ],
  [
    'type:(tool.started OR turn.completed) OR (type:text -role:user)',
    (event) =>
      event.type === 'tool.started' ||
      event.type === 'turn.completed' ||
      (event.type === 'text' && event.role !== 'user')
  ]
]

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
    const lines = linesOf((await playhead('export', corpusPath(path))).out)
    const events = lines.map((line) => JSON.parse(line) as AgentEvent)
    for (const [query, holds] of questions) {
      const expected = lines.filter((_, seq) => holds(events[seq] as AgentEvent, seq))
      const printed = linesOf((await playhead('query', corpusPath(path), query)).out)
      expect({ query, printed }).toEqual({ query, printed: expected })
      found.set(query, (found.get(query) ?? 0) + printed.length)
    }
  })

  test('every query found something', () => {
    expect(questions.filter(([query]) => !found.get(query)).map(([query]) => query)).toEqual([])
  })
})
