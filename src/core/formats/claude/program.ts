import type { AgentDialogue, AgentProgram } from '../agent-program.ts'
import { optionValues, setsOption } from '../agent-options.ts'
import { claudeCode } from './agent.ts'
import { ClaudeDialogue } from './dialogue.ts'
import { hookedSettings } from './hooked-settings.ts'
import { claudeModes } from './modes.ts'
import { claudeOptions } from './options.ts'
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
    const hooked = hookedSettings(extraArguments, hook)
    return [
      // It requires --verbose for this format.
      ...['-p', '--output-format', 'stream-json', '--verbose'],
      ...(resumes === null ? [] : ['--resume', resumes.session]),
      ...(model === null ? [] : ['--model', model]),
      ...(setsOption(extraArguments, '--permission-mode', '--dangerously-skip-permissions')
        ? []
        : ['--permission-mode', mode ?? claudeProgram.modes[0].id]),
      ...(hooked.settings === null ? [] : ['--settings', hooked.settings]),
      ...hooked.others
    ]
  },
  environment({ mode, extraArguments }, { isRoot, variables }) {
    const skips = mode === 'bypassPermissions' || skipsPermissions(extraArguments)
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
  options: claudeOptions,
  lostHook: (extraArguments, hook) => hookedSettings(extraArguments, hook).lost,
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

/** As far as the arguments say: settings files are not read. */
function skipsPermissions(args: readonly string[]): boolean {
  return (
    setsOption(args, '--dangerously-skip-permissions', '--allow-dangerously-skip-permissions') ||
    optionValues(args, '--permission-mode').some((mode) => /^(?:bypassPermissions|auto)$/i.test(mode)) ||
    optionValues(args, '--settings').some((settings) => settings.includes('bypassPermissions'))
  )
}
