import { agents, agentTypeOf } from '#core/formats/agents.ts'
import type { LiveRun } from '#contract/live-runs.ts'
import { turnWord } from '../dialogue/dialogue-words.ts'
import { isOngoing } from '../../stores/live-runs-store.ts'
import type { IconName } from '../../ui/icons.tsx'

export function agentName({ agent }: Pick<LiveRun, 'agent'>): string {
  const type = agentTypeOf(agent)
  return type === null ? agent : agents[type].label
}

/** The state of a run as shape, color and word. `icon` is null while it runs: the live dot is shown instead. */
export interface RunLook {
  readonly icon: IconName | null
  readonly tone: string
  readonly word: string
}

const endLooks: Readonly<Record<NonNullable<LiveRun['finishReason']>, RunLook>> = {
  done: { icon: 'todo-completed', tone: 'd-completed', word: 'Done' },
  error: { icon: 'error', tone: 's-malformed', word: 'Failed' },
  cancelled: { icon: 'todo-cancelled', tone: 'd-cancelled', word: 'Stopped' },
  timeout: { icon: 'gap', tone: 's-violation', word: 'Timed out' }
}

const stateLooks: Readonly<Record<LiveRun['state'], RunLook>> = {
  starting: { icon: 'todo-pending', tone: 't2', word: 'Starting' },
  running: { icon: null, tone: '', word: 'Running' },
  stopping: { icon: 'pause-at', tone: 's-violation', word: 'Stopping' },
  ended: { icon: 'todo-completed', tone: 't2', word: 'Ended' },
  failed: { icon: 'error', tone: 's-malformed', word: 'Not started' },
  lost: { icon: 'lost', tone: 's-violation', word: 'Lost' }
}

const incompleteLook: RunLook = { icon: 'error', tone: 's-malformed', word: 'Incomplete' }
const unfinishedLook: RunLook = { icon: 'error', tone: 's-malformed', word: 'Ended without a final turn' }

/** The state is unknown without a connection. */
const unknownLook: RunLook = { icon: 'lost', tone: 's-violation', word: 'Not connected' }

/** `isLost`: the connection to the host is lost. */
export function runLook(run: LiveRun, isLost: boolean): RunLook {
  return isLost && isOngoing(run) ? unknownLook : knownLook(run)
}

function knownLook({ state, finishReason, incomplete, unfinished, dialogue }: LiveRun): RunLook {
  if (state === 'running' && dialogue !== null) {
    const word = turnWord(dialogue)
    if (dialogue.turn === 'asking') return { icon: 'asks', tone: 's-violation', word }
    if (dialogue.turn === 'idle') return { icon: 'assistant', tone: 't2', word }
    return { icon: null, tone: '', word }
  }
  if (incomplete !== null && state === 'ended') return incompleteLook
  if (unfinished && state === 'ended') return unfinishedLook
  return state === 'ended' && finishReason !== null ? endLooks[finishReason] : stateLooks[state]
}

/** The name of the run: the first line of the prompt with text. */
export function runName({ prompt }: Pick<LiveRun, 'prompt'>): string {
  const line = prompt.split('\n', 50).find((text) => text.trim() !== '') ?? prompt
  return line.trim().slice(0, 200)
}

/** "exit code 1", "SIGKILL"; "" if unknown or not of interest. */
export function exitText({ exitCode, signal, finishReason, unfinished }: LiveRun): string {
  if (signal !== null) return signal
  return exitCode === null || (exitCode === 0 && (finishReason === 'done' || unfinished)) ? '' : `exit code ${exitCode}`
}

/** Notes for stopping and lost runs without a message of the host. */
const stateNotes: Readonly<Partial<Record<LiveRun['state'], string>>> = {
  stopping: 'Stopping. If it does not exit soon, it is killed with all processes it started.',
  lost: 'Playhead exited while this run was active. The recording holds all output up to then.',
  failed: 'The run was not started.'
}

/** A sentence about the run's state or end; null if there is nothing to say. */
export function runNote({ message, state }: LiveRun): string | null {
  return message ?? stateNotes[state] ?? null
}
