import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../events/agent-event.ts'
import { RunIndex } from '../../index/run-index.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import type { FoldedEvent } from '../log-format.ts'
import { RunReader } from '../run-reader.ts'
import { stamp } from '../stamp.ts'
import { codexAppServer } from './app-server.ts'

const thread = '01a3c0de-2b11-7c40-9a55-5f3f2d1c0a01'
const turnId = 't1'
let clock = 0

function note(method: string, params: object): object {
  clock += 10
  return { method, params: { threadId: thread, turnId, ...params }, emittedAtMs: 1_796_040_000_000 + clock }
}
const started = note('thread/started', { thread: { id: thread, cwd: '/home/ada', model: 'gpt-5.5' } })
const turn = note('turn/started', { turn: { id: turnId } })
const end = (status: string) => note('turn/completed', { turn: { id: turnId, status } })
const command = (id: string, rest: object) => ({ type: 'commandExecution', id, command: `touch ${id}`, ...rest })
const runs = (id: string) => note('item/started', { item: command(id, { status: 'inProgress' }) })
const ran = (id: string, rest: object = { status: 'completed', exitCode: 0 }) =>
  note('item/completed', { item: command(id, rest) })
const asks = (request: number | string, id: string) => ({
  method: 'item/commandExecution/requestApproval',
  id: request,
  params: { threadId: thread, turnId, itemId: id, command: `/bin/bash -lc 'touch ${id}'`, reason: 'May I?' }
})
const resolved = (requestId: number | string) => note('serverRequest/resolved', { requestId })

/** Records of the output, with what was sent between them. */
type Line = { readonly sent: object | null } | object

/** The two files as they are written: each sent line knows how long the output was. */
function filesOf(lines: readonly Line[]): { readonly output: string; readonly dialogue: string } {
  let output = ''
  let dialogue = ''
  for (const line of lines) {
    if (!('sent' in line)) output += `${JSON.stringify(line)}\n`
    else {
      const sent = line.sent === null ? null : JSON.stringify(line.sent)
      dialogue += `${JSON.stringify({ at: 1_796_040_000_000 + clock, after: output.length, by: 'person', sent })}\n`
    }
  }
  return { output, dialogue }
}

interface Read {
  readonly events: readonly AgentEvent[]
  readonly folded: readonly FoldedEvent[]
  readonly index: RunIndex
}

function read(
  lines: readonly Line[],
  options: { readonly alone?: boolean; readonly dialogueFirst?: boolean } = {}
): Read {
  const { output, dialogue } = filesOf(lines)
  const folded: FoldedEvent[] = []
  const index = new RunIndex(codexAppServer)
  const sink = {
    line: (line: Parameters<RunIndex['line']>[0]) => {
      folded.push(...line.events)
      index.line(line)
    },
    end: (events: readonly FoldedEvent[]) => {
      folded.push(...events)
      index.end(events, [])
    }
  }
  const files = options.alone === true ? [] : [{ name: 'dialogue.jsonl', framing: 'lines' as const }]
  const reader = new RunReader(codexAppServer, sink, { files })
  const bytes = [output, dialogue].slice(0, 1 + files.length).map((text) => new TextEncoder().encode(text))
  const order = options.dialogueFirst === true ? [1, 0] : [0, 1].slice(0, bytes.length)
  for (const file of order) {
    reader.push(file, bytes[file] ?? new Uint8Array())
    reader.endFile(file)
  }
  reader.end()
  return { events: folded.map((event) => stamp(event, codexAppServer)), folded, index }
}

/** What the rows say, in order: permissions as they are, other events by type. */
function said(read: Read): string[] {
  return read.events.map((event) => (event.type === 'text' ? event.text : event.type))
}

const allowed = { id: 0, result: { decision: 'accept' } }

describe('what was sent to Codex', () => {
  const lines = [
    { sent: { method: 'initialize', id: 1 } },
    ...[started, turn, runs('a'), asks(0, 'a'), { sent: allowed }, resolved(0), ran('a')],
    ...[runs('b'), asks(1, 'b'), { sent: { id: 1, result: { decision: 'acceptForSession' } } }, resolved(1), ran('b')],
    ...[runs('c'), asks('x', 'c'), { sent: { id: 'x', result: { decision: 'decline' } } }, resolved('x')],
    ...[ran('c', { status: 'declined' }), end('completed')]
  ]
  const rows = [
    ...['session.started', 'tool.started', 'Asked: touch a', 'Allowed once', 'tool.completed'],
    ...['tool.started', 'Asked: touch b', 'Allowed for this run', 'tool.completed'],
    ...['tool.started', 'Asked: touch c', 'Refused', 'tool.completed', 'turn.completed']
  ]

  test('stands where it was sent, whichever file is read first', () => {
    expect(said(read(lines))).toEqual(rows)
    expect(read(lines, { dialogueFirst: true }).events).toEqual(read(lines).events)
  })

  test('is told by the ends of calls without the file', () => {
    expect(said(read(lines, { alone: true }))).toEqual(
      rows.map((row) => (row === 'Allowed once' || row === 'Allowed for this run' ? 'Allowed' : row))
    )
  })

  test('is about the call, and its rows are linked to it', () => {
    const { folded, index } = read(lines)
    const calls = folded.filter(({ draft }) => draft.type === 'text').map(({ callId }) => callId)
    expect(calls).toEqual(['a', 'a', 'b', 'b', 'c', 'c'])
    const { pair, seq } = index.rows.columns(0, index.rows.rows)
    const rowOf = (wanted: number) => new Int32Array(seq).indexOf(wanted)
    const pairs = new Int32Array(pair)
    // The call, the ask, the decision, the result.
    expect([1, 2, 3, 4].map((wanted) => pairs[rowOf(wanted)])).toEqual([-1, rowOf(1), rowOf(1), rowOf(1)])
    expect(index.rows.resultsOf(rowOf(1))).toEqual([rowOf(4)])
  })

  test('that came too late gives no row', () => {
    const late = [started, turn, runs('a'), asks(0, 'a'), end('interrupted'), { sent: allowed }, resolved(0)]
    expect(said(read(late))).toEqual([
      'session.started',
      'tool.started',
      'Asked: touch a',
      'Withdrawn',
      'tool.completed',
      'turn.completed'
    ])
  })

  test('an answer is taken once', () => {
    const twice = [started, turn, runs('a'), asks(0, 'a'), { sent: allowed }, { sent: allowed }, resolved(0), ran('a')]
    expect(said(read(twice)).filter((row) => row.startsWith('Allowed'))).toEqual(['Allowed once'])
  })

  test('a number and its text are two ids', () => {
    const both = [started, turn, runs('a'), asks(0, 'a'), { sent: { id: '0', result: { decision: 'decline' } } }]
    expect(said(read(both))).toEqual(['session.started', 'tool.started', 'Asked: touch a'])
  })

  test.each([
    [{ decision: 'cancel' }, 'Refused'],
    [{ decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['touch'] } } }, 'Allowed from now on'],
    [
      { decision: { applyNetworkPolicyAmendment: { network_policy_amendment: { host: 'a', action: 'deny' } } } },
      'Refused'
    ],
    [{ decision: 'maybe' }, 'Answered'],
    [
      { answers: { runner: { answers: ['vitest', 'in Chromium'] }, why: { answers: [] } } },
      'Answered: vitest, in Chromium'
    ],
    [{ permissions: { network: { enabled: true } }, scope: 'session' }, 'Allowed for this run'],
    [{ permissions: { network: { enabled: true } }, scope: 'turn' }, 'Allowed once'],
    [{ permissions: {} }, 'Refused'],
    [{ action: 'accept', content: {} }, 'Allowed once'],
    [{ action: 'accept', _meta: { persist: 'session' } }, 'Allowed for this run'],
    [{ action: 'decline' }, 'Refused'],
    [{}, 'Answered'],
    [null, 'Answered']
  ])('%j is told as %s', (result, told) => {
    const lines = [started, turn, runs('a'), asks(0, 'a'), { sent: { id: 0, result } }]
    expect(said(read(lines)).at(-1)).toBe(told)
  })

  test('an error as answer is a refusal with its message', () => {
    const lines = [
      started,
      turn,
      runs('a'),
      asks(0, 'a'),
      { sent: { id: 0, error: { code: 1, message: 'No window' } } }
    ]
    expect(said(read(lines)).at(-1)).toBe('Refused: No window')
  })

  test('what is kept secret tells nothing, and the server says that it was answered', () => {
    const question = { id: 'key', question: 'The key?', isSecret: true }
    const params = { threadId: thread, turnId, itemId: 'q', questions: [question] }
    const lines = [
      ...[started, turn, { method: 'item/tool/requestUserInput', id: 0, params }, { sent: null }],
      ...[resolved(0), end('completed')]
    ]
    expect(said(read(lines))).toEqual(['session.started', 'Asked: The key?', 'Answered', 'turn.completed'])
  })

  test('is looked for beside a recording, under its name only', () => {
    const beside = (name: string) => codexAppServer.runFiles?.({ name, folders: [], records: [], modified: 0 }) ?? null
    const search = beside('stdout.jsonl')
    expect(beside('other.jsonl')).toBeNull()
    expect(['dialogue.jsonl', 'a/dialogue.jsonl', 'stderr.txt'].map((path) => search?.mayBelong(path))).toEqual([
      true,
      false,
      false
    ])
    const sent = { at: 1, after: 0, by: 'protocol', sent: null }
    expect(search?.linkOf({ path: 'dialogue.jsonl', records: [sent] })).toMatchObject({ parent: search?.key })
    expect(search?.linkOf({ path: 'dialogue.jsonl', records: [{ type: 'other' }] })).toBeNull()
  })
})

describe('facts beside the events', () => {
  const facts = (record: object) => codexAppServer.facts?.(asRecord(record), { type: 'tool.completed', toolId: 'a' })

  test('a command has its exit code and folder, and says that it was declined', () => {
    expect(facts(ran('a', { status: 'failed', exitCode: 2, cwd: '/home/ada' }))).toMatchObject({
      exitCode: 2,
      folder: '/home/ada',
      isDenied: false
    })
    expect(facts(ran('a', { status: 'declined', exitCode: null }))).toMatchObject({ isDenied: true })
  })

  test('changed files have their content, hunks and former names', () => {
    const changes = [
      { path: '/a', kind: { type: 'add' }, diff: 'new\n' },
      { path: '/b', kind: { type: 'delete' }, diff: 'old\n' },
      { path: '/c', kind: { type: 'update', move_path: '/d' }, diff: '@@ -1 +1 @@\n-x\n+y\n\n\nMoved to: /d' }
    ]
    const record = note('item/completed', { item: { type: 'fileChange', id: 'f', changes, status: 'completed' } })
    const hunks = '@@ -1 +1 @@\n-x\n+y\n'
    expect(facts(record)).toMatchObject({
      diffs: [{ path: '/c', created: false, patch: hunks }],
      files: [
        { path: '/a', what: 'written', text: 'new\n', created: true },
        { path: '/b', what: 'deleted' },
        { path: '/d', what: 'moved', from: '/c' },
        { path: '/d', what: 'patched', hunks, numbered: true }
      ]
    })
  })

  test('the session is that of the main thread', () => {
    const facts = (record: object) => codexAppServer.session?.facts(asRecord(record))
    expect(facts(started)).toEqual({ sessionId: thread, cwd: '/home/ada', model: 'gpt-5.5' })
    expect(facts(note('thread/started', { thread: { id: 'child', parentThreadId: thread } }))).toBeNull()
    expect(facts({ id: 1, result: { thread: { id: thread, gitInfo: { branch: 'ebb' } }, cwd: '/home/ada' } })).toEqual({
      sessionId: thread,
      branch: 'ebb'
    })
    expect(facts(note('thread/name/updated', { threadName: 'Tides' }))).toEqual({ title: 'Tides' })
  })
})

describe('cues for those who follow a run', () => {
  const cues = (record: object) => codexAppServer.liveCues?.(asRecord(record))

  test('an ask says what it is about', () => {
    expect(cues(asks(0, 'a'))).toEqual([
      {
        ...{ kind: 'permission', requestId: '0', toolId: 'a', toolName: 'command_execution', denied: false },
        ...{ input: { command: "/bin/bash -lc 'touch a'" }, message: 'May I?' }
      }
    ])
  })

  test('pieces of a text, the output of a command, the mode', () => {
    expect(cues(note('item/agentMessage/delta', { itemId: 'm', delta: 'Hel' }))).toMatchObject([
      { kind: 'piece', text: 'Hel' }
    ])
    expect(cues(note('item/commandExecution/outputDelta', { itemId: 'a', delta: '1\n' }))).toEqual([
      { kind: 'tool-output', toolId: 'a', text: '1\n' }
    ])
    const settings = { approvalPolicy: 'on-request', sandboxPolicy: { type: 'workspaceWrite' } }
    expect(cues(note('thread/settings/updated', { threadSettings: settings }))).toEqual([
      { kind: 'mode', mode: 'workspace-write' }
    ])
    expect(cues({ id: 2, result: { approvalPolicy: 'never', sandbox: { type: 'dangerFullAccess' } } })).toEqual([
      { kind: 'mode', mode: 'danger-full-access' }
    ])
  })
})

test('tokens that a thread tells as it goes on are not counted again', () => {
  const usage = (total: number, last: number) => {
    const counts = (inputTokens: number) => ({ inputTokens, outputTokens: 10, cachedInputTokens: 0 })
    return note('thread/tokenUsage/updated', { tokenUsage: { total: counts(total), last: counts(last) } })
  }
  const { index, events } = read([started, usage(900, 900), turn, usage(1500, 600), usage(1500, 600), end('completed')])
  expect([...index.requests].map(({ tokens }) => tokens.input)).toEqual([600])
  expect(events.at(-1)).toMatchObject({ usage: { input_tokens: 600, output_tokens: 0 } })
})

function asRecord(value: object): JsonObject {
  if (!isJsonObject(value)) throw new Error('no record')
  return value
}
