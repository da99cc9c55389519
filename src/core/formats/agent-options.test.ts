import { expect, test } from 'vitest'
import { optionValues } from './agent-options.ts'
import { agentPrograms } from './agent-programs.ts'

const { claude, codex, gemini } = agentPrograms

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

const dangerous: readonly [tell: typeof claude.dangers, ...lines: readonly string[][]][] = [
  [
    claude.dangers,
    ['--dangerously-skip-permissions'],
    ['--allow-dangerously-skip-permissions'],
    ['--permission-mode', 'bypassPermissions'],
    ['--permission-mode=bypassPermissions'],
    ['--permission-mode', 'auto'],
    ['--settings', '{"permissions":{"defaultMode":"bypassPermissions"}}'],
    ['--allowedTools', 'Read', 'Bash'],
    ['--allowedTools=Read,Bash(*)'],
    ['--allowed-tools', 'Edit Bash(:*)'],
    ['--allowedTools', '*']
  ],
  [
    codex.dangers,
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
    ['-c', 'default_permissions=":danger-no-sandbox"']
  ],
  [
    gemini.dangers,
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
    ['--skip-trust'],
    ['--skipTrust=true']
  ]
]

test.each(dangerous)('%o: what lets an agent do anything is told, and only that', (tell, ...lines) => {
  for (const line of lines) {
    expect(tell(line), line.join(' ')).toHaveLength(1)
    expect(tell(['--verbose', ...line, '--debug']), line.join(' ')).toHaveLength(1)
  }
})

test.each([
  [claude.dangers, ['--permission-mode', 'plan', '--allowedTools', 'Bash(git log:*)', 'Edit', '--model', 'Bash']],
  [claude.dangers, ['--append-system-prompt', 'never use --dangerous things', '--settings', '{"model":"x"}']],
  [codex.dangers, ['--sandbox', 'workspace-write', '-c', 'model_reasoning_effort="high"', '--full-auto', '-m', 'yolo']],
  [
    gemini.dangers,
    ['--approval-mode', 'auto_edit', '--yolo=false', '-m', 'gemini-2.5-pro', '--allowed-tools', 'read_file']
  ],
  [gemini.dangers, ['--allowed-tools', 'run_shell_command(git status)']]
])('%o: harmless arguments need no confirmation', (tell, line) => {
  expect(tell(line)).toEqual([])
})
