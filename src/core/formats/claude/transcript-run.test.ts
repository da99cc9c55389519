import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../json.ts'
import { LinesMarked } from '../../../../test/placed-marks.ts'
import type { FoldedEvent } from '../log-format.ts'
import { RunReader } from '../run-reader.ts'
import { claudeTranscript } from './transcript.ts'

/** A subagent's file, and its call if a companion file names it. */
interface AgentFile {
  readonly name: string
  readonly callId?: string
  readonly records: readonly JsonObject[]
}

interface Run {
  /** Events with their tracks, in order. */
  readonly story: string[]
  readonly marks: string[]
  readonly events: readonly FoldedEvent[]
}

const utf8 = new TextEncoder()

function readRun(main: readonly JsonObject[], ...files: readonly AgentFile[]): Run {
  const events: FoldedEvent[] = []
  const marked = new LinesMarked()
  const run = new RunReader(
    claudeTranscript,
    {
      line(line) {
        events.push(...line.events)
        marked.add(line.at, line.marks)
      }
    },
    { files: files.map(({ name, callId }) => ({ name, callId, framing: 'lines' })) }
  )
  for (const [index, records] of [main, ...files.map((file) => file.records)].entries()) {
    run.push(index, utf8.encode(records.map((record) => `${JSON.stringify(record)}\n`).join('')))
    run.endFile(index)
  }
  run.end()
  const place = ({ file = 'main', line }: { file?: string; line: number }): string => `${file}:${line}`
  return {
    story: events.flatMap(({ draft, trackId = 'main' }) => {
      if (draft.type === 'text') return [`${trackId}: ${draft.text}`]
      if (draft.type === 'tool.started') return [`${trackId}: calls ${draft.toolId}`]
      if (draft.type === 'tool.completed') return [`${trackId}: ${draft.toolId} answers`]
      if (draft.type === 'todo_list') return [`${trackId}: list of ${draft.items.length}`]
      return draft.type === 'turn.completed' ? [`(${draft.finishReason})`] : []
    }),
    marks: marked.marks.map(({ at, mark }) => `${place(at)} ${mark}`),
    events
  }
}

let second = 0
/** A line one second after the one before, unless it states a time. */
function line(type: string, rest: JsonObject): JsonObject {
  second += 1
  const timestamp = new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
  return { type, sessionId: 's', parentUuid: null, isSidechain: false, timestamp, ...rest }
}
const user = (content: string | JsonObject[], rest: JsonObject = {}): JsonObject =>
  line('user', { message: { role: 'user', content }, ...rest })
const said = (block: JsonObject, rest: JsonObject = {}): JsonObject =>
  line('assistant', { message: { id: `m${second}`, role: 'assistant', content: [block], stop_reason: null }, ...rest })
const words = (text: string): JsonObject => ({ type: 'text', text })
const calls = (id: string, name: string, input: JsonObject): JsonObject => ({ type: 'tool_use', id, name, input })
const answer = (id: string, rest: JsonObject = {}): JsonObject =>
  user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }], rest)
const ofAgent = (agentId: string): JsonObject => ({ isSidechain: true, agentId })

describe('a session and the files of its subagents', () => {
  test('from 2.1 on a companion file names the call: all lines are on its track, also those without an agent', () => {
    const main = [user('Go'), said(calls('t1', 'Agent', { prompt: 'Look' }))]
    const agent = [user('Look', ofAgent('a1')), said(words('Seen'), ofAgent('a1')), line('last-prompt', {})]
    const { story, events } = readRun([...main, answer('t1'), said(words('Done'))], {
      name: 's/subagents/agent-a1.jsonl',
      callId: 't1',
      records: agent
    })
    expect(story).toEqual(['main: Go', 'main: calls t1', 't1: Look', 't1: Seen', 'main: t1 answers', 'main: Done'])
    expect(events.filter(({ trackId }) => trackId === 't1').map(({ at }) => [at.file, at.line])).toEqual([
      ['s/subagents/agent-a1.jsonl', 1],
      ['s/subagents/agent-a1.jsonl', 2]
    ])
  })

  test('in 2.0 the call is the earliest one with the same prompt that no subagent has claimed', () => {
    const main = [
      user('Go'),
      said(calls('t1', 'Task', { prompt: 'Look' })),
      said(calls('t2', 'Task', { prompt: 'Look' }))
    ]
    const one = [user('Look', ofAgent('a1'))]
    const other = [user('Look', ofAgent('a2')), said(words('Two'), ofAgent('a2'))]
    const { story } = readRun(
      main,
      { name: 'agent-a1.jsonl', records: one },
      { name: 'agent-a2.jsonl', records: other }
    )
    expect(story.slice(3)).toEqual(['t1: Look', 't2: Look', 't2: Two'])
  })

  test('or the one whose result names the agent', () => {
    const main = [user('Go'), said(calls('t1', 'Task', { prompt: 'Look' }))]
    const { story } = readRun([...main, answer('t1', { toolUseResult: { agentId: 'a1' } })], {
      name: 'agent-a1.jsonl',
      records: [user('Look, once more', ofAgent('a1'))]
    })
    expect(story.at(-1)).toBe('t1: Look, once more')
  })

  test('an agent without a call has its own id as track', () => {
    const { story } = readRun([user('Go')], {
      name: 'x/agent-a9.jsonl',
      records: [line('mode', {}), said(words('Hm'))]
    })
    expect(story).toEqual(['main: Go', 'a9: Hm'])
  })

  test('a subagent of a subagent is a track of the call in its file', () => {
    const { story } = readRun(
      [user('Go'), said(calls('t1', 'Agent', { prompt: 'Look' }))],
      {
        name: 'agent-a1.jsonl',
        callId: 't1',
        records: [said(calls('t2', 'Agent', { prompt: 'Deeper' }), ofAgent('a1'))]
      },
      { name: 'agent-a2.jsonl', callId: 't2', records: [said(words('Deep'), ofAgent('a2'))] }
    )
    expect(story.slice(2)).toEqual(['t1: calls t2', 't2: Deep'])
  })

  test('each has its own list of TodoWrite; the list of the Task tools is the session’s', () => {
    const todos = (count: number): JsonObject => ({ todos: Array(count).fill({ content: 'x', status: 'pending' }) })
    const created = { toolUseResult: { task: { id: '1', subject: 'One' } } }
    const { story } = readRun(
      [user('Go'), said(calls('t1', 'Agent', { prompt: 'Look' })), said(calls('w1', 'TodoWrite', todos(2)))],
      {
        name: 'agent-a1.jsonl',
        callId: 't1',
        records: [
          said(calls('w2', 'TodoWrite', todos(3)), ofAgent('a1')),
          said(calls('c1', 'TaskCreate', { subject: 'One' }), ofAgent('a1')),
          answer('c1', { ...ofAgent('a1'), ...created })
        ]
      }
    )
    expect(story.slice(2)).toEqual(['main: list of 2', 't1: list of 3', 'main: list of 1', 't1: c1 answers'])
  })

  test('the lines of a subagent between two lines of an answer do not end the turn', () => {
    const ends = (text: string, timestamp: string): JsonObject =>
      line('assistant', {
        message: { id: 'last', role: 'assistant', content: [words(text)], stop_reason: 'end_turn' },
        timestamp
      })
    const { story } = readRun(
      [user('Go'), ends('a', '2027-01-01T00:00:01Z'), ends('b', '2027-01-01T00:00:03Z'), line('mode', {})],
      {
        name: 'agent-a1.jsonl',
        callId: 't1',
        records: [said(words('between'), { ...ofAgent('a1'), timestamp: '2027-01-01T00:00:02Z' })]
      }
    )
    expect(story).toEqual(['main: Go', 'main: a', 't1: between', 'main: b', '(done)'])
  })
})

describe('a subagent’s message that is also in the session (agent_progress, 2.1.12 to 2.1.56)', () => {
  const timestamp = '2027-01-01T00:00:10Z'
  const message = user('Look', { uuid: 'm1', timestamp })
  const envelope = line('progress', {
    uuid: 'p1',
    parentToolUseID: 't1',
    data: { type: 'agent_progress', agentId: 'a1', message },
    timestamp
  })
  const own = { ...message, ...ofAgent('a1') }

  test('counts once, and on one track: the second is a duplicate', () => {
    const main = [user('Go'), said(calls('t1', 'Task', { prompt: 'Look' }))]
    const { story, marks } = readRun([...main, envelope], { name: 'agent-a1.jsonl', records: [own] })
    expect(story.slice(2)).toEqual(['t1: Look'])
    expect(marks).toEqual(['agent-a1.jsonl:1 duplicate'])
  })

  test('in either order', () => {
    const main = [user('Go'), said(calls('t1', 'Task', { prompt: 'Look' }))]
    const late = {
      ...envelope,
      data: { type: 'agent_progress', agentId: 'a1', message: { ...message, timestamp: '2027-01-01T00:00:20Z' } }
    }
    const { story, marks } = readRun([...main, late], { name: 'agent-a1.jsonl', records: [own] })
    expect(story.slice(2)).toEqual(['t1: Look'])
    expect(marks).toEqual(['main:3 duplicate'])
  })

  test('its envelope has a place in the tree all the same: what hangs from it is abandoned with its branch', () => {
    const main = [
      user('Go', { uuid: 'u1' }),
      said(calls('t1', 'Task', { prompt: 'Look' }), { uuid: 'u2', parentUuid: 'u1' }),
      envelope,
      { ...envelope, uuid: 'p2', parentUuid: 'u2' },
      answer('t1', { uuid: 'u3', parentUuid: 'p2', timestamp: '2027-01-01T00:00:11Z' }),
      said(words('Another answer'), { uuid: 'u4', parentUuid: 'u1', timestamp: '2027-01-01T00:00:12Z' })
    ]
    expect(readRun(main).marks).toEqual([
      'main:4 duplicate',
      'main:2 abandoned',
      'main:4 abandoned',
      'main:5 abandoned'
    ])
  })
})

test('an answer that takes back the one beside it: that one is retracted, what hangs from it is left with it', () => {
  const { marks } = readRun([
    user('Go', { uuid: 'r1' }),
    said(calls('t1', 'Bash', {}), { uuid: 'r2', parentUuid: 'r1' }),
    answer('t1', { uuid: 'r3', parentUuid: 'r2' }),
    said(words('Better'), { uuid: 'r4', parentUuid: 'r1', supersedes: ['r2'] })
  ])
  expect(new Map(marks.map((mark) => mark.split(' ') as [string, string]))).toEqual(
    new Map([
      ['main:2', 'retracted'],
      ['main:3', 'abandoned']
    ])
  )
})

test('a line copied from the session into a subagent’s file is a duplicate there', () => {
  const shared = user('Shared', { uuid: 'u1', timestamp: '2027-01-01T00:00:00Z' })
  const { story, marks } = readRun([shared], {
    name: 'agent-a1.jsonl',
    callId: 't1',
    records: [shared, said(words('Mine'), ofAgent('a1'))]
  })
  expect(story).toEqual(['main: Shared', 't1: Mine'])
  expect(marks).toEqual(['agent-a1.jsonl:1 duplicate'])
})
