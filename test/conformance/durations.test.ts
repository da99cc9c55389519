import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { stamp } from '../../src/core/formats/stamp.ts'
import { RunIndex } from '../../src/core/index/run-index.ts'
import { rowKinds } from '../../src/core/index/row-kind.ts'
import { MarkdownReport } from '../../src/core/export/markdown-report.ts'
import { RunReader } from '../../src/core/formats/run-reader.ts'
import { corpusBytes, corpusIsHere, corpusLogs } from './corpus.ts'
import { every } from '../thorough.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { openLog, readLog } from './read-log.ts'

/** How long each call took, in the order of the results: by hand, from the times that stand in the lines. */
const byHand: Readonly<Record<string, { readonly lines: readonly object[]; readonly took: readonly string[] }>> = {
  'claude-transcript': {
    lines: [
      claude('assistant', '2026-01-02T10:00:00.000Z', [use('a'), use('b')]),
      claude('user', '2026-01-02T10:00:01.500Z', [answer('a')]),
      claude('user', '2026-01-02T10:00:04.000Z', [answer('b')], { totalDurationMs: 3210 }),
      claude('assistant', '2026-01-02T10:00:05.000Z', [use('c')]),
      claude('user', '2026-01-02T10:00:05.000Z', [answer('c')])
    ],
    took: ['a 1500 records', 'b 3210 stated', 'c unknown']
  },
  'claude-stream-json': {
    lines: [
      { type: 'system', subtype: 'init', session_id: 's', cwd: '/', tools: [], model: 'm' },
      stdout('assistant', [use('a')]),
      { ...stdout('user', [answer('a')]), timestamp: '2026-01-02T10:00:01.500Z' },
      { ...stdout('assistant', [use('b')]), timestamp: '2026-01-02T10:00:02.000Z' },
      { ...stdout('user', [answer('b')]), timestamp: '2026-01-02T10:00:02.250Z' }
    ],
    took: ['a unknown', 'b 250 records']
  },
  'codex-rollout': {
    lines: [
      codex('2026-01-02T10:00:00.000Z', 'session_meta', { id: 'u', cwd: '/', cli_version: '0.1' }),
      codex('2026-01-02T10:00:01.000Z', 'response_item', functionCall('a')),
      codex(
        '2026-01-02T10:00:01.000Z',
        'response_item',
        output('a', 'Exit code: 0\nWall time: 1.25 seconds\nOutput:\nok')
      ),
      codex('2026-01-02T10:00:02.000Z', 'response_item', functionCall('b')),
      codex('2026-01-02T10:00:02.040Z', 'response_item', output('b', 'ok')),
      codex('2026-01-02T10:00:03.000Z', 'response_item', functionCall('c')),
      codex('2026-01-02T10:00:03.000Z', 'response_item', output('c', 'ok'))
    ],
    took: ['a 1250 stated', 'b 40 records', 'c unknown']
  },
  'codex-exec-json': {
    lines: [
      { type: 'thread.started', thread_id: '019a0000-0000-7000-8000-000000000000' },
      { type: 'item.started', item: { id: 'item_0', type: 'command_execution', command: 'ls', status: 'in_progress' } },
      { type: 'item.completed', item: { id: 'item_0', type: 'command_execution', command: 'ls', exit_code: 0 } }
    ],
    took: ['item_0 unknown']
  },
  'gemini-stream-json': {
    lines: [
      { type: 'init', timestamp: '2026-01-02T10:00:00.000Z', session_id: 's', model: 'm' },
      { type: 'tool_use', timestamp: '2026-01-02T10:00:01.000Z', tool_name: 'glob', tool_id: 'a', parameters: {} },
      { type: 'tool_result', timestamp: '2026-01-02T10:00:01.750Z', tool_id: 'a', status: 'success', output: 'ok' },
      { type: 'tool_use', timestamp: '2026-01-02T10:00:02.000Z', tool_name: 'glob', tool_id: 'b', parameters: {} },
      { type: 'tool_result', timestamp: '2026-01-02T10:00:02.000Z', tool_id: 'b', status: 'success', output: 'ok' }
    ],
    took: ['a 750 records', 'b unknown']
  },
  'gemini-chat': {
    lines: [
      {
        sessionId: 's',
        projectHash: 'h',
        startTime: '2026-01-02T10:00:00.000Z',
        lastUpdated: '2026-01-02T10:00:00.000Z'
      },
      { id: 'u', timestamp: '2026-01-02T10:00:00.000Z', type: 'user', content: 'Go' },
      gemini('m1', '2026-01-02T10:00:01.000Z', [['a', '2026-01-02T10:00:03.000Z']]),
      gemini('m2', '2026-01-02T10:00:04.000Z', [
        ['b', '2026-01-02T10:00:05.000Z'],
        ['c', '2026-01-02T10:00:06.000Z']
      ])
    ],
    // Of two calls in one message nobody knows when either began.
    took: ['a 2000 records', 'b unknown', 'c unknown']
  },
  'cursor-stream-json': {
    lines: [
      {
        type: 'system',
        subtype: 'init',
        session_id: 's',
        apiKeySource: 'login',
        permissionMode: 'default',
        model: 'm'
      },
      cursor('started', 'a', 1_767_348_000_000),
      cursor('completed', 'a', 1_767_348_006_000, { success: { executionTime: 5399 } }),
      cursor('started', 'b', 1_767_348_007_000),
      cursor('completed', 'b', 1_767_348_007_400, { success: {} })
    ],
    took: ['a 5399 stated', 'b 400 records']
  },
  'cursor-transcript': {
    lines: [
      { role: 'user', message: { content: 'Go' } },
      { role: 'assistant', message: { content: [{ type: 'tool_use', id: 'a', name: 'Read', input: {} }] } },
      { role: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] } },
      { type: 'turn_ended', status: 'success' }
    ],
    // The log states no times but those of prompts.
    took: ['a unknown']
  }
}

function claude(type: string, timestamp: string, content: object[], toolUseResult?: object): object {
  const message = { id: `msg ${timestamp}`, role: type, content }
  return { type, sessionId: 's', uuid: timestamp + type, parentUuid: null, timestamp, cwd: '/', message, toolUseResult }
}

function stdout(type: string, content: object[]): object {
  return { type, session_id: 's', parent_tool_use_id: null, message: { id: 'msg', role: type, content } }
}

function use(id: string): object {
  return { type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }
}

function answer(id: string): object {
  return { type: 'tool_result', tool_use_id: id, content: 'ok' }
}

function codex(timestamp: string, type: string, payload: object): object {
  return { timestamp, type, payload }
}

function functionCall(id: string): object {
  return { type: 'function_call', name: 'shell', arguments: '{}', call_id: id }
}

function output(id: string, text: string): object {
  return { type: 'function_call_output', call_id: id, output: text }
}

function gemini(id: string, timestamp: string, calls: readonly (readonly [string, string])[]): object {
  const toolCalls = calls.map(([call, time]) => ({
    id: call,
    name: 'glob',
    args: {},
    status: 'success',
    timestamp: time
  }))
  return { id, timestamp, type: 'gemini', content: '', toolCalls }
}

function cursor(subtype: string, id: string, timestamp_ms: number, result?: object): object {
  const shellToolCall = { args: { command: 'sleep 5' }, result }
  return { type: 'tool_call', subtype, call_id: id, tool_call: { shellToolCall }, session_id: 's', timestamp_ms }
}

const bytesOf = (lines: readonly object[]) =>
  new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))

type Done = Extract<AgentEvent, { type: 'tool.completed' }>

const isDone = (event: AgentEvent): event is Done => event.type === 'tool.completed'

describe('how long a call took', () => {
  test.each(Object.entries(byHand))('%s, as counted by hand', (format, { lines, took }) => {
    const log = openLog(bytesOf(lines))
    expect(log.format.id).toBe(format)
    const words = readLog(log)
      .events.filter(isDone)
      .map(({ toolId, durationMs, durationFrom }) =>
        `${toolId.split(':').at(-1)} ${durationMs ?? 'unknown'} ${durationFrom ?? ''}`.trim()
      )
    expect(words).toEqual(took)
  })
})

if (!corpusIsHere) console.warn('durations.test.ts: ../shared/corpus is not here, only the fixtures are scanned')

const logs = [
  ...allFixtures().map(
    (fixture) => [`fixture ${fixture.formatId} ${fixture.name}`, () => bytesOfFixture(fixture)] as const
  ),
  ...every(3, corpusLogs()).map((path) => [path, () => corpusBytes(path)] as const)
]

/** A duration as reports and the page write it. */
const durationWords = /\b\d[\d,.]*\s?(?:ms|s)\b|\b\d+m \d+s\b|\b\d+h \d+m\b/

describe('a call of unknown duration shows no number', () => {
  for (const [name, bytes] of logs) {
    test(name, () => {
      const { format, framing, chunk } = { ...openLog(bytes()), chunk: bytes() }
      const index = new RunIndex(format)
      const report = new MarkdownReport(null)
      const events: AgentEvent[] = []
      const reader = new RunReader(
        format,
        {
          line(line) {
            index.line(line)
            report.line(line)
            for (const folded of line.events) {
              const event = stamp(folded, format)
              events.push(event)
              report.event(event, folded, line)
            }
          },
          end(folded, marks) {
            index.end(folded, marks)
            for (const each of folded) report.event(stamp(each, format), each, null)
          }
        },
        { framing }
      )
      reader.push(0, chunk)
      reader.endFile(0)
      reader.end()

      // What the page gets: a number where the event has one, and nothing else.
      const columns = index.rows.columns(0, index.rows.rows)
      const took = new Float64Array(columns.took)
      const pair = new Int32Array(columns.pair)
      const kind = new Uint8Array(columns.kind)
      const seq = new Int32Array(columns.seq)
      for (let row = 0; row < columns.count; row++) {
        const event = events[seq[row] ?? -1]
        if (event === undefined || !isDone(event)) expect(took[row]).toBeNaN()
        else if (event.durationMs !== undefined) {
          expect(took[row]).toBe(event.durationMs)
          expect(event.durationMs).toBeGreaterThan(event.durationFrom === 'stated' ? -1 : 0)
        } else if (rowKinds[kind[pair[row] ?? -1] ?? -1] === undefined) expect(took[row]).toBeNaN()
      }
      // And the report: a tool of which no call tells is of unknown time.
      const text = report
        .pieces({
          name: 'log',
          bytes: 1,
          lines: 1,
          events: events.length,
          files: 0,
          notes: []
        })
        .join('')
      if (events.filter(isDone).some(({ durationMs }) => durationMs !== undefined)) return
      const tools = /## Tools\n([\s\S]*?)(?:\n## |$)/.exec(text)?.[1] ?? ''
      const cells = tools.split('\n').flatMap((line) => line.split('|').at(-2) ?? [])
      expect(cells.filter((cell) => durationWords.test(cell))).toEqual([])
      expect(text).not.toContain('Slowest calls')
    })
  }
})
