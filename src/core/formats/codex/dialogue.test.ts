import { describe, expect, test } from 'vitest'
import type { AgentNews } from '../../dialogue/agent-protocol.ts'
import type { Ask } from '../../dialogue/ask.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import { CodexDialogue } from './dialogue.ts'
import { codexProgram } from './program.ts'

const start = {
  ...{ cwd: '/p', model: null, mode: 'read-only', resume: null, version: '1.0.0' },
  uuid: '7b0cf8a5-5a0f-4a35-9f0e-1d1f0c7f2f11'
}

/** With its thread open. */
function opened(more: Partial<typeof start> = {}): CodexDialogue {
  const protocol = new CodexDialogue({ ...start, ...more })
  protocol.start()
  protocol.read({ id: 1, result: {} })
  protocol.read({ id: 2, result: { thread: { id: 's1' } } })
  return protocol
}

const ids = { threadId: 's1', turnId: 'turn1', itemId: 'i1' }

function asked(protocol: CodexDialogue, method: string, params: JsonObject, id: JsonValue = 0): Ask {
  const { news, replies } = protocol.read({ id, method, params })
  expect(replies).toEqual([])
  const [first] = news
  if (first?.kind !== 'asked') throw new Error('nothing was asked')
  return { ...first.ask, since: 0 }
}

const item = (type: string, more: JsonObject = {}, method = 'item/started'): JsonObject => ({
  ...{ method, params: { threadId: 's1', item: { type, id: 'i1', ...more } } }
})
const change = { path: '/p/a', kind: { type: 'add' }, diff: 'a\n' }

describe('asks', () => {
  test('questions that are nested too deeply can only be refused', () => {
    let deep: JsonValue = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    const questions = [{ id: 'q', question: 'Which?', deep }]
    const ask = asked(opened(), 'item/tool/requestUserInput', { ...ids, questions })
    expect(ask.kind).toBe('unknown')
    expect(() => JSON.stringify(ask)).not.toThrow()
  })

  test('a change shows the files that it is about; without them it can only be refused', () => {
    const protocol = opened()
    protocol.read(item('fileChange', { changes: [change] }))
    expect(asked(protocol, 'item/fileChange/requestApproval', ids)).toMatchObject({
      ...{ kind: 'tool', tool: 'file_change', input: { changes: [change] }, scopes: ['changes of /p/a'] }
    })
    for (const changes of [null, [], [{ kind: 'add' }], 'all']) {
      const blind = opened()
      blind.read(item('fileChange', { changes }))
      expect(asked(blind, 'item/fileChange/requestApproval', ids).kind).toBe('unknown')
    }
  })

  test('a folder that is granted is said', () => {
    const protocol = opened()
    protocol.read(item('fileChange', { changes: [change] }))
    const ask = asked(protocol, 'item/fileChange/requestApproval', { ...ids, grantRoot: '/' })
    expect(ask.scopes).toEqual(['all changes in /'])
    expect(ask.input).toMatchObject({ grantRoot: '/' })
  })

  test('all that a command asks for is shown', () => {
    const additionalPermissions = { network: { enabled: true } }
    const params = { ...ids, command: 'curl a', cwd: '/p', reason: 'Why', additionalPermissions }
    expect(asked(opened(), 'item/commandExecution/requestApproval', params)).toMatchObject({
      ...{ kind: 'tool', tool: 'command_execution', folder: '/p', reason: 'Why', toolId: 'i1', trackId: null },
      ...{ input: { command: 'curl a', additionalPermissions }, scopes: ['this command again: curl a'] }
    })
    const network = { ...ids, networkApprovalContext: { host: 'example.com', protocol: 'https' } }
    expect(asked(opened(), 'item/commandExecution/requestApproval', network).scopes).toEqual([
      'all connections to example.com'
    ])
  })

  test.each([
    ['a command of an unknown kind', 'item/commandExecution/requestApproval', { ...ids, kind: 'new', command: 'a' }],
    ['nothing to run', 'item/commandExecution/requestApproval', ids],
    ['no permissions', 'item/permissions/requestApproval', { ...ids, permissions: {} }],
    [
      'a form of a server',
      'mcpServer/elicitation/request',
      { threadId: 's1', serverName: 'x', message: 'Who?', requestedSchema: { properties: { name: {} } } }
    ],
    ['an older request', 'applyPatchApproval', { callId: 'c' }]
  ])('%s is shown raw', (_, method, params) => {
    const protocol = opened()
    const ask = asked(protocol, method, params as JsonObject)
    expect(ask).toMatchObject({ kind: 'unknown', input: { method, params } })
    expect(protocol.answer(ask, { refuse: 'No', endTurn: false })).toEqual([
      { id: 0, error: { code: -32000, message: 'No' } }
    ])
  })

  test('permissions are given for the turn or the session, or not at all', () => {
    const permissions = { network: { enabled: true } }
    const answers = [{ allow: 'once' }, { allow: 'run' }, { refuse: '', endTurn: false }] as const
    const results = answers.map((answer) => {
      const protocol = opened()
      const ask = asked(protocol, 'item/permissions/requestApproval', { ...ids, permissions })
      return protocol.answer(ask, answer)[0]?.['result']
    })
    expect(results).toEqual([
      { permissions, scope: 'turn' },
      { permissions, scope: 'session' },
      { permissions: {}, scope: 'turn' }
    ])
  })

  test("a server's tool asks whether it may run", () => {
    const protocol = opened()
    const params = {
      threadId: 's1',
      serverName: 'x',
      mode: 'form',
      message: 'Run it?',
      requestedSchema: { properties: {} }
    }
    const ask = asked(protocol, 'mcpServer/elicitation/request', params)
    expect(ask).toMatchObject({ kind: 'tool', tool: 'x', input: { message: 'Run it?' }, scopes: [] })
    expect(protocol.answer(ask, { allow: 'once' })).toEqual([{ id: 0, result: { action: 'accept', content: {} } }])
  })

  test('a subagent asks in a thread of its own; ids are texts or numbers', () => {
    const ask = asked(opened(), 'item/commandExecution/requestApproval', { ...ids, threadId: 's2', command: 'a' }, '0')
    expect(ask).toMatchObject({ trackId: 's2', id: '"0"' })
    expect(opened().read({ id: {}, method: 'item/commandExecution/requestApproval', params: ids }).news).toMatchObject([
      { kind: 'trouble' }
    ])
  })
})

describe('turns', () => {
  const over = (turn: string, status = 'completed'): JsonObject => ({
    ...{ method: 'turn/completed', params: { threadId: 's1', turn: { id: turn, status } } }
  })
  const turnOver = (next: boolean, outcome = 'done'): AgentNews =>
    ({ kind: 'turn-over', outcome, message: null, next }) as AgentNews

  test('a prompt that comes too late for its turn begins the next one', () => {
    const protocol = opened()
    protocol.prompt({ id: 'p1', text: 'a' })
    protocol.read({ id: 3, result: { turn: { id: 'turn1' } } })
    protocol.prompt({ id: 'p2', text: 'b' })
    expect(protocol.read(over('turn1')).news).toEqual([turnOver(true)])
    expect(protocol.read({ id: 4, result: { turn: { id: 'turn2' } } }).news).toEqual([{ kind: 'turn-started' }])
    expect(protocol.read(over('turn2')).news).toEqual([turnOver(false)])
  })

  test('a turn that ends before the answer to its prompt', () => {
    const protocol = opened()
    protocol.prompt({ id: 'p1', text: 'a' })
    protocol.read({ method: 'turn/started', params: { threadId: 's1', turn: { id: 'turn1' } } })
    expect(protocol.read(over('turn1')).news).toEqual([turnOver(true)])
    expect(protocol.read({ id: 3, result: { turn: { id: 'turn1' } } }).news).toEqual([turnOver(false)])
  })

  test('a prompt that is refused ends a turn that never was', () => {
    const protocol = opened()
    protocol.prompt({ id: 'p1', text: 'a' })
    expect(protocol.read({ id: 3, error: { message: 'No' } }).news).toEqual([
      { kind: 'turn-over', outcome: 'failed', message: 'No', next: false }
    ])
  })

  test('an interrupt before the turn has a name waits for it', () => {
    const protocol = opened()
    protocol.prompt({ id: 'p1', text: 'a' })
    expect(protocol.interrupt([])).toEqual([])
    expect(protocol.read({ id: 3, result: { turn: { id: 'turn1' } } }).replies).toMatchObject([
      { method: 'turn/interrupt', params: { turnId: 'turn1' } }
    ])
  })

  test('commands of an interrupted turn are ended, and only those', () => {
    const protocol = opened()
    const turn = (id: number): void => {
      protocol.prompt({ id: 'p1', text: 'a' })
      protocol.read({ id, result: { turn: { id: 'turn1' } } })
      protocol.read(item('commandExecution'))
    }
    turn(3)
    expect(protocol.read(over('turn1')).replies).toEqual([])
    turn(4)
    protocol.interrupt([])
    const { replies } = protocol.read(over('turn1', 'interrupted'))
    expect(replies).toMatchObject([{ method: 'thread/backgroundTerminals/clean', params: { threadId: 's1' } }])
    const refused = protocol.read({ id: replies[0]?.['id'], error: { message: 'experimental' } })
    expect(refused.news).toEqual([
      { kind: 'trouble', message: 'Commands of the interrupted turn may still run: experimental' }
    ])
    turn(7)
    protocol.read(item('commandExecution', {}, 'item/completed'))
    protocol.interrupt([])
    expect(protocol.read(over('turn1', 'interrupted')).replies).toEqual([])
  })

  test('threads of subagents and old turns end nothing', () => {
    const protocol = opened()
    protocol.prompt({ id: 'p1', text: 'a' })
    protocol.read({ id: 3, result: { turn: { id: 'turn1' } } })
    const other = { method: 'turn/completed', params: { threadId: 's2', turn: { id: 'turn1' } } }
    expect([protocol.read(other).news, protocol.read(over('turn0')).news]).toEqual([[], []])
  })

  test('a mode goes with the next prompt, once', () => {
    const protocol = opened()
    expect(protocol.setMode('danger-full-access')).toEqual([])
    expect(protocol.prompt({ id: 'p1', text: 'a' })).toMatchObject([
      { params: { approvalPolicy: 'never', sandboxPolicy: { type: 'dangerFullAccess' } } }
    ])
    const [line] = protocol.prompt({ id: 'p2', text: 'b' })
    expect(Object.keys(line?.['params'] ?? {})).toEqual(['threadId', 'input'])
    const threadSettings = { approvalPolicy: 'never', sandboxPolicy: { type: 'dangerFullAccess' } }
    const told = { method: 'thread/settings/updated', params: { threadId: 's1', threadSettings } }
    expect(protocol.read(told).news).toEqual([{ kind: 'mode', mode: 'danger-full-access' }])
  })

  test('tokens of turns before this process do not count', () => {
    const protocol = opened()
    const spent = (totalTokens: number): JsonObject => ({
      method: 'thread/tokenUsage/updated',
      params: { threadId: 's1', tokenUsage: { total: { totalTokens: 9999 }, last: { totalTokens } } }
    })
    expect(protocol.read(spent(500)).news).toEqual([])
    protocol.read({ method: 'turn/started', params: { threadId: 's1', turn: { id: 'turn1' } } })
    protocol.read(spent(10))
    expect(protocol.read(spent(20)).news).toEqual([{ kind: 'spent', usd: null, tokens: 30 }])
  })
})

test('a session that is gone', () => {
  const protocol = new CodexDialogue({ ...start, resume: 's0' })
  protocol.start()
  const { replies } = protocol.read({ id: 1, result: {} })
  expect(replies).toMatchObject([
    { method: 'initialized' },
    {
      method: 'thread/resume',
      params: { threadId: 's0', cwd: '/p', approvalPolicy: 'on-request', sandbox: 'read-only' }
    }
  ])
  expect(protocol.read({ id: 2, error: { message: 'no rollout found' } }).news).toEqual([
    { kind: 'handshake-failed', message: 'no rollout found', gone: true }
  ])
})

test('the arguments of a run that is talked to', () => {
  const request = {
    model: 'm',
    mode: null,
    extraArguments: ['-c', 'a=1'],
    resumes: { session: 's0' },
    costLimitUsd: 1,
    mayBecomeDangerous: false
  }
  const setting = { hook: null, isRoot: false, variables: {} }
  expect(codexProgram.dialogue.arguments(request, setting).join(' ')).toBe(
    'app-server -c tools.update_plan.enabled=true -c a=1'
  )
})
