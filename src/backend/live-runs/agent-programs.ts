import { homedir } from 'node:os'
import { join } from 'node:path'
import { agents } from '#core/formats/agents.ts'
import type { AgentId, PermissionMode, RunRequest } from '#contract/live-runs.ts'
import { dangersOfClaude, dangersOfCodex, dangersOfGemini, optionValues, setsOption } from './agent-options.ts'

/** Settings of Playhead for an agent. */
export interface AgentSetting {
  /** The shell command that receives tool results; null: none. */
  readonly hook: string | null
  /** The user is root. */
  readonly isRoot: boolean
  /** The environment of Playhead. */
  readonly variables: NodeJS.ProcessEnv
}

/** Starts an agent that prints its log. Without a terminal, agents disable their todo tools unless an option enables them. */
export interface AgentProgram {
  readonly title: string
  /** The name to search for on PATH. */
  readonly program: string
  /** The log format of its output. */
  readonly format: string
  readonly install: string
  /** The first is the default. */
  readonly modes: readonly [PermissionMode, ...PermissionMode[]]
  readonly versionArguments: readonly string[]
  /** Waits after an interrupt and after a terminate signal. */
  readonly grace: { readonly interruptMs: number; readonly terminateMs: number }
  /** Everything after the program's name. */
  arguments(request: RunRequest, setting: AgentSetting): string[]
  /** Variables to add to Playhead's environment; undefined removes one. */
  environment(request: RunRequest, setting: AgentSetting): Readonly<Record<string, string | undefined>>
  /** The folder of its own logs, for `LiveNotes`; null: not needed. */
  logs(environment: Readonly<Record<string, string | undefined>>): string | null
  /** Those of the user's arguments that skip approvals, as written. */
  dangers(extraArguments: readonly string[]): string[]
  /** Options that control output and prompt, which the user cannot set. */
  readonly reserved: readonly string[]
  /** Lines on standard error that appear in every run and explain nothing. */
  readonly ignoredStderrLines: readonly string[]
}

const claude: AgentProgram = {
  title: agents['claude-code'].label,
  program: 'claude',
  format: 'claude-stream-json',
  install: 'npm install -g @anthropic-ai/claude-code',
  modes: [
    {
      id: 'default',
      title: 'Default permissions',
      note: 'Reads files. Anything your settings do not allow is denied.',
      dangerous: false
    },
    {
      id: 'acceptEdits',
      title: 'Accept edits',
      note: 'Also edits files in its folder. Other commands must be allowed in your settings.',
      dangerous: false
    },
    { id: 'plan', title: 'Plan', note: 'Reads files and writes a plan. Changes nothing.', dangerous: false },
    {
      id: 'bypassPermissions',
      title: 'Skip permissions',
      note: 'Runs any command and edits any file without asking.',
      dangerous: true
    }
  ],
  versionArguments: ['--version'],
  // After an interrupt it writes its result, in up to 1.5 s.
  grace: { interruptMs: 5000, terminateMs: 3000 },
  arguments({ model, mode, extraArguments }, { hook }) {
    return [
      // It requires --verbose for this format.
      ...['-p', '--output-format', 'stream-json', '--verbose'],
      ...(model === null ? [] : ['--model', model]),
      ...(setsOption(extraArguments, '--permission-mode', '--dangerously-skip-permissions')
        ? []
        : ['--permission-mode', mode ?? claude.modes[0].id]),
      ...(hook === null || setsOption(extraArguments, '--settings') ? [] : ['--settings', hookSettings(hook)]),
      ...extraArguments
    ]
  },
  environment({ mode, extraArguments }, { isRoot, variables }) {
    const skips = mode === 'bypassPermissions' || claude.dangers(extraArguments).length > 0
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
  dangers: dangersOfClaude,
  // In the background it would outlive the run.
  reserved: ['--output-format', '--input-format', '--bg', '--background'],
  ignoredStderrLines: []
}

function hookSettings(command: string): string {
  const hooks = [{ type: 'command', command, timeout: 10 }]
  return JSON.stringify({ hooks: { PostToolUse: [{ matcher: '*', hooks }] } })
}

const codex: AgentProgram = {
  title: agents['openai-codex'].label,
  program: 'codex',
  format: 'codex-exec-json',
  install: 'npm install -g @openai/codex',
  modes: [
    {
      id: 'read-only',
      title: 'Read only',
      note: 'Reads files and runs read-only commands.',
      dangerous: false
    },
    {
      id: 'workspace-write',
      title: 'Write to its folder',
      note: 'Also edits files in its folder and in temporary folders. No network access.',
      dangerous: false
    },
    {
      id: 'danger-full-access',
      title: 'Full access',
      note: 'Runs any command and edits any file without asking. No sandbox.',
      dangerous: true
    }
  ],
  versionArguments: ['--version'],
  // After an interrupt it ends at once, and leaves its commands running.
  grace: { interruptMs: 5000, terminateMs: 3000 },
  arguments({ model, mode, extraArguments }) {
    const isSet = setsOption(
      extraArguments,
      '--sandbox',
      '-s',
      '--dangerously-bypass-approvals-and-sandbox',
      '--yolo',
      '--approve-for-me',
      '--full-auto'
    )
    return [
      // The folder need not be a repository.
      ...['exec', '--json', '--skip-git-repo-check'],
      ...(model === null ? [] : ['--model', model]),
      // It refuses to start if this is set twice.
      ...(isSet ? [] : ['--sandbox', mode ?? codex.modes[0].id]),
      // The user's -c follows and overrides this.
      ...['-c', 'tools.update_plan.enabled=true'],
      ...extraArguments.filter((argument) => argument !== '--skip-git-repo-check'),
      '-'
    ]
  },
  environment: () => ({}),
  logs: () => null,
  dangers: dangersOfCodex,
  reserved: ['--json', '--experimental-json', '-'],
  ignoredStderrLines: ['Reading additional input from stdin...', 'Reading prompt from stdin...']
}

const gemini: AgentProgram = {
  title: agents['google-gemini'].label,
  program: 'gemini',
  format: 'gemini-stream-json',
  install: 'npm install -g @google/gemini-cli',
  // Without "plan": unattended, it leaves that mode by itself and executes the plan without approval.
  modes: [
    {
      id: 'default',
      title: 'Default permissions',
      note: 'Reads files. Anything that needs approval is denied.',
      dangerous: false
    },
    {
      id: 'auto_edit',
      title: 'Accept edits',
      note: 'Also edits files without asking. Commands are denied.',
      dangerous: false
    },
    {
      id: 'yolo',
      title: 'Yolo',
      note: 'Runs any command and edits any file without asking.',
      dangerous: true
    }
  ],
  versionArguments: ['--version'],
  grace: { interruptMs: 5000, terminateMs: 3000 },
  arguments({ model, mode, extraArguments }) {
    // Only these models have the todo tool. The option is deprecated.
    const needsTodos = model?.startsWith('gemini-2') && !setsOption(extraArguments, '--allowed-tools', '--allowedTools')
    const isSet = setsOption(extraArguments, '--approval-mode', '--approvalMode', '--yolo', '-y')
    return [
      ...['--output-format', 'stream-json'],
      ...(model === null ? [] : ['--model', model]),
      // It refuses to start if this is set twice, or with --yolo.
      ...(isSet ? [] : ['--approval-mode', mode ?? gemini.modes[0].id]),
      ...(needsTodos ? ['--allowed-tools=write_todos'] : []),
      ...extraArguments
    ]
  },
  // Otherwise it restarts itself in a child and forwards no signals.
  environment: () => ({ GEMINI_CLI_NO_RELAUNCH: 'true' }),
  // GEMINI_CLI_HOME replaces the home folder (packages/core/src/utils/paths.ts).
  logs: ({ GEMINI_CLI_HOME, HOME }) => join(GEMINI_CLI_HOME || HOME || homedir(), '.gemini', 'tmp'),
  dangers: dangersOfGemini,
  reserved: ['--output-format', '--outputFormat', '-o', '--prompt-interactive', '--promptInteractive', '-i'],
  ignoredStderrLines: [
    'Loaded cached credentials.',
    'YOLO mode is enabled. All tool calls will be automatically approved.'
  ]
}

export const agentPrograms: Readonly<Record<AgentId, AgentProgram>> = { claude, codex, gemini }

/** The dangers of a request, in words for the user; empty: none. */
export function dangersOf({ agent, mode, extraArguments }: RunRequest): string[] {
  const program = agentPrograms[agent]
  const chosen = program.modes.find(({ id }) => id === mode)
  return [
    ...(chosen?.dangerous ? [`the mode ${chosen.id}`] : []),
    ...program.dangers(extraArguments).map((argument) => `the argument ${argument}`)
  ]
}

/** The user's arguments that conflict with those of Playhead. */
export function reservedIn({ agent, extraArguments }: RunRequest): string[] {
  return agentPrograms[agent].reserved.filter(
    (name) => extraArguments.includes(name) || (name !== '-' && optionValues(extraArguments, name).length > 0)
  )
}
