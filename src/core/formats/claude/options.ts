import type { OptionTable, Widens } from '../agent-options.ts'

const safeModes = ['default', 'manual', 'acceptedits', 'plan', 'dontask']
const widerMode = (mode: string): Widens | null => (safeModes.includes(mode.toLowerCase()) ? null : 'all')

/** Any command, of any list of tools: `Bash`, `Bash(*)`, `Edit Bash(:*)`, `*`. Commas and spaces separate, except inside brackets. */
const anyTool = /^(?:\*|(?:Bash|PowerShell)(?:\(:?\*?\))?)$/i
const widerTools = (list: string): Widens =>
  (list.match(/(?:[^\s,()]|\([^)]*\)?)+/g) ?? []).some((tool) => anyTool.test(tool)) ? 'all' : 'more'

/** With the options that its help does not show, but its program reads. */
export const claudeOptions: OptionTable = {
  source: { version: '2.1.197', page: 'https://code.claude.com/docs/en/cli-reference' },
  rows: [
    ['--dangerously-skip-permissions', 'nothing', 'all'],
    ['--allow-dangerously-skip-permissions', 'nothing', 'all'],
    ['--dangerously-load-development-channels', 'many', 'all'],
    ['--permission-mode', 'one', widerMode],
    ['--enable-auto-mode', 'nothing', 'all'],
    ['--permission-prompt-tool', 'one', 'all'],
    // Settings may allow tools, change the mode, and start programs: hooks, servers, helpers.
    ['--settings', 'one', 'all'],
    ['--managed-settings', 'one', 'all'],
    // Rules that forbid something may be in the sources that are left out.
    ['--setting-sources', 'one', 'more'],
    // Both leave out hooks, which may forbid calls.
    ['--bare', 'nothing', 'more'],
    ['--safe-mode', 'nothing', 'more'],
    ['--allowedTools --allowed-tools', 'many', widerTools],
    ['--disallowedTools --disallowed-tools', 'many'],
    ['--tools', 'many'],
    // What is in these folders may be read, and their skills are used.
    ['--add-dir', 'many', 'more'],
    // Servers and plugins are programs.
    ['--mcp-config', 'many', 'all'],
    ['--strict-mcp-config', 'nothing'],
    ['--plugin-dir --plugin-dir-no-mcp', 'one', 'all'],
    ['--plugin-url', 'one', 'all'],
    ['--cowork', 'nothing', 'all'],
    // An agent has a mode, hooks and servers of its own.
    ['--agents', 'one', 'all'],
    ['--agent', 'one', 'more'],
    ['--agent-type', 'one', 'more'],
    ['--agent-id --agent-name --agent-color --team-name --teammate-mode', 'one', 'more'],
    ['--channels', 'many', 'more'],
    ['--chrome', 'nothing', 'more'],
    ['--no-chrome', 'nothing'],
    ['--ide', 'nothing', 'more'],
    ['--file', 'many', 'more'],
    // Somebody else prompts and answers it.
    ['--remote-control --rc', 'maybe', 'all'],
    ['--remote-control-session-name-prefix', 'one'],
    ['--sdk-url', 'one', 'all'],
    // Hooks of the folder.
    ['--init --init-only --maintenance', 'nothing', 'all'],
    ['--rewind-files', 'one', 'more'],
    ['-c --continue', 'nothing'],
    ['-r --resume', 'maybe'],
    ['--session-id --parent-session-id --resume-session-at', 'one'],
    ['--from-pr --teleport --cloud --remote', 'maybe'],
    ['--bg --background --fork-session --reply-on-resume', 'nothing'],
    ['--output-format --input-format', 'one'],
    ['-p --print', 'nothing'],
    ['-d --debug', 'maybe'],
    ['--debug-file', 'one'],
    ['-n --name', 'one'],
    ['-w --worktree', 'maybe'],
    ['--tmux', 'nothing'],
    ['-v --version', 'nothing'],
    ['-h --help', 'nothing'],
    ['--verbose --brief --disable-slash-commands --ax-screen-reader --no-session-persistence', 'nothing'],
    ['--exclude-dynamic-system-prompt-sections --include-hook-events --include-partial-messages', 'nothing'],
    ['--replay-user-messages --enable-auth-status --session-mirror --plan-mode-required --xaa', 'nothing'],
    ['--append-system-prompt --append-system-prompt-file --system-prompt --system-prompt-file', 'one'],
    ['--append-subagent-system-prompt --plan-mode-instructions --prefill', 'one'],
    ['--model --fallback-model --advisor --effort --thinking --thinking-display --max-thinking-tokens', 'one'],
    ['--max-budget-usd --max-turns --task-budget --json-schema --workload', 'one'],
    ['--prompt-suggestions', 'maybe'],
    ['--betas', 'many']
  ]
}
