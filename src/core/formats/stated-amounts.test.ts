import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { claudeStreamJson } from './claude/stream-json.ts'
import { claudeTranscript } from './claude/transcript.ts'
import { codexExecJson } from './codex/exec-json.ts'
import { codexRollout } from './codex/rollout.ts'
import type { LogFormat } from './log-format.ts'
import { LogReader } from './log-reader.ts'
import { stamp } from './stamp.ts'
import { lengthAt, statedDuration, usdAt } from './stated-amounts.ts'

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

/** The durations of a log's results and their sources; null if unknown. */
function durations(format: LogFormat, ...records: object[]): unknown[] {
  const found: unknown[] = []
  const reader = new LogReader(format, {
    line({ events }) {
      for (const folded of events) {
        const event = stamp(folded, format)
        if (event.type !== 'tool.completed') continue
        const isKnown = 'durationMs' in event || 'durationFrom' in event
        found.push(isKnown ? [event.durationMs, event.durationFrom] : null)
      }
    }
  })
  reader.push(new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join('')))
  reader.end()
  return found
}

test.each<[JsonValue | undefined, number, number]>([
  [0, 1, 0],
  [12.5, 1, 12.5],
  [1.2345, 1000, 1234.5],
  [0.0701, 1000, 70.1]
])('%j, each %i ms, is %d ms', (value, unitMs, durationMs) => {
  expect(statedDuration(value, unitMs)).toEqual({ durationMs, durationFrom: 'stated' })
})

test.each<[JsonValue | undefined]>([[undefined], [null], ['12'], [-1], [Number.MAX_VALUE], [{}]])(
  '%j seconds are no duration',
  (value) => {
    expect(statedDuration(value, 1000)).toBeUndefined()
  }
)

describe('Claude Code', () => {
  const call = { type: 'tool_use', id: 'a', name: 'Bash', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'a', content: 'ok' }
  const transcript = (twin: JsonValue, second = 3): unknown[] => {
    const line = { sessionId: 's', isSidechain: false }
    return durations(
      claudeTranscript,
      { ...line, type: 'assistant', message: { id: 'm', role: 'assistant', content: [call] }, timestamp: at(1) },
      {
        ...line,
        ...{ type: 'user', message: { role: 'user', content: [result] }, toolUseResult: twin, timestamp: at(second) }
      }
    )
  }

  test.each<[object, number]>([
    [{ durationMs: 35 }, 35],
    [{ totalDurationMs: 40, totalTokens: 1 }, 40],
    [{ durationSeconds: 1.5 }, 1500],
    [{ durationMs: 0 }, 0]
  ])('a result that says %j', (twin, ms) => {
    expect(transcript(twin as JsonValue)).toEqual([[ms, 'stated']])
  })

  test.each<[JsonValue]>([[{}], ['Error: no'], [{ durationMs: 'long' }], [{ durationMs: -1 }]])(
    'a result that says %j: the times of its records tell',
    (twin) => {
      expect(transcript(twin)).toEqual([[2000, 'records']])
      expect(transcript(twin, 1)).toEqual([null])
    }
  )

  test('one record with the results of several calls states none', () => {
    const message = (role: string, content: object[]): object => ({ role, content, id: 'm' })
    const records = [
      { type: 'assistant', session_id: 's', message: message('assistant', [call, { ...call, id: 'b' }]) },
      {
        ...{ type: 'user', session_id: 's', tool_use_result: { durationMs: 5 } },
        message: message('user', [result, { ...result, tool_use_id: 'b' }])
      }
    ]
    expect(durations(claudeStreamJson, ...records)).toEqual([null, null])
  })

  test('the stream, which has no times, still has what the result states', () => {
    const records = [
      { type: 'assistant', session_id: 's', message: { id: 'm', role: 'assistant', content: [call] } },
      {
        ...{ type: 'user', session_id: 's', tool_use_result: { durationMs: 5 } },
        message: { role: 'user', content: [result] }
      }
    ]
    expect(durations(claudeStreamJson, ...records)).toEqual([[5, 'stated']])
  })
})

describe('Codex', () => {
  const item = (second: number, payload: object): object => ({ timestamp: at(second), type: 'response_item', payload })
  const shell = item(1, { type: 'function_call', name: 'shell', call_id: 'a', arguments: '{}' })
  const answer = (output: string, second = 4): unknown[] =>
    durations(codexRollout, shell, item(second, { type: 'function_call_output', call_id: 'a', output }))

  test('the head of an output', () => {
    const output = 'Exit code: 1\nWall time: 0.25 seconds\nOutput:\nWall time: 9 seconds'
    expect(answer(output)).toEqual([[250, 'stated']])
  })

  test('JSON in an output', () => {
    const output = JSON.stringify({ output: 'x', metadata: { exit_code: 0, duration_seconds: 0.5 } })
    expect(answer(output)).toEqual([[500, 'stated']])
  })

  test('an output without one: the times of the records', () => {
    expect(answer('x')).toEqual([[3000, 'records']])
    expect(answer('x', 1)).toEqual([null])
  })

  test('the interface’s end of a command or a server’s tool', () => {
    const duration = { secs: 1, nanos: 250_000_000 }
    const event = (payload: object): object => ({ timestamp: at(2), type: 'event_msg', payload })
    const command = { type: 'exec_command_end', call_id: 'a', exit_code: 0, command: ['ls'], aggregated_output: 'x' }
    expect(durations(codexRollout, event({ ...command, duration }))).toEqual([[1250, 'stated']])
    const mcp = {
      ...{ type: 'mcp_tool_call_end', call_id: 'a', result: { Ok: { content: [] } } },
      invocation: { server: 'almanac', tool: 'moon', arguments: {} }
    }
    expect(durations(codexRollout, event({ ...mcp, duration: { secs: 2, nanos: 0 } }))).toEqual([[2000, 'stated']])
    expect(durations(codexRollout, event({ ...mcp, duration: '2s' }))).toEqual([null])
  })

  test('the same on stdout, before 0.44', () => {
    const msg = (type: string, rest: object): object => ({ id: '0', msg: { type, call_id: 'a', ...rest } })
    const command = [
      msg('exec_command_begin', { command: ['ls'], cwd: '/w' }),
      msg('exec_command_end', { exit_code: 0, stdout: 'x', stderr: '', duration: { secs: 0, nanos: 7_500_000 } })
    ]
    expect(durations(codexExecJson, ...command)).toEqual([[7.5, 'stated']])
    const invocation = { server: 'almanac', tool: 'moon', arguments: {} }
    const result = { Ok: { content: [] } }
    const mcp = [
      msg('mcp_tool_call_begin', { invocation }),
      msg('mcp_tool_call_end', { invocation, result, duration: { secs: 3, nanos: 0 } })
    ]
    expect(durations(codexExecJson, ...mcp)).toEqual([[3000, 'stated']])
  })
})

test.each([
  [0, 0, 0],
  [1500, 1500, 1500],
  [-1, undefined, undefined],
  [1e308, undefined, undefined],
  ['2', undefined, undefined],
  [undefined, undefined, undefined]
])('%s is a length of %s ms and a cost of %s dollars', (stated, ms, usd) => {
  const record = stated === undefined ? {} : { took: stated }
  expect(lengthAt(record, 'took')).toBe(ms)
  expect(usdAt(record, 'took')).toBe(usd)
})
