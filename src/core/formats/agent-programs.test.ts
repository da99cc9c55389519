import { describe, expect, test } from 'vitest'
import { type AgentId, agentIds, type RunRequest } from '#contract/live-runs.ts'
import { formatById } from '#core/formats/registry.ts'
import { agentPrograms, dangerText, reservedIn } from './agent-programs.ts'

const request = (agent: AgentId, over: Partial<RunRequest> = {}): RunRequest => ({
  ...{
    agent,
    prompt: 'Count the geese.',
    cwd: '/',
    model: null,
    mode: null,
    extraArguments: [],
    timeLimitMs: null,
    resumes: null
  },
  ...over
})
const nothing = { hook: null, isRoot: false, variables: {} }
const argumentsOf = (agent: AgentId, over: Partial<RunRequest> = {}): string =>
  agentPrograms[agent].arguments(request(agent, over), nothing).join(' ')

describe('an agent is started', () => {
  test('so that it prints its log, in the mode in which it can do least', () => {
    expect(argumentsOf('claude')).toBe('-p --output-format stream-json --verbose --permission-mode default')
    expect(argumentsOf('codex')).toBe(
      'exec --json --sandbox read-only -c tools.update_plan.enabled=true --skip-git-repo-check -'
    )
    expect(argumentsOf('gemini')).toBe('--output-format stream-json --approval-mode default')
  })

  test('with the model, the mode and the arguments of the person, and never with the prompt', () => {
    const over = { model: 'm', extraArguments: ['--add-dir', '/a b'] }
    expect(argumentsOf('claude', { ...over, mode: 'plan' })).toBe(
      '-p --output-format stream-json --verbose --model m --permission-mode plan --add-dir /a b'
    )
    expect(argumentsOf('codex', { ...over, mode: 'workspace-write' })).toBe(
      'exec --json --model m --sandbox workspace-write -c tools.update_plan.enabled=true --add-dir /a b --skip-git-repo-check -'
    )
    expect(argumentsOf('gemini', { ...over, mode: 'auto_edit' })).toBe(
      '--output-format stream-json --model m --approval-mode auto_edit --add-dir /a b'
    )
  })

  test('to go on with a session, behind which no list of arguments can reach', () => {
    const resumes = { session: 's-1', run: null }
    expect(argumentsOf('claude', { resumes })).toBe(
      '-p --output-format stream-json --verbose --resume s-1 --permission-mode default'
    )
    expect(argumentsOf('codex', { resumes, extraArguments: ['--image', 'a.png'] })).toBe(
      'exec --json --sandbox read-only -c tools.update_plan.enabled=true --image a.png --skip-git-repo-check resume s-1 -'
    )
    expect(argumentsOf('gemini', { resumes })).toBe('--output-format stream-json --resume s-1 --approval-mode default')
  })

  test('in a mode that is said once, since twice is refused', () => {
    expect(argumentsOf('claude', { extraArguments: ['--permission-mode=plan'] })).not.toContain('default')
    for (const own of [['-s', 'workspace-write'], ['-sread-only'], ['--full-auto'], ['--yolo']])
      expect(argumentsOf('codex', { extraArguments: own }), own.join(' ')).not.toContain('--sandbox')
    for (const own of [['--approvalMode=auto_edit'], ['-y'], ['--yolo']])
      expect(argumentsOf('gemini', { extraArguments: own }), own.join(' ')).not.toContain('--approval-mode')
    expect(argumentsOf('codex', { extraArguments: ['--skip-git-repo-check'] }).match(/--skip-git/g)).toHaveLength(1)
  })

  test('with its todo tools, unless a person has it otherwise', () => {
    const claude = (variables: NodeJS.ProcessEnv) =>
      agentPrograms.claude.environment(request('claude'), { ...nothing, variables })['CLAUDE_CODE_ENABLE_TODO_TOOLS']
    expect([claude({}), claude({ CLAUDE_CODE_ENABLE_TODO_TOOLS: '0' })]).toEqual(['1', '0'])
    const off = ['-c', 'tools.update_plan.enabled=false']
    expect(argumentsOf('codex', { extraArguments: off })).toMatch(
      /enabled=true -c tools\.update_plan\.enabled=false --skip-git-repo-check -$/
    )
    const model = 'gemini-2.5-pro'
    expect(argumentsOf('gemini', { model })).toMatch(/ --allowed-tools=write_todos$/)
    for (const over of [{}, { model: 'gemini-3-pro' }, { model, extraArguments: ['--allowed-tools', 'read_file'] }])
      expect(argumentsOf('gemini', over)).not.toContain('write_todos')
  })

  test('with what its program needs around it', () => {
    const environment = (agent: AgentId, over: Partial<RunRequest>, isRoot: boolean) =>
      agentPrograms[agent].environment(request(agent, over), { ...nothing, isRoot })
    expect(environment('gemini', {}, false)).toEqual({ GEMINI_CLI_NO_RELAUNCH: 'true' })
    const skipping: Partial<RunRequest>[] = [
      { mode: 'bypassPermissions' },
      { extraArguments: ['--dangerously-skip-permissions'] }
    ]
    for (const over of skipping) {
      expect(environment('claude', over, true)).toHaveProperty('IS_SANDBOX', '1')
      expect(environment('claude', over, false)).not.toHaveProperty('IS_SANDBOX')
    }
    expect(environment('claude', {}, true)).not.toHaveProperty('IS_SANDBOX')
  })
})

test('every agent has a format that is there, and refuses what would have it print something else', () => {
  for (const agent of agentIds) expect(formatById(agentPrograms[agent].format)?.id).toBe(agentPrograms[agent].format)
  const reserved = (agent: AgentId, ...extraArguments: string[]): string[] =>
    reservedIn(request(agent, { extraArguments }))
  expect(reserved('claude', '--output-format', 'text')).toEqual(['--output-format'])
  expect(reserved('claude', '--input-format=stream-json')).toEqual(['--input-format'])
  expect(reserved('claude', '--bg')).toEqual(['--bg'])
  expect(reserved('codex', '--json')).toEqual(['--json'])
  expect(reserved('codex', '-')).toEqual(['-'])
  expect(reserved('gemini', '-otext')).toEqual(['-o'])
  expect(reserved('gemini', '-o', 'text')).toEqual(['-o'])
  for (const words of [
    ['--resume', 's'],
    ['--resume=s'],
    ['-r', 's'],
    ['-rs'],
    ['-c'],
    ['--continue'],
    ['--session-id=s']
  ])
    expect(reserved('claude', ...words), words.join(' ')).toHaveLength(1)
  for (const words of [
    ['resume', 's'],
    ['resume', '--last'],
    ['fork', 's']
  ])
    expect(reserved('codex', ...words)[0], words.join(' ')).toBe(words[0])
  for (const words of [['--resume', 'latest'], ['-r5'], ['--sessionId', 's'], ['--session-file=s.json']])
    expect(reserved('gemini', ...words), words.join(' ')).toHaveLength(1)
  expect(reserved('codex', '-o', 'last-message.txt', '-c', 'a=b')).toEqual([])
})

test('what is dangerous is told as the person wrote it', () => {
  const over = { mode: 'danger-full-access', extraArguments: ['-c', 'sandbox_mode="danger-full-access"', '--oss'] }
  expect(dangerText(request('codex', over))).toBe(
    'Codex could do anything without asking, because of the mode danger-full-access and the argument -c sandbox_mode="danger-full-access".'
  )
  expect(dangerText(request('claude', { extraArguments: ['--add-dir', '/a', '--mcp-config=x'] }))).toBe(
    'Claude Code could do anything without asking, because of the argument --mcp-config=x. ' +
      'Claude Code could do more without asking than its mode says, because of the argument --add-dir /a.'
  )
  expect(dangerText(request('gemini'))).toBeNull()
})
