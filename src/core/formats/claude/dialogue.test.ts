import { describe, expect, test } from 'vitest'
import type { AgentNews } from '../../dialogue/agent-protocol.ts'
import type { Ask } from '../../dialogue/ask.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import { ClaudeDialogue } from './dialogue.ts'
import { claudeProgram } from './program.ts'

const start = {
  ...{ cwd: '/p', model: null, mode: 'default', resume: null, version: '1.0.0' },
  uuid: '7b0cf8a5-5a0f-4a35-9f0e-1d1f0c7f2f11'
}

function asked(request: JsonObject, protocol = new ClaudeDialogue(start)): Ask {
  const { news, replies } = protocol.read({ type: 'control_request', request_id: 'r1', request })
  expect(replies).toEqual([])
  const [first] = news
  if (first?.kind !== 'asked') throw new Error('nothing was asked')
  return { ...first.ask, since: 0 }
}

const bash = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'touch a' }, tool_use_id: 't1' }
const rule = (more: JsonObject = {}): JsonObject => ({
  ...{ type: 'addRules', behavior: 'allow', destination: 'localSettings' },
  ...{ rules: [{ toolName: 'Bash', ruleContent: 'touch *' }], ...more }
})

/** What is sent to allow it for the run. */
function granted(permission_suggestions: JsonValue): { scopes: string[]; sent: unknown } {
  const protocol = new ClaudeDialogue(start)
  const ask = asked({ ...bash, permission_suggestions }, protocol)
  const [line] = protocol.answer(ask, { allow: 'run' }) as { response: { response: { updatedPermissions: unknown } } }[]
  return { scopes: ask.scopes, sent: line?.response.response.updatedPermissions }
}

describe('"Allow for this run"', () => {
  test('is what the agent suggests, for this session only, and said before', () => {
    const directories = { type: 'addDirectories', directories: ['/p/build'], destination: 'userSettings' }
    const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }
    const all = granted([rule(), rule({ rules: [{ toolName: 'Write' }] }), directories, mode])
    expect(all.scopes).toEqual([
      'Bash(touch *)',
      'all calls of Write',
      'files in /p/build',
      'Accept all edits from now on (mode)'
    ])
    expect((all.sent as JsonObject[]).map(({ type, destination }) => [type, destination])).toEqual([
      ['addRules', 'session'],
      ['addRules', 'session'],
      ['addDirectories', 'session'],
      ['setMode', 'session']
    ])
  })

  test('members that were not said are not sent', () => {
    const { sent } = granted([rule({ alsoForEver: true })])
    expect(JSON.stringify(sent)).not.toContain('alsoForEver')
  })

  test.each([
    ['a mode that asks nothing', [rule(), { type: 'setMode', mode: 'bypassPermissions', destination: 'session' }]],
    ['a kind that is not known', [rule(), { type: 'somethingNew' }]],
    ['a rule that refuses', [rule({ behavior: 'deny' })]],
    ['no suggestion', []],
    ['no list', 'all']
  ])('is not offered for %s', (_, suggestions) => {
    expect(asked({ ...bash, permission_suggestions: suggestions as JsonValue }).scopes).toEqual([])
  })

  test('is not offered where the agent says so', () => {
    expect(asked({ ...bash, permission_suggestions: [rule()], suppress_always_allow_rule: true }).scopes).toEqual([])
  })
})

describe('asks', () => {
  test('a call of a subagent belongs to the call that started it', () => {
    const protocol = new ClaudeDialogue(start)
    protocol.read({ type: 'system', subtype: 'task_started', task_id: 'a1', tool_use_id: 'toolu_1' })
    expect(asked({ ...bash, agent_id: 'a1' }, protocol)).toMatchObject({ trackId: 'toolu_1', toolId: 't1' })
    expect(asked({ ...bash, agent_id: 'a2' })).toMatchObject({ trackId: 'a2' })
  })

  test('the input is sent back as it came, whatever its names are', () => {
    const input = JSON.parse('{"__proto__":{"a":1},"constructor":"b","command":"touch a"}') as JsonObject
    const protocol = new ClaudeDialogue(start)
    const [line] = protocol.answer(asked({ ...bash, input }, protocol), { allow: 'once' })
    expect(JSON.stringify(line)).toContain('"updatedInput":{"__proto__":{"a":1},"constructor":"b","command":"touch a"}')
  })

  test('answers to questions that are names of objects', () => {
    const question = { question: '__proto__', options: [{ label: 'a' }] }
    const protocol = new ClaudeDialogue(start)
    const ask = asked({ ...bash, tool_name: 'AskUserQuestion', input: { questions: [question] } }, protocol)
    const [line] = protocol.answer(ask, { answers: [{ id: '__proto__', choices: ['a'], text: null }] })
    expect(JSON.stringify(line)).toContain('"answers":{"__proto__":"a"}')
  })

  test.each([
    ['two questions of one text', { questions: [1, 2].map(() => ({ question: 'Which?', options: [] })) }],
    ['no question', { questions: [] }],
    ['another form', { ask: 'Which?' }]
  ])('%s is shown raw', (_, input) => {
    expect(asked({ ...bash, tool_name: 'AskUserQuestion', input }).kind).toBe('unknown')
  })

  test('an input that is too deep to be sent back can only be refused', () => {
    let deep: JsonValue = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    const ask = asked({ ...bash, input: { deep } })
    expect(ask.kind).toBe('unknown')
    expect(() => JSON.stringify(ask)).not.toThrow()
  })

  test('a second request with the id of an open one is not asked, and changes nothing of it', () => {
    const protocol = new ClaudeDialogue(start)
    const ask = asked({ ...bash, permission_suggestions: [rule()] }, protocol)
    const other = { ...bash, permission_suggestions: [rule({ rules: [{ toolName: 'Bash' }] })] }
    expect(protocol.read({ type: 'control_request', request_id: 'r1', request: other }).news).toEqual([])
    expect(JSON.stringify(protocol.answer(ask, { allow: 'run' }))).toContain('touch *')
  })

  test('a request without an id is told', () => {
    const { news } = new ClaudeDialogue(start).read({ type: 'control_request', request: bash })
    expect(news).toMatchObject([{ kind: 'trouble' }])
  })
})

describe('prompts', () => {
  const kinds = (news: readonly AgentNews[]): string[] => news.map(({ kind }) => kind)
  const lifecycle = (uuid: JsonValue | undefined, state: string): JsonObject => ({
    ...{ type: 'command_lifecycle', command_uuid: uuid, state }
  })
  const end = { type: 'result', subtype: 'success', total_cost_usd: 1 }

  test('each has an id of its own, in every run', () => {
    const [one] = new ClaudeDialogue(start).prompt({ id: 'p1', text: 'a' })
    const [two] = new ClaudeDialogue(start).prompt({ id: 'p258', text: 'a' })
    expect([one?.['uuid'], two?.['uuid']]).toEqual([
      '7b0cf8a5-5a0f-4a35-9f0e-000000000001',
      '7b0cf8a5-5a0f-4a35-9f0e-000000000102'
    ])
  })

  test('one that waits in the agent begins its next turn', () => {
    const protocol = new ClaudeDialogue(start)
    const [first] = protocol.prompt({ id: 'p1', text: 'a' })
    for (const state of ['queued', 'started']) protocol.read(lifecycle(first?.['uuid'], state))
    const [second] = protocol.prompt({ id: 'p2', text: 'b' })
    protocol.read(lifecycle(second?.['uuid'], 'queued'))
    expect(protocol.read(end).news).toContainEqual({ kind: 'turn-over', outcome: 'done', message: null, next: true })
    expect(kinds(protocol.read(lifecycle(second?.['uuid'], 'started')).news)).toEqual(['turn-started'])
    expect(protocol.read(end).news).toContainEqual({ kind: 'turn-over', outcome: 'done', message: null, next: false })
  })

  test('an interrupt takes back what was not read', () => {
    const protocol = new ClaudeDialogue(start)
    protocol.prompt({ id: 'p1', text: 'a' })
    expect(protocol.interrupt()).toMatchObject([{ request: { subtype: 'interrupt' } }])
    const [second] = protocol.prompt({ id: 'p2', text: 'b' })
    expect(protocol.interrupt()).toMatchObject([{ request: { subtype: 'interrupt', cancel_queued: true } }])
    const { news } = protocol.read(lifecycle(second?.['uuid'], 'cancelled'))
    expect(news).toEqual([{ kind: 'prompt-dropped', prompt: 'p2' }])
    // Of one that was read, the word means that its turn was interrupted.
    expect(protocol.read(lifecycle(second?.['uuid'], 'cancelled')).news).toEqual([])
  })
})

describe('what a session that goes on has cost before', () => {
  test('is not of this run', () => {
    const protocol = new ClaudeDialogue({ ...start, resume: 's0' })
    expect(protocol.start().map((line) => (line['request'] as JsonObject)['subtype'])).toEqual([
      'initialize',
      'get_usage'
    ])
    const session = { total_cost_usd: 2, model_usage: { m: { inputTokens: 100, outputTokens: 10 } } }
    const response = { subtype: 'success', request_id: 'ph-2', response: { session } }
    expect(protocol.read({ type: 'control_response', response }).news).toEqual([])
    const modelUsage = { m: { inputTokens: 150, outputTokens: 20 } }
    const { news } = protocol.read({ type: 'result', subtype: 'success', total_cost_usd: 2.5, modelUsage })
    expect(news).toContainEqual({ kind: 'spent', usd: 0.5, tokens: 60 })
  })

  test('an agent that does not tell it', () => {
    const protocol = new ClaudeDialogue({ ...start, resume: 's0' })
    protocol.start()
    const response = { subtype: 'error', request_id: 'ph-2', error: 'No' }
    expect(protocol.read({ type: 'control_response', response }).news).toEqual([])
    expect(protocol.read({ type: 'result', subtype: 'success', total_cost_usd: 2.5 }).news).toContainEqual({
      ...{ kind: 'spent', usd: 2.5, tokens: null }
    })
  })
})

test('the arguments of a run that is talked to', () => {
  const request = {
    model: null,
    mode: 'plan',
    extraArguments: [],
    resumes: null,
    costLimitUsd: null,
    mayBecomeDangerous: false
  }
  const setting = { hook: null, isRoot: true, variables: {} }
  const { dialogue } = claudeProgram
  expect(dialogue.arguments(request, setting).join(' ')).toBe(
    '--input-format stream-json --permission-prompt-tool stdio --replay-user-messages -p --output-format stream-json --verbose --permission-mode plan'
  )
  const more = dialogue.arguments({ ...request, costLimitUsd: 1.5, mayBecomeDangerous: true }, setting)
  expect(more.join(' ')).toContain('--allow-dangerously-skip-permissions --max-budget-usd 3 ')
  expect(dialogue.environment({ ...request, mayBecomeDangerous: true }, setting)).toMatchObject({ IS_SANDBOX: '1' })
  const resumed = dialogue.arguments({ ...request, resumes: { session: 's0' }, costLimitUsd: 1.5 }, setting)
  expect(resumed.join(' ')).toContain('--resume s0')
  expect(resumed).not.toContain('--max-budget-usd')
})
