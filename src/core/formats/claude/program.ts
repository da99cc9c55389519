import type { AgentDialogue, AgentProgram } from '../agent-program.ts'
import { declaredDangers, setsOption, valuesThat } from '../agent-options.ts'
import { claudeCode } from './agent.ts'
import { ClaudeDialogue } from './dialogue.ts'
import { claudeModes } from './modes.ts'
import { claudeStore } from './store.ts'

const dialogue: AgentDialogue = {
  format: 'claude-stream-json',
  // `--replay-user-messages`, which 1.0.85 does not know.
  since: '1.0.86',
  tooOld: /unknown option '--(?:permission-prompt-tool|replay-user-messages|input-format)/,
  modes: claudeModes.dialogue,
  lacks: null,
  promptsDuringTurn: true,
  refusal: { tellsMessage: true, endsTurn: true },
  dangerIsDecidedAtStart: true,
  states: { usd: true, tokens: 'after-turns' },
  damagesUntil: () => null,
  arguments(request, setting) {
    const { resumes, costLimitUsd, mayBecomeDangerous } = request
    return [
      // Prompts and answers are printed too: the recording holds all of the dialogue.
      ...['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio', '--replay-user-messages'],
      ...(mayBecomeDangerous ? ['--allow-dangerously-skip-permissions'] : []),
      // A net below the limit that Playhead holds: at this one, no turn runs any more. A resumed session may count what it cost before.
      ...(costLimitUsd === null || resumes !== null ? [] : ['--max-budget-usd', String(2 * costLimitUsd)]),
      ...claudeProgram.arguments(request, setting)
    ]
  },
  environment(request, setting) {
    const { isRoot } = setting
    const sandbox = isRoot && request.mayBecomeDangerous ? { IS_SANDBOX: '1' } : {}
    return { ...claudeProgram.environment(request, setting), ...sandbox }
  },
  reserved: ['--permission-prompt-tool', '--permission-prompts', '--replay-user-messages', '--fork-session'],
  protocol: (start) => new ClaudeDialogue(start)
}

export const claudeProgram: AgentProgram = {
  title: claudeCode.label,
  program: 'claude',
  format: 'claude-stream-json',
  installFolders: ['.claude/local'],
  install: 'npm install -g @anthropic-ai/claude-code',
  modes: claudeModes.plain,
  versionArguments: ['--version'],
  // After an interrupt it writes its result, in up to 1.5 s.
  grace: { interruptMs: 5000, terminateMs: 3000 },
  arguments({ model, mode, extraArguments, resumes }, { hook }) {
    return [
      // It requires --verbose for this format.
      ...['-p', '--output-format', 'stream-json', '--verbose'],
      ...(resumes === null ? [] : ['--resume', resumes.session]),
      ...(model === null ? [] : ['--model', model]),
      ...(setsOption(extraArguments, '--permission-mode', '--dangerously-skip-permissions')
        ? []
        : ['--permission-mode', mode ?? claudeProgram.modes[0].id]),
      ...(hook === null || setsOption(extraArguments, '--settings') ? [] : ['--settings', hookSettings(hook)]),
      ...extraArguments
    ]
  },
  environment({ mode, extraArguments }, { isRoot, variables }) {
    const skips = mode === 'bypassPermissions' || dangersOf(extraArguments).length > 0
    return {
      // As root it skips permissions only in a sandbox.
      ...(isRoot && skips ? { IS_SANDBOX: '1' } : {}),
      CLAUDE_CODE_ENABLE_TODO_TOOLS: variables['CLAUDE_CODE_ENABLE_TODO_TOOLS'] ?? '1',
      // Set by a Claude Code that started Playhead: a nested one would behave as its part.
      CLAUDECODE: undefined,
      CLAUDE_CODE_ENTRYPOINT: undefined
    }
  },
  logs: () => null,
  dangers: dangersOf,
  // In the background it would outlive the run.
  reserved: [
    ...['--output-format', '--input-format', '--bg', '--background'],
    ...['--resume', '-r', '--continue', '-c', '--session-id', '--from-pr', '--teleport', '--cloud']
  ],
  sessions: {
    store: claudeStore,
    note: 'Claude Code forgets the permissions that were given in the session.',
    unknown: /No conversation found with session ID/,
    lossMarker: '"subtype":"session_writes_lost"'
  },
  ignoredStderrLines: [],
  dialogue
}

function hookSettings(command: string): string {
  const hooks = [{ type: 'command', command, timeout: 10 }]
  return JSON.stringify({ hooks: { PostToolUse: [{ matcher: '*', hooks }] } })
}

/** The dangerous arguments as written; empty: none. */
function dangersOf(args: readonly string[]): string[] {
  return [
    ...declaredDangers(args),
    ...valuesThat(args, ['--permission-mode'], (mode) => /^(?:bypassPermissions|auto)$/i.test(mode)),
    // A settings file cannot be read here; the mode that Playhead sets overrides it.
    ...valuesThat(args, ['--settings'], (settings) => settings.includes('bypassPermissions')),
    ...allowedTools(args)
      .filter((tool) => /^(?:\*|(?:Bash|PowerShell)(?:\(:?\*?\))?)$/i.test(tool))
      .map((tool) => `--allowedTools ${tool}`)
  ]
}

/** The names after `--allowedTools`, which takes all arguments up to the next option. */
function allowedTools(args: readonly string[]): string[] {
  const names = ['--allowedTools', '--allowed-tools']
  const lists = args.flatMap((argument, i) => {
    const [name = '', value] = argument.split(/=(.*)/s)
    if (!names.includes(name)) return []
    const rest = args.slice(i + 1)
    const end = rest.findIndex((next) => next.startsWith('-'))
    return [...(value === undefined ? [] : [value]), ...rest.slice(0, end < 0 ? undefined : end)]
  })
  // Commas and spaces separate names, except inside brackets.
  return lists.flatMap((list) => list.match(/(?:[^\s,()]|\([^)]*\)?)+/g) ?? [])
}
