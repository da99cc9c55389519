import type { AgentDialogue, AgentProgram, ProgramRequest } from '../agent-program.ts'
import { setsOption } from '../agent-options.ts'
import { gemini } from './agent.ts'
import { GeminiDialogue } from './dialogue.ts'
import { geminiModes } from './modes.ts'
import { geminiOptions } from './options.ts'
import { geminiStore } from './store.ts'

const dialogue: AgentDialogue = {
  // Of its own session file: the protocol prints neither arguments nor the output of commands.
  format: 'gemini-chat',
  // Since then its log grows at its end. `--acp` is older (0.33).
  since: '0.39.0',
  tooOld: /Unknown arguments?: acp|Method not found/i,
  modes: geminiModes.dialogue,
  lacks: 'It asks no questions, and takes no prompt during a turn.',
  promptsDuringTurn: false,
  refusal: { tellsMessage: false, endsTurn: false },
  dangerIsDecidedAtStart: false,
  states: { usd: false, tokens: 'after-turns' },
  // Before it loads a session it begins a new file for it, named by the minute. In the minute of the session that is its own file, and it finds no
  // message in it any more.
  damagesUntil(sessionFile) {
    const [, day, hour, minute] = /(?:^|[\\/])session-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-[^\\/]*$/.exec(sessionFile) ?? []
    return day === undefined ? null : Date.parse(`${day}T${hour}:${minute}:00Z`) + 60_000
  },
  arguments: (request) => ['--acp', ...argumentsOf(request)],
  environment: (request, setting) => geminiProgram.environment(request, setting),
  reserved: ['--acp', '--experimental-acp', '--prompt', '-p'],
  protocol: (start) => new GeminiDialogue(start)
}

export const geminiProgram: AgentProgram = {
  title: gemini.label,
  program: 'gemini',
  format: 'gemini-stream-json',
  installFolders: [],
  install: 'npm install -g @google/gemini-cli',
  modes: geminiModes.plain,
  versionArguments: ['--version'],
  grace: { interruptMs: 5000, terminateMs: 3000 },
  arguments: (request) => [
    ...['--output-format', 'stream-json'],
    ...(request.resumes === null ? [] : ['--resume', request.resumes.session]),
    ...argumentsOf(request)
  ],
  // Otherwise it restarts itself in a child and forwards no signals.
  environment: () => ({ GEMINI_CLI_NO_RELAUNCH: 'true' }),
  // GEMINI_CLI_HOME replaces the home folder (packages/core/src/utils/paths.ts).
  logs: ({ GEMINI_CLI_HOME, HOME }, home) => [GEMINI_CLI_HOME || HOME || home, '.gemini', 'tmp'],
  options: geminiOptions,
  lostHook: () => null,
  reserved: [
    ...['--output-format', '-o', '--prompt-interactive', '-i', '--resume', '-r'],
    ...['--session-id', '--session-file', '--list-sessions', '--delete-session']
  ],
  sessions: {
    store: geminiStore,
    note: 'Gemini CLI deletes old sessions, by default after 30 days.',
    unknown: /Error resuming session:/,
    lossMarker: null
  },
  ignoredStderrLines: [
    'Loaded cached credentials.',
    'YOLO mode is enabled. All tool calls will be automatically approved.'
  ],
  dialogue
}

function argumentsOf({ model, mode, extraArguments }: ProgramRequest): string[] {
  // Only these models have the todo tool. The option is deprecated.
  const needsTodos = model?.startsWith('gemini-2') && !setsOption(extraArguments, '--allowed-tools', '--allowedTools')
  const isSet = setsOption(extraArguments, '--approval-mode', '--approvalMode', '--yolo', '-y')
  return [
    ...(model === null ? [] : ['--model', model]),
    // It refuses to start if this is set twice, or with --yolo.
    ...(isSet ? [] : ['--approval-mode', mode ?? geminiProgram.modes[0].id]),
    ...(needsTodos ? ['--allowed-tools=write_todos'] : []),
    ...extraArguments
  ]
}
