import { expect, test } from 'vitest'
import { finalOutcome, runOutcome, type RunEnding } from './run-outcome.ts'

const fine: RunEnding = {
  title: 'Codex',
  stopped: null,
  timeLimitMs: null,
  exitCode: 0,
  signal: null,
  stdoutBytes: 100,
  stderrTail: '',
  lacksSession: false,
  leftBehind: 0,
  lowDisk: '',
  disk: null,
  dialogue: null
}
const nothingSaid = {
  lastTurn: null,
  isTurnOpen: false,
  lastError: null,
  tornAt: null,
  uncopied: null,
  stdoutBytes: 100
}
const disk = { disk: '/home', wasScarce: false, fullFrom: null, saidFull: false, notSaved: null }
const unfinished = 'The agent exited without a final turn. Its output does not show that it finished.'

test.each<[what: string, Partial<RunEnding>, finishReason: string, lastTurnDecides: boolean, message: string | null]>([
  ['exit code 0', {}, 'done', true, null],
  ['exit code 0 and some words', { stderrTail: 'a warning' }, 'done', true, null],
  ['exit code 1', { exitCode: 1 }, 'error', false, 'Codex ended with exit code 1.'],
  [
    'exit code 1 with no output',
    { exitCode: 1, stdoutBytes: 0, stderrTail: 'Error: no key' },
    'error',
    false,
    'Codex ended with exit code 1 and printed nothing. It said: Error: no key'
  ],
  [
    'a signal from outside',
    { exitCode: null, signal: 'SIGTERM' },
    'error',
    false,
    'Codex was ended by another program (SIGTERM).'
  ],
  [
    'a kill from outside',
    { exitCode: null, signal: 'SIGKILL' },
    'error',
    false,
    'Codex was ended by another program (SIGKILL). The system may have run out of memory.'
  ],
  ['a stop', { stopped: 'by-person', exitCode: 1, stderrTail: 'aborted' }, 'cancelled', false, null],
  ['a stop that ends with 0', { stopped: 'by-person', leftBehind: 2 }, 'cancelled', false, null],
  [
    'a time limit',
    { stopped: 'time-limit', timeLimitMs: 600_000, exitCode: null, signal: 'SIGKILL' },
    'timeout',
    false,
    'Codex was stopped at its time limit of 10m.'
  ],
  [
    'Playhead closed',
    { stopped: 'closing', exitCode: 0 },
    'cancelled',
    false,
    'Codex was stopped because Playhead was closed.'
  ],
  [
    'a session that it does not have',
    { lacksSession: true, exitCode: 42, stdoutBytes: 0 },
    'error',
    false,
    'Codex no longer has this session. Start a new one. Codex ended with exit code 42 and printed nothing.'
  ],
  ['one left behind', { leftBehind: 1 }, 'done', true, 'A process it left running was ended.'],
  ['some left behind', { leftBehind: 3 }, 'done', true, '3 processes it left running were ended.']
])('%s', (_what, facts, finishReason, lastTurnDecides, message) => {
  const ending = { ...fine, ...facts }
  const { exitCode, signal } = ending
  const outcome = runOutcome(ending)
  expect(outcome).toMatchObject({ finishReason, lastTurnDecides, exitCode, signal })
  expect(finalOutcome(outcome, nothingSaid)).toEqual({ finishReason, message, incomplete: null, unfinished: false })
})

test.each<[what: string, Partial<RunEnding>, said: Partial<Parameters<typeof finalOutcome>[1]>, wanted: object]>([
  [
    'an error that the agent tells itself, where standard error has a stack',
    { exitCode: 1, stderrTail: 'at async main (file.js:1)' },
    { lastTurn: 'error', lastError: 'API Error: 400' },
    { finishReason: 'error', message: 'Codex ended with exit code 1. It said: API Error: 400' }
  ],
  [
    'an error that the exit code does not tell',
    { stderrTail: 'a warning' },
    { lastTurn: 'error', lastError: 'Too many turns' },
    { finishReason: 'error', message: 'It said: Too many turns' }
  ],
  [
    'an error without words',
    { stderrTail: 'a warning' },
    { lastTurn: 'error' },
    { finishReason: 'error', message: null }
  ],
  ['an error that it got over', {}, { lastTurn: 'done', lastError: 'busy' }, { finishReason: 'done', message: null }],
  [
    'no end of its only turn',
    {},
    { isTurnOpen: true },
    { finishReason: 'error', unfinished: true, message: unfinished }
  ],
  [
    'no end of its last turn, after one that ended',
    { stderrTail: 'panicked' },
    { lastTurn: 'done', isTurnOpen: true },
    { finishReason: 'error', unfinished: true, message: `${unfinished} It said: panicked` }
  ],
  [
    'no end of its last turn, and an error that it tells itself',
    { stderrTail: 'a warning' },
    { isTurnOpen: true, lastError: 'Loop detected' },
    { finishReason: 'error', unfinished: true, message: `${unfinished} It said: Loop detected` }
  ],
  [
    'nothing printed at all',
    { stdoutBytes: 0 },
    { isTurnOpen: true, stdoutBytes: 0 },
    { finishReason: 'error', unfinished: true, message: 'Codex ended and printed nothing on standard output.' }
  ],
  [
    'only standard error',
    { stdoutBytes: 0, stderrTail: 'not logged in' },
    { isTurnOpen: true, stdoutBytes: 0 },
    { message: 'Codex ended and printed nothing on standard output. It said: not logged in' }
  ],
  [
    'an exit code that says more than the missing end of its turn',
    { exitCode: 1 },
    { isTurnOpen: true },
    { finishReason: 'error', unfinished: false, message: 'Codex ended with exit code 1.' }
  ],
  [
    'a stop in the middle of a turn',
    { stopped: 'by-person' },
    { isTurnOpen: true },
    { finishReason: 'cancelled', unfinished: false, message: null }
  ],
  [
    'a copy of its log without the end, as the disk is full',
    { disk },
    { uncopied: { from: 7, error: null } },
    {
      ...{ finishReason: 'error', incomplete: { from: 7, reason: 'disk-full', disk: '/home' } },
      message: 'The disk /home was full. Output after byte 7 is missing from the recording.'
    }
  ],
  [
    'the same where the disk had been full before',
    { disk: { ...disk, fullFrom: 5 } },
    { uncopied: { from: 7, error: null } },
    { finishReason: 'error', incomplete: { from: 5, reason: 'disk-full', disk: '/home' } }
  ],
  [
    'a copy of its log that cannot be written, after a stop',
    { disk, stopped: 'by-person' },
    { uncopied: { from: 7, error: 'EIO' } },
    {
      ...{ finishReason: 'cancelled', incomplete: { from: 7, reason: 'disk-error', disk: '/home' } },
      message: 'The recording on /home could not be written (EIO). Output after byte 7 may be missing from it.'
    }
  ],
  [
    'a stop, which it calls an error',
    { stopped: 'by-person', exitCode: 1, stderrTail: 'aborted' },
    { lastTurn: 'error', lastError: 'interrupted' },
    { finishReason: 'cancelled', message: null }
  ]
])('%s', (_what, facts, said, wanted) => {
  expect(finalOutcome(runOutcome({ ...fine, ...facts }), { ...nothingSaid, ...said })).toMatchObject(wanted)
})
