import { expect, test } from 'vitest'
import { finalOutcome, runOutcome, type RunEnding } from './run-outcome.ts'

const fine: RunEnding = {
  title: 'Codex',
  stopped: null,
  timeLimitMs: null,
  exitCode: 0,
  signal: null,
  stdoutBytes: 100,
  lastWords: '',
  leftBehind: 0,
  lowDisk: '',
  disk: null
}
const nothingSaid = { lastTurn: null, lastError: null, tornAt: null, stdoutBytes: 100 }

test.each<[what: string, Partial<RunEnding>, finishReason: string, lastTurnDecides: boolean, message: string | null]>([
  ['exit code 0', {}, 'done', true, null],
  ['exit code 0 and some words', { lastWords: 'a warning' }, 'done', true, null],
  ['nothing printed at all', { stdoutBytes: 0 }, 'done', true, 'Codex ended and printed nothing on standard output.'],
  [
    'only standard error',
    { stdoutBytes: 0, lastWords: 'not logged in' },
    'done',
    true,
    'Codex ended and printed nothing on standard output. It said: not logged in'
  ],
  ['exit code 1', { exitCode: 1 }, 'error', false, 'Codex ended with exit code 1.'],
  [
    'exit code 1 with no output',
    { exitCode: 1, stdoutBytes: 0, lastWords: 'Error: no key' },
    'error',
    false,
    'Codex ended with exit code 1 and printed nothing. It said: Error: no key'
  ],
  [
    'a signal from outside',
    { exitCode: null, signal: 'SIGTERM' },
    'error',
    false,
    'Codex was ended from outside, by SIGTERM.'
  ],
  [
    'a kill from outside',
    { exitCode: null, signal: 'SIGKILL' },
    'error',
    false,
    'Codex was ended from outside, by SIGKILL. The system does that where memory runs out.'
  ],
  ['a stop', { stopped: 'by-person', exitCode: 1, lastWords: 'aborted' }, 'cancelled', false, null],
  ['a stop that ends with 0', { stopped: 'by-person', leftBehind: 2 }, 'cancelled', false, null],
  [
    'a time limit',
    { stopped: 'time-limit', timeLimitMs: 600_000, exitCode: null, signal: 'SIGKILL' },
    'timeout',
    false,
    'Codex was stopped: its time limit of 10m was over.'
  ],
  [
    'Playhead closed',
    { stopped: 'closing', exitCode: 0 },
    'cancelled',
    false,
    'Codex was stopped because Playhead was closed.'
  ],
  ['one left behind', { leftBehind: 1 }, 'done', true, 'A process that it had left running was ended.'],
  ['some left behind', { leftBehind: 3 }, 'done', true, '3 processes that it had left running were ended.']
])('%s', (_what, facts, finishReason, lastTurnDecides, message) => {
  const ending = { ...fine, ...facts }
  const { exitCode, signal } = ending
  const outcome = runOutcome(ending)
  expect(outcome).toMatchObject({ finishReason, lastTurnDecides, exitCode, signal })
  expect(finalOutcome(outcome, nothingSaid)).toEqual({ finishReason, message, incomplete: null })
})

test.each<
  [what: string, Partial<RunEnding>, said: { lastTurn?: 'done' | 'error'; lastError?: string }, wanted: object]
>([
  [
    'an error that the agent tells itself, where standard error has a stack',
    { exitCode: 1, lastWords: 'at async main (file.js:1)' },
    { lastTurn: 'error', lastError: 'API Error: 400' },
    { finishReason: 'error', message: 'Codex ended with exit code 1. It said: API Error: 400' }
  ],
  [
    'an error that the exit code does not tell',
    { lastWords: 'a warning' },
    { lastTurn: 'error', lastError: 'Too many turns' },
    { finishReason: 'error', message: 'It said: Too many turns' }
  ],
  [
    'an error without words',
    { lastWords: 'a warning' },
    { lastTurn: 'error' },
    { finishReason: 'error', message: null }
  ],
  ['an error that it got over', {}, { lastTurn: 'done', lastError: 'busy' }, { finishReason: 'done', message: null }],
  [
    'a stop, which it calls an error',
    { stopped: 'by-person', exitCode: 1, lastWords: 'aborted' },
    { lastTurn: 'error', lastError: 'interrupted' },
    { finishReason: 'cancelled', message: null }
  ]
])('%s', (_what, facts, said, wanted) => {
  expect(finalOutcome(runOutcome({ ...fine, ...facts }), { ...nothingSaid, ...said })).toMatchObject(wanted)
})
