import { homedir } from 'node:os'
import { join } from 'node:path'
import { agents } from '#core/formats/agents.ts'
import type { AgentId, PermissionMode, RunRequest } from '#contract/live-runs.ts'
import { dangersOfClaude, dangersOfCodex, dangersOfGemini, optionValues, setsOption } from './agent-options.ts'

/** What an agent is told beside what the person asked for. */
export interface AgentSetting {
  /** A command line for `sh` that takes each tool result; null: there is none. */
  readonly hook: string | null
  /** The user is root. */
  readonly isRoot: boolean
  /** The environment of Playhead. */
  readonly variables: NodeJS.ProcessEnv
}

/**
 * How one agent is started so that it works by itself, with its todo list, and prints its log. With nobody there, today's agents leave their
 * todo tools out unless they are told. The prompt is its standard input.
 */
export interface AgentProgram {
  readonly title: string
  /** The name it is looked for by. */
  readonly program: string
  /** The log format of what it prints. */
  readonly format: string
  readonly install: string
  /** The first one is the one that is taken where nobody chose. */
  readonly modes: readonly [PermissionMode, ...PermissionMode[]]
  readonly versionArguments: readonly string[]
  /** How long it is given after an interrupt, and after being asked to terminate, in ms. */
  readonly grace: { readonly interruptMs: number; readonly terminateMs: number }
  /** Everything after the program's name. */
  arguments(request: RunRequest, setting: AgentSetting): string[]
  /** What it gets beside the environment of Playhead; undefined: what it must not get of that. */
  environment(request: RunRequest, setting: AgentSetting): Readonly<Record<string, string | undefined>>
  /** The folder of its own logs, for what only these tell (`LiveNotes`), given its environment; null: nothing. */
  logs(environment: Readonly<Record<string, string | undefined>>): string | null
  /** Which of the arguments a person added let it do anything without being asked, as they are written. */
  dangers(extraArguments: readonly string[]): string[]
  /** Options that decide what is printed, and where the prompt comes from: a person cannot set them. */
  readonly reserved: readonly string[]
  /** Lines it says on standard error each time, which explain nothing. */
  readonly smallTalk: readonly string[]
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
  // It writes its result when it is interrupted, which took it up to 1.5 s.
  grace: { interruptMs: 5000, terminateMs: 3000 },
  arguments({ model, mode, extraArguments }, { hook }) {
    return [
      // Without --verbose it refuses to print records.
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
      // As root it skips permissions only where it believes to be in a sandbox.
      ...(isRoot && skips ? { IS_SANDBOX: '1' } : {}),
      CLAUDE_CODE_ENABLE_TODO_TOOLS: variables['CLAUDE_CODE_ENABLE_TODO_TOOLS'] ?? '1',
      // Of a Claude Code that Playhead itself was started from: another one would take itself for a part of it.
      CLAUDECODE: undefined,
      CLAUDE_CODE_ENTRYPOINT: undefined
    }
  },
  logs: () => null,
  dangers: dangersOfClaude,
  // In the background it would go on beside its run.
  reserved: ['--output-format', '--input-format', '--bg', '--background'],
  smallTalk: []
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
  // It ends at once when it is interrupted, and leaves its commands.
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
      // The person chose the folder: it need not be a repository.
      ...['exec', '--json', '--skip-git-repo-check'],
      ...(model === null ? [] : ['--model', model]),
      // Said twice it is refused.
      ...(isSet ? [] : ['--sandbox', mode ?? codex.modes[0].id]),
      // Of what is said twice of the configuration, the person's counts.
      ...['-c', 'tools.update_plan.enabled=true'],
      ...extraArguments.filter((argument) => argument !== '--skip-git-repo-check'),
      '-'
    ]
  },
  environment: () => ({}),
  logs: () => null,
  dangers: dangersOfCodex,
  reserved: ['--json', '--experimental-json', '-'],
  smallTalk: ['Reading additional input from stdin...', 'Reading prompt from stdin...']
}

const gemini: AgentProgram = {
  title: agents['google-gemini'].label,
  program: 'gemini',
  format: 'gemini-stream-json',
  install: 'npm install -g @google/gemini-cli',
  // Its mode "plan" is not among them: with nobody there it leaves that mode by itself and carries the plan out unasked.
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
    // Its other models have no todo tool, and the option is on its way out.
    const needsTodos = model?.startsWith('gemini-2') && !setsOption(extraArguments, '--allowed-tools', '--allowedTools')
    const isSet = setsOption(extraArguments, '--approval-mode', '--approvalMode', '--yolo', '-y')
    return [
      ...['--output-format', 'stream-json'],
      ...(model === null ? [] : ['--model', model]),
      // Said twice, or beside --yolo, it is refused.
      ...(isSet ? [] : ['--approval-mode', mode ?? gemini.modes[0].id]),
      ...(needsTodos ? ['--allowed-tools=write_todos'] : []),
      ...extraArguments
    ]
  },
  // Else it starts itself a second time and passes no signal on.
  environment: () => ({ GEMINI_CLI_NO_RELAUNCH: 'true' }),
  // GEMINI_CLI_HOME takes the place of the home folder (packages/core/src/utils/paths.ts).
  logs: ({ GEMINI_CLI_HOME, HOME }) => join(GEMINI_CLI_HOME || HOME || homedir(), '.gemini', 'tmp'),
  dangers: dangersOfGemini,
  reserved: ['--output-format', '--outputFormat', '-o', '--prompt-interactive', '--promptInteractive', '-i'],
  smallTalk: ['Loaded cached credentials.', 'YOLO mode is enabled. All tool calls will be automatically approved.']
}

export const agentPrograms: Readonly<Record<AgentId, AgentProgram>> = { claude, codex, gemini }

/** What is dangerous in a request, each a few words for people; none: nothing is. */
export function dangersOf({ agent, mode, extraArguments }: RunRequest): string[] {
  const program = agentPrograms[agent]
  const chosen = program.modes.find(({ id }) => id === mode)
  return [
    ...(chosen?.dangerous ? [`the mode ${chosen.id}`] : []),
    ...program.dangers(extraArguments).map((argument) => `the argument ${argument}`)
  ]
}

/** The arguments that a person must not add, since Playhead sets them. */
export function reservedIn({ agent, extraArguments }: RunRequest): string[] {
  return agentPrograms[agent].reserved.filter(
    (name) => extraArguments.includes(name) || (name !== '-' && optionValues(extraArguments, name).length > 0)
  )
}
