import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentId } from '#contract/live-runs.ts'
import { dangerousArguments, hasOption, optionValues, strayWords } from './agent-options.ts'
import { agentPrograms } from './agent-programs.ts'

test('the values of an option, however they are written', () => {
  expect(optionValues(['--mode', 'a', '--mode=b', '--mode=', '--model', 'c', '--mode'], '--mode')).toEqual([
    'a',
    'b',
    '',
    ''
  ])
  expect(optionValues(['-s', 'a', '-s=b', '-sc', '--s', 'd'], '-s')).toEqual(
    ['a', '=b', 'b', 'c'].filter((v) => v !== '=b')
  )
})

const dangerous: readonly [agent: AgentId, ...lines: readonly string[][]][] = [
  [
    'claude',
    ['--dangerously-skip-permissions'],
    ['--allow-dangerously-skip-permissions'],
    ['--permission-mode', 'bypassPermissions'],
    ['--permission-mode=bypassPermissions'],
    ['--permission-mode', 'auto'],
    ['--settings', '{"permissions":{"defaultMode":"bypassPermissions"}}'],
    ['--settings', 'mine.json'],
    ['--settings=mine.json'],
    ['--managed-settings', '{}'],
    ['--mcp-config', 'a.json', 'b.json'],
    ['--mcp-config={}'],
    ['--plugin-dir', '/p'],
    ['--plugin-url', 'https://p'],
    ['--agents', '{}'],
    ['--remote-control'],
    ['--a-setting-of-tomorrow', 'x'],
    ['--allowedTools', 'Read', 'Bash'],
    ['--allowedTools=Read,Bash(*)'],
    ['--allowed-tools', 'Edit Bash(:*)'],
    ['--allowedTools', '*']
  ],
  [
    'codex',
    ['--dangerously-bypass-approvals-and-sandbox'],
    ['--yolo'],
    ['--approve-for-me'],
    ['--trust'],
    ['-s', 'danger-full-access'],
    ['-sdanger-full-access'],
    ['-s=danger-full-access'],
    ['--sandbox', 'danger-full-access'],
    ['--sandbox=danger-full-access'],
    ['-c', 'sandbox_mode="danger-full-access"'],
    ['-csandbox_mode=danger-full-access'],
    ['--config=sandbox_mode="danger-full-access"'],
    ['--config', 'profiles.x.sandbox_mode = "danger-full-access"'],
    ['-c', 'default_permissions=":danger-no-sandbox"'],
    ['-c', 'mcp_servers.x.command="sh"'],
    ['-cnotify=["sh"]'],
    ['--config', 'approval_policy=never'],
    ['--enable', 'hooks'],
    ['-p', 'work'],
    ['--remote', 'ws://127.0.0.1:1']
  ],
  [
    'gemini',
    ['--yolo'],
    ['--yolo=true'],
    ['-y'],
    ['-dy'],
    ['-y=true'],
    ['--approval-mode', 'yolo'],
    ['--approval-mode=yolo'],
    ['--approvalMode=yolo'],
    ['--approval-mode', 'plan'],
    ['--allowed-tools', 'read_file,run_shell_command'],
    ['--policy', 'all.toml'],
    ['--adminPolicy=all.toml'],
    ['-e', 'one'],
    ['--allowedMcpServerNames', 'one'],
    ['--yolo.x=1'],
    ['--skip-trust'],
    ['--skipTrust=true']
  ]
]

const tell = (agent: AgentId, args: readonly string[]) => dangerousArguments(args, agentPrograms[agent].options)

test.each(dangerous)('%s: what lets an agent do anything is told, and only that', (agent, ...lines) => {
  for (const line of lines) {
    expect(tell(agent, line), line.join(' ')).toMatchObject([{ widens: 'all' }])
    expect(tell(agent, ['--verbose', ...line, '--debug']), line.join(' ')).toHaveLength(1)
  }
})

test.each<[AgentId, string[]]>([
  ['claude', ['--permission-mode', 'plan', '--disallowedTools', 'Bash(git log:*)', 'Edit', '--model', 'Bash']],
  ['claude', ['--append-system-prompt', 'never use --dangerous things', '--strict-mcp-config', '-d', 'api']],
  ['codex', ['--sandbox', 'workspace-write', '-c', 'model_reasoning_effort="high"', '--full-auto', '-m', 'yolo']],
  [
    'gemini',
    ['--approval-mode', 'auto_edit', '--yolo=false', '--no-yolo', '-m', 'gemini-2.5-pro', '--screen-reader', '-s']
  ],
  ['gemini', ['--sandbox', 'true', '--debug', 'false']]
])('%s: harmless arguments need no confirmation: %j', (agent, line) => {
  expect(tell(agent, line)).toEqual([])
})

test.each<[AgentId, ...lines: string[][]]>([
  [
    'claude',
    ['--add-dir', '/a', '/b'],
    ['--add-dir=/a'],
    ['--allowedTools', 'Bash(git log:*)', 'Edit'],
    ['--agent', 'reviewer'],
    ['--setting-sources', 'project'],
    ['--bare'],
    ['--chrome']
  ],
  ['codex', ['--add-dir', '/a'], ['-C/'], ['--cd', '/'], ['--ignore-rules'], ['--search'], ['-a', 'never']],
  [
    'gemini',
    ['--include-directories', '/a'],
    ['--includeDirectories=/a'],
    ['--allowed-tools', 'run_shell_command(git status)'],
    ['--no-sandbox'],
    ['--sandbox=false'],
    ['-s', 'false']
  ]
])('%s: what lets an agent do more than its mode says is told, and only that', (agent, ...lines) => {
  for (const line of lines) expect(tell(agent, line), line.join(' ')).toMatchObject([{ widens: 'more' }])
})

test('a long argument is told in part', () => {
  const [told] = tell('claude', ['--settings', JSON.stringify({ text: 'x'.repeat(9000) })])
  expect(told?.argument).toMatch(/^--settings \{"text":"x+…$/)
  expect(told?.argument.length).toBeLessThan(200)
})

test.each<[AgentId, args: string[], stray: string[]]>([
  ['claude', ['mcp', 'add', 'x'], ['mcp', 'add', 'x']],
  ['claude', ['--verbose', 'update'], ['update']],
  ['claude', ['-d', 'api', 'install'], ['install']],
  ['claude', ['--add-dir', '/a', '/b', '--model', 'm', 'plugin'], ['plugin']],
  ['claude', ['--add-dir=/a', '/b'], ['/b']],
  ['claude', ['--', '--verbose'], ['--']],
  ['claude', ['--append-system-prompt', 'two words', '-d', '--name', 'n', '--tools', '', 'x'], []],
  ['codex', ['review'], ['review']],
  ['codex', ['--oss', 'help'], ['help']],
  ['codex', ['-mo3', '-c', 'a=b', '--image', 'a.png', 'b.png'], []],
  ['gemini', ['extensions', 'install', 'x'], ['extensions', 'install', 'x']],
  ['gemini', ['--debug', 'true', 'mcp'], ['mcp']],
  ['gemini', ['-e', 'one', 'hooks'], ['hooks']],
  ['gemini', ['--an-option-of-tomorrow', 'its value'], []]
])('%s: of %j, the words that would be a command or a prompt', (agent, args, stray) => {
  expect(strayWords(args, agentPrograms[agent].options)).toEqual(stray)
})

test.each<[AgentId, name: string, args: string[], has: boolean]>([
  ['claude', '-c', ['-pc'], true],
  ['claude', '-c', ['-dc'], false],
  ['claude', '--resume', ['--resume=x'], true],
  ['codex', '-s', ['-mso'], false],
  ['gemini', '-r', ['-dr', 'latest'], true],
  ['gemini', '--output-format', ['--outputFormat', 'text'], true]
])('%s: %s is found in %j: %s', (agent, name, args, has) => {
  expect(hasOption(args, name, agentPrograms[agent].options)).toBe(has)
})

test('each agent has a table that names each of its options once, and where they are documented', () => {
  for (const { options } of Object.values(agentPrograms)) {
    const names = options.rows.flatMap(([spellings]) => spellings.split(' '))
    expect(
      names.filter((name, i) => names.indexOf(name) !== i || !/^(?:-[A-Za-z]|--[A-Za-z0-9-]+)$/.test(name))
    ).toEqual([])
    expect([options.source.version, options.source.page]).toEqual([
      expect.stringMatching(/^\d+\.\d+\.\d+$/),
      expect.stringMatching(/^https:/)
    ])
  }
})

test('the documentation names each option that can widen what an agent may do', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/live-runs.md'), 'utf8')
  for (const { title, options } of Object.values(agentPrograms)) {
    const row =
      text.split('\n').find((line) => line.startsWith(`| ${title} `) && line.includes(options.source.page)) ?? ''
    expect(row).toContain(`--help\` of ${options.source.version}`)
    for (const [names, , widens] of options.rows) {
      const long = names.split(' ').filter((name) => name.startsWith('--'))
      if (widens !== undefined)
        expect(
          long.some((name) => row.includes(name) || row.includes(`--no-${name.slice(2)}`)),
          names
        ).toBe(true)
    }
  }
})
