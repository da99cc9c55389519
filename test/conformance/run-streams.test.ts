import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RecordingReader } from '../../src/core/bridge/recording-reader.ts'
import { RunStream } from '../../src/core/bridge/run-stream.ts'
import { type StreamEvent, streamEventData } from '../../src/core/bridge/stream-events.ts'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { sameTodoItems } from '../../src/core/events/todo.ts'
import { formatById } from '../../src/core/formats/registry.ts'
import { corpusBytes, corpusFiles, formatOfCorpusFile } from './corpus.ts'
import { expectEqual } from './expect-equal.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { type Log, openLog, randomNumbers, readLog } from './read-log.ts'

/** What the programs that Playhead starts print. */
const printed = new Set(['claude-stream-json', 'codex-exec-json', 'gemini-stream-json', 'cursor-stream-json'])

const logs = [
  ...corpusFiles().flatMap((path) => {
    const id = formatOfCorpusFile(path)
    const format = id === null || !printed.has(id) ? undefined : formatById(id)
    return format === undefined ? [] : [{ name: path, log: logOf(format, corpusBytes(path)) }]
  }),
  ...allFixtures().flatMap((fixture) => {
    const { formatId, name } = fixture
    if (!printed.has(formatId) || name.startsWith('array')) return []
    return [{ name: `${formatId}/${name}`, log: openLog(bytesOfFixture(fixture)) }]
  })
]

function logOf(format: Log['format'], bytes: Uint8Array): Log {
  return { format, framing: 'lines', bytes }
}

/** The stream of a run that printed these bytes, read in pieces that end at `cuts`. */
function streamOf({ format, bytes }: Log, cuts: readonly number[] = []): readonly StreamEvent[] {
  const stream = new RunStream(format, null)
  const reader = new RecordingReader(format, stream)
  const events: StreamEvent[] = []
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    reader.push(bytes.slice(from, to))
    events.push(...stream.drain().events)
    from = to
  }
  reader.end()
  stream.end({ finishReason: 'done', exitCode: 0, signal: null, message: null })
  events.push(...stream.drain().events)
  return events
}

/** What each track says, put together. */
function saidIn(stream: readonly StreamEvent[]): Record<string, string> {
  const said: Record<string, string> = {}
  for (const { type, data } of stream) {
    if (type === 'text') said[data.track_id ?? ''] = (said[data.track_id ?? ''] ?? '') + data.text
  }
  return said
}

function saidOffline(events: readonly AgentEvent[]): Record<string, string> {
  const said: Record<string, string> = {}
  for (const event of events) {
    if (event.type !== 'text' || event.category !== 'assistant-message') continue
    said[event.trackId ?? ''] = (said[event.trackId ?? ''] ?? '') + event.text
  }
  return said
}

const ofType = <T extends StreamEvent['type']>(
  stream: readonly StreamEvent[],
  type: T
): (StreamEvent & { type: T })[] => stream.filter((event): event is StreamEvent & { type: T } => event.type === type)

describe.each(logs)('$name', ({ log }) => {
  const whole = streamOf(log)
  const { events } = readLog(log)
  const offline = <T extends AgentEvent['type']>(type: T): (AgentEvent & { type: T })[] =>
    events.filter((event): event is AgentEvent & { type: T } => event.type === type)

  test('every event keeps the schema of its type', () => {
    for (const { type, data } of whole) expectEqual(streamEventData[type].parse(data), data)
  })

  test('the texts are what the agents say offline, each once', () => {
    expectEqual(saidIn(whole), saidOffline(events))
  })

  test('calls, results, lists and ends are those of the log, in its order', () => {
    expect(ofType(whole, 'tool_use').map(({ data }) => data.id)).toEqual(offline('tool.started').map((e) => e.toolId))
    expect(ofType(whole, 'tool_result').map(({ data }) => [data.tool_use_id, data.is_error])).toEqual(
      offline('tool.completed').map((e) => [e.toolId, e.error !== undefined])
    )
    const own = offline('todo_list').filter(({ trackId }) => trackId === undefined)
    const valid = ofType(whole, 'task_update').map(({ data }) =>
      data.todos.map(({ content, status }) => ({ text: content, status }))
    )
    // Each changed list is told once.
    const lists = own.filter(({ items }, i) => i === 0 || !sameTodoItems(items, own[i - 1]?.items ?? []))
    expect(valid.length).toBe(lists.length)
    for (const [i, { items }] of lists.entries()) expect(valid[i]).toEqual(expect.arrayContaining([...items]))
    expect(ofType(whole, 'result').map(({ data }) => data.finish_reason)).toEqual(
      offline('turn.completed').map((e) => e.finishReason)
    )
    expect(ofType(whole, 'error').map(({ data }) => data.code)).toEqual(offline('error').map((e) => e.code ?? null))
    expect(whole.at(-1)?.type).toBe('done')
  })

  test('in any chunking it is the same', () => {
    const { length } = log.bytes
    const random = randomNumbers(length)
    const cuts = Array.from({ length: 20 }, () => Math.floor(random() * (length + 1))).sort((a, b) => a - b)
    expectEqual(streamOf(log, cuts), whole)
    if (length > 20_000) return
    fc.assert(
      fc.property(fc.array(fc.nat({ max: length }), { maxLength: 30 }), (at) => {
        expectEqual(
          streamOf(
            log,
            at.toSorted((a, b) => a - b)
          ),
          whole
        )
      }),
      { numRuns: 20 }
    )
  })

  test('cut off anywhere it says what the log says up to there', () => {
    const { length } = log.bytes
    const random = randomNumbers(length + 1)
    for (let i = 0; i < (length > 1_000_000 ? 2 : 8); i++) {
      const cut = logOf(log.format, log.bytes.slice(0, Math.floor(random() * length)))
      expectEqual(saidIn(streamOf(cut)), saidOffline(readLog(cut).events))
    }
  })

  test('damaged anywhere it is still a stream', () => {
    const { length } = log.bytes
    if (length > 100_000) return
    const random = randomNumbers(length + 2)
    for (let i = 0; i < 10; i++) {
      const bytes = log.bytes.slice()
      for (let flips = 0; flips < 20; flips++) bytes[Math.floor(random() * length)] = Math.floor(random() * 256)
      const stream = streamOf(logOf(log.format, bytes))
      for (const { type, data } of stream) expectEqual(streamEventData[type].parse(data), data)
      expect(stream.filter(({ type }) => type === 'done').length).toBe(1)
    }
  })
})
