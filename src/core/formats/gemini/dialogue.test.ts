import { describe, expect, test } from 'vitest'
import type { Ask } from '../../dialogue/ask.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import { GeminiDialogue } from './dialogue.ts'
import { geminiProgram } from './program.ts'

const start = {
  ...{ cwd: '/p', model: null, mode: 'default', version: '1.0.0' },
  uuid: '7b0cf8a5-5a0f-4a35-9f0e-1d1f0c7f2f11'
}
const rpc = (line: JsonObject): JsonObject => ({ jsonrpc: '2.0', ...line })

/** With its session open, and a prompt sent. */
function prompted(): GeminiDialogue {
  const protocol = new GeminiDialogue({ ...start, resume: null })
  protocol.start()
  protocol.read(rpc({ id: 1, result: {} }))
  protocol.read(rpc({ id: 2, result: { sessionId: 's1', modes: { currentModeId: 'default' } } }))
  protocol.prompt({ id: 'p1', text: 'a' })
  return protocol
}

const options = ['proceed_always', 'proceed_once', 'cancel'].map((optionId) => ({
  optionId,
  name: optionId,
  kind: 'x'
}))

function request(toolCall: JsonObject, more: JsonObject = {}): JsonObject {
  const call = { toolCallId: 'run_shell_command__run_shell_command_17_0', ...toolCall }
  return rpc({
    id: 0,
    method: 'session/request_permission',
    params: { sessionId: 's1', options, toolCall: call, ...more }
  })
}

function asked(record: JsonValue, protocol = prompted()): Ask {
  const { news, replies } = protocol.read(record)
  expect(replies).toEqual([])
  const [first] = news
  if (first?.kind !== 'asked') throw new Error('nothing was asked')
  return { ...first.ask, since: 0 }
}

const command = (title: string): JsonObject => ({ title, kind: 'execute' })

describe('asks', () => {
  test('a command with its folder and its reason', () => {
    const text = '[current working directory /p] (Make the folder.)'
    const ask = asked(
      request({ ...command('mkdir a'), content: [{ type: 'content', content: { type: 'text', text } }] })
    )
    expect(ask).toMatchObject({
      ...{ kind: 'tool', tool: 'run_shell_command', input: { command: 'mkdir a' }, folder: '/p' },
      ...{ reason: 'Make the folder.', scopes: ['all mkdir commands'], id: '0' }
    })
  })

  test('a change with its texts', () => {
    const edit = (oldText: string): JsonObject => ({
      ...{ toolCallId: 'replace__replace_17_0', title: 'Edit a', kind: 'edit' },
      content: [{ type: 'diff', path: '/p/a', oldText, newText: 'new' }]
    })
    expect(asked(request(edit('old')))).toMatchObject({
      ...{ tool: 'replace', input: { file_path: '/p/a', old_string: 'old', new_string: 'new' } },
      ...{ scopes: ['Accept all edits from now on (mode)'] }
    })
    expect(asked(request(edit(''))).input).toEqual({ file_path: '/p/a', content: 'new' })
  })

  test.each([
    ['touch a', ['all touch commands']],
    ['cd /p && ./gradlew test | tee log', ['all cd commands', 'all gradlew commands', 'all tee commands']],
    // Never less than what is allowed: the agent remembers the first word.
    ['sudo rm -r a', ['all sudo commands']],
    ["bash -c 'rm a'", ['all bash commands']],
    ['echo $(whoami)', ['all echo commands', 'all whoami commands']],
    ['$TOOL a', []],
    ['', []]
  ])('what "for this run" covers of %s', (title, scopes) => {
    expect(asked(request(command(title))).scopes.toSorted()).toEqual([...scopes].toSorted())
  })

  test('of other tools nothing is promised', () => {
    expect(asked(request({ title: 'Fetch', kind: 'fetch' })).scopes).toEqual([])
    const lasting = {
      options: [...options.slice(1), { optionId: 'proceed_always_and_save', name: 'Always', kind: 'x' }]
    }
    expect(asked(request(command('touch a'), lasting)).scopes).toEqual([])
  })

  test('without the options that are known, it is shown raw and can only be refused', () => {
    const protocol = prompted()
    const ask = asked(
      request(command('touch a'), { options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] }),
      protocol
    )
    expect(ask.kind).toBe('unknown')
    expect(protocol.answer(ask, { refuse: 'No', endTurn: false })).toEqual([
      rpc({ id: 0, error: { code: -32000, message: 'No' } })
    ])
  })
})

describe('a session that goes on', () => {
  function loading(): GeminiDialogue {
    const protocol = new GeminiDialogue({ ...start, resume: 's0' })
    protocol.start()
    const { replies } = protocol.read(rpc({ id: 1, result: {} }))
    expect(replies).toMatchObject([{ method: 'session/load', params: { sessionId: 's0', cwd: '/p' } }])
    return protocol
  }

  test('is printed again, and nothing that is asked there counts', () => {
    const protocol = loading()
    const old = [
      rpc({ method: 'session/update', params: { update: { sessionUpdate: 'tool_call', status: 'completed' } } }),
      rpc({
        method: 'session/update',
        params: { update: { sessionUpdate: 'current_mode_update', currentModeId: 'yolo' } }
      })
    ]
    for (const record of old) expect(protocol.read(record)).toEqual({ news: [], replies: [] })
    expect(protocol.read(request(command('touch a')))).toEqual({
      ...{ news: [], replies: [rpc({ id: 0, result: { outcome: { outcome: 'cancelled' } } })] }
    })
    expect(protocol.read(rpc({ id: 2, result: { modes: { currentModeId: 'default' } } })).news).toEqual([
      { kind: 'session', session: 's0' },
      { kind: 'ready' }
    ])
    expect(protocol.read(request(command('touch a'))).news).toEqual([])
    protocol.prompt({ id: 'p1', text: 'a' })
    expect(asked(request(command('touch a')), protocol).kind).toBe('tool')
  })

  test('in another mode than the person chose, gets that one first', () => {
    const protocol = loading()
    const { news, replies } = protocol.read(rpc({ id: 2, result: { modes: { currentModeId: 'yolo' } } }))
    expect(news).toEqual([{ kind: 'session', session: 's0' }])
    expect(replies).toMatchObject([{ method: 'session/set_mode', params: { sessionId: 's0', modeId: 'default' } }])
    expect(protocol.read(rpc({ id: 3, result: {} })).news).toEqual([{ kind: 'ready' }])
  })

  test('or is gone', () => {
    const { news } = loading().read(
      rpc({ id: 2, error: { message: 'Internal error', data: { details: 'No session' } } })
    )
    expect(news).toEqual([{ kind: 'handshake-failed', message: 'No session', gone: true }])
  })
})

describe('turns', () => {
  test('tokens are of all turns of this process', () => {
    const protocol = prompted()
    const result = { stopReason: 'end_turn', _meta: { quota: { token_count: { input_tokens: 10, output_tokens: 2 } } } }
    expect(protocol.read(rpc({ id: 3, result })).news).toEqual([
      { kind: 'spent', usd: null, tokens: 12 },
      { kind: 'turn-over', outcome: 'done', message: null, next: false }
    ])
    protocol.prompt({ id: 'p2', text: 'b' })
    expect(protocol.read(rpc({ id: 4, result })).news).toContainEqual({ kind: 'spent', usd: null, tokens: 24 })
  })

  test.each([
    [{ result: { stopReason: 'max_tokens' } }, 'It ended with “max_tokens”.'],
    [{ error: { message: 'Quota' } }, 'Quota']
  ])('%o fails', (end, message) => {
    expect(prompted().read(rpc({ id: 3, ...end })).news).toEqual([
      { kind: 'turn-over', outcome: 'failed', message, next: false }
    ])
  })

  test('a mode is refused, or taken by its own name', () => {
    const protocol = prompted()
    expect(protocol.setMode('auto_edit')).toMatchObject([{ id: 4, params: { modeId: 'autoEdit' } }])
    expect(protocol.read(rpc({ id: 4, result: {} })).news).toEqual([{ kind: 'mode', mode: 'auto_edit' }])
    protocol.setMode('yolo')
    expect(protocol.read(rpc({ id: 5, error: { message: 'No' } })).news).toEqual([
      { kind: 'mode-refused', message: 'No' }
    ])
    const update = { sessionUpdate: 'current_mode_update', currentModeId: 'autoEdit' }
    expect(protocol.read(rpc({ method: 'session/update', params: { update } })).news).toEqual([
      { kind: 'mode', mode: 'auto_edit' }
    ])
  })
})

test('the arguments of a run that is talked to', () => {
  const request = {
    ...{ model: 'gemini-2.5-pro', mode: 'auto_edit', extraArguments: ['--debug'], resumes: { session: 's0' } },
    ...{ costLimitUsd: null, mayBecomeDangerous: false }
  }
  const setting = { hook: null, isRoot: false, variables: {} }
  expect(geminiProgram.dialogue.arguments(request, setting).join(' ')).toBe(
    '--acp --model gemini-2.5-pro --approval-mode auto_edit --allowed-tools=write_todos --debug'
  )
})
