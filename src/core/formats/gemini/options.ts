import type { OptionTable, Widens } from '../agent-options.ts'

// Without a terminal, "plan" executes its plan without approval.
const widerMode = (mode: string): Widens | null => (/^(?:default|auto_edit)$/i.test(mode) ? null : 'all')

const anyCommand = /(?:^|[\s,])(?:\*|run_shell_command|ShellTool)(?:\(\s*\))?(?=[\s,]|$)/
const widerTools = (list: string): Widens => (anyCommand.test(list) ? 'all' : 'more')
const noSandbox = (isOn: string): Widens | null => (isOn === 'false' ? 'more' : null)

export const geminiOptions: OptionTable = {
  source: { version: '0.61.0', page: 'https://geminicli.com/docs/cli/cli-reference/' },
  lettersAreOptions: true,
  rows: [
    ['-y --yolo', 'truth', 'all'],
    ['--approval-mode', 'one', widerMode],
    // A trusted folder's settings may start any program. Gemini refuses folders that the user has not trusted.
    ['--skip-trust', 'truth', 'all'],
    ['--policy --admin-policy', 'many', 'all'],
    ['--allowed-tools', 'many', widerTools],
    // Both may turn on what settings have turned off, which are programs.
    ['--allowed-mcp-server-names', 'many', 'all'],
    ['-e --extensions', 'one', 'all'],
    ['--include-directories', 'many', 'more'],
    ['-s --sandbox', 'truth', noSandbox],
    ['--sandbox-image', 'one', 'more'],
    ['--proxy --telemetry-otlp-endpoint --telemetry-outfile', 'one', 'more'],
    ['-m --model', 'one'],
    ['-p --prompt', 'one'],
    ['-i --prompt-interactive', 'one'],
    ['-w --worktree', 'maybe'],
    ['-r --resume', 'one'],
    ['-o --output-format', 'one'],
    ['--session-file --session-id --delete-session', 'one'],
    ['--telemetry-target --telemetry-otlp-protocol', 'one'],
    ['-d --debug', 'truth'],
    ['-l --list-extensions', 'truth'],
    ['--list-sessions --acp --experimental-acp --experimental-zed-integration', 'truth'],
    ['--screen-reader --raw-output --accept-raw-output-risk', 'truth'],
    ['-a --all-files', 'truth'],
    ['-c --checkpointing', 'truth'],
    ['--show-memory-usage --telemetry --telemetry-log-prompts', 'truth'],
    ['-v --version', 'truth'],
    ['-h --help', 'truth']
  ]
}
