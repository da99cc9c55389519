import type { AgentDialogue, AgentProgram } from '../agent-program.ts'
import { setsOption } from '../agent-options.ts'
import { codex } from './agent.ts'
import { CodexDialogue } from './dialogue.ts'
import { codexModes } from './modes.ts'
import { codexOptions } from './options.ts'
import { codexStore } from './store.ts'

const dialogue: AgentDialogue = {
  format: 'codex-app-server',
  // `thread/start`: 0.60.1 and 0.77.0 know it. 0.39.0 takes the word for a prompt, and wants a terminal.
  since: '0.60.0',
  tooOld: /unknown variant `|unrecognized subcommand|stdin is not a terminal|No such device or address/,
  modes: codexModes.dialogue,
  // It asks questions with features.default_mode_request_user_input, which it calls unstable.
  lacks: 'It asks no questions.',
  promptsDuringTurn: true,
  refusal: { tellsMessage: false, endsTurn: true },
  dangerIsDecidedAtStart: false,
  states: { usd: false, tokens: 'in-turns' },
  damagesUntil: () => null,
  // Model, mode and session are told over the protocol. The user's -c follows and overrides this.
  arguments: ({ extraArguments }) => ['app-server', '-c', 'tools.update_plan.enabled=true', ...extraArguments],
  environment: () => ({}),
  reserved: [
    '--listen',
    '--stdio',
    '--print-startup-config',
    '--sandbox',
    '-s',
    '--model',
    '-m',
    '--skip-git-repo-check'
  ],
  protocol: (start) => new CodexDialogue(start)
}

export const codexProgram: AgentProgram = {
  title: codex.label,
  program: 'codex',
  format: 'codex-exec-json',
  installFolders: [],
  install: 'npm install -g @openai/codex',
  modes: codexModes.plain,
  versionArguments: ['--version'],
  // After an interrupt it ends at once, and leaves its commands running.
  grace: { interruptMs: 5000, terminateMs: 3000 },
  arguments({ model, mode, extraArguments, resumes }) {
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
      ...['exec', '--json'],
      ...(model === null ? [] : ['--model', model]),
      // It refuses to start if this is set twice.
      ...(isSet ? [] : ['--sandbox', mode ?? codexProgram.modes[0].id]),
      // The user's -c follows and overrides this.
      ...['-c', 'tools.update_plan.enabled=true'],
      ...extraArguments.filter((argument) => argument !== '--skip-git-repo-check'),
      // The folder need not be a repository. Here it also ends a list of the user's, such as that of --image.
      '--skip-git-repo-check',
      // "resume" takes no sandbox: options of "exec" are before it.
      ...(resumes === null ? [] : ['resume', resumes.session]),
      '-'
    ]
  },
  environment: () => ({}),
  logs: () => null,
  options: codexOptions,
  lostHook: () => null,
  reserved: ['--json', '--experimental-json', '-', 'resume', 'fork', '--last'],
  sessions: {
    store: codexStore,
    note: 'Codex uses the permissions and the model that are chosen here, not those of the session.',
    unknown: /no rollout found for (?:thread|conversation) id/,
    lossMarker: null
  },
  ignoredStderrLines: ['Reading additional input from stdin...', 'Reading prompt from stdin...'],
  dialogue
}
