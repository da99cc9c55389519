import { durationText } from '#core/measure-text.ts'
import type { LiveRun } from '#contract/live-runs.ts'
import type { DiskEvidence, FeedFacts, FeedOutcome } from './feed-messages.ts'

/** How an agent's process ended. */
export interface RunEnding {
  /** The agent's display name. */
  readonly title: string
  /** Why Playhead stopped it; null: it ended by itself. */
  readonly stopped: 'by-person' | 'time-limit' | 'closing' | 'low-disk' | 'not-reading' | null
  /** The end of a sentence with the disk and its space; empty: not stopped for that. */
  readonly lowDisk: string
  readonly timeLimitMs: number | null
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdoutBytes: number
  /** The end of standard error; empty: nothing. */
  readonly stderrTail: string
  /** The agent says that it does not have the session that it was to go on with. */
  readonly lacksSession: boolean
  /** Its version cannot be talked to, and what to do: sentences; absent: it can. */
  readonly tooOld?: string | undefined
  /** Descendants that were ended. */
  readonly leftBehind: number
  readonly disk: DiskEvidence | null
  /** Null: the run is not interactive. */
  readonly dialogue: DialogueEnding | null
}

/** How the dialogue of an interactive run ended. */
interface DialogueEnding {
  /** The agent was told that no more input comes, by a person or after the idle time. */
  readonly finished: boolean
  /** Why nobody could talk to the agent, a sentence; null: somebody could. */
  readonly failure: string | null
  /** Playhead ended the process, as it did not do what it was told. */
  readonly wasEnded: boolean
}

/** The outcome of a live run. */
export function runOutcome(ending: RunEnding): FeedOutcome {
  const { exitCode, signal, stopped, disk } = ending
  const message = joined([whatItLacks(ending), howItEnded(ending), whatItLeft(ending)])
  return { ...reasonOf(ending), exitCode, signal, message, stderrTail: stopped === null ? ending.stderrTail : '', disk }
}

const withoutFinalTurn = 'The agent exited without a final turn. Its output does not show that it finished.'

/** The outcome after all output was read. The agent's error precedes standard error. Incomplete runs are never done. */
export function finalOutcome(
  { finishReason: reason, lastTurnDecides, message, stderrTail, disk }: FeedOutcome,
  facts: Pick<FeedFacts, 'lastTurn' | 'isTurnOpen' | 'lastError' | 'tornAt' | 'uncopied' | 'stdoutBytes'>
): Pick<LiveRun, 'message' | 'incomplete' | 'unfinished'> & Pick<FeedOutcome, 'finishReason'> {
  const loss = disk === null ? null : recordingLoss(disk, facts)
  const reported = (lastTurnDecides && !facts.isTurnOpen ? facts.lastTurn : null) ?? reason
  const unfinished = lastTurnDecides && facts.isTurnOpen && reason === 'done'
  const finishReason = reported === 'done' && (loss !== null || unfinished) ? 'error' : reported
  // Standard error also has warnings, which are irrelevant after a success.
  const wentWrong = !lastTurnDecides || unfinished || loss !== null
  const words = (finishReason === 'error' ? facts.lastError : null) ?? (wentWrong ? stderrTail : '')
  const sentences = [
    loss?.sentence ?? '',
    message ?? '',
    unfinished && facts.stdoutBytes > 0 ? withoutFinalTurn : '',
    words === '' ? '' : `It said: ${words}`
  ]
  return { finishReason, message: joined(sentences), incomplete: loss?.incomplete ?? null, unfinished }
}

/** What a recording lacks, with a sentence for the user. */
interface RecordingLoss {
  readonly incomplete: NonNullable<LiveRun['incomplete']>
  readonly sentence: string
}

/** Missing output: a truncated record after low disk space, a full disk, or a message about one, whatever the exit code, or a copy without its end. */
function recordingLoss(
  { disk, wasScarce, fullFrom, saidFull, notSaved }: DiskEvidence,
  { tornAt, uncopied, stdoutBytes }: Pick<FeedFacts, 'tornAt' | 'uncopied' | 'stdoutBytes'>
): RecordingLoss | null {
  const torn = wasScarce || saidFull || fullFrom !== null ? tornAt : null
  const cut = uncopied?.error === null ? uncopied.from : null
  const full = [torn, cut, fullFrom].filter((from) => from !== null)
  if (full.length > 0) {
    const from = Math.min(...full)
    const verb = torn !== null || cut !== null ? 'is' : 'may be'
    return {
      incomplete: { from, reason: 'disk-full', disk },
      sentence: `The disk ${disk} was full. Output after byte ${from} ${verb} missing from the recording.`
    }
  }
  if (saidFull) {
    return {
      incomplete: { from: 0, reason: 'disk-full', disk },
      sentence: `The agent reported a full disk. Output may be missing from the recording on ${disk}.`
    }
  }
  if (notSaved !== null) {
    return {
      incomplete: { from: 0, reason: 'disk-error', disk },
      sentence: `The disk ${disk} reported an error (${notSaved}). Some of the ${stdoutBytes} recorded bytes may be missing.`
    }
  }
  if (uncopied === null) return null
  const { from, error } = uncopied
  return {
    incomplete: { from, reason: 'disk-error', disk },
    sentence: `The recording on ${disk} could not be written (${error}). Output after byte ${from} may be missing from it.`
  }
}

function joined(sentences: readonly string[]): string | null {
  return sentences.filter((sentence) => sentence !== '').join(' ') || null
}

function reasonOf({
  stopped,
  exitCode,
  signal,
  dialogue,
  tooOld
}: RunEnding): Pick<FeedOutcome, 'finishReason' | 'lastTurnDecides'> {
  if (stopped === 'time-limit') return { finishReason: 'timeout', lastTurnDecides: false }
  if (stopped === 'low-disk' || stopped === 'not-reading') return { finishReason: 'error', lastTurnDecides: false }
  if (stopped !== null) return { finishReason: 'cancelled', lastTurnDecides: false }
  if (tooOld !== undefined || (dialogue !== null && dialogue.failure !== null))
    return { finishReason: 'error', lastTurnDecides: false }
  if (wasFinished({ exitCode, signal, dialogue })) return { finishReason: 'done', lastTurnDecides: true }
  if (signal !== null || exitCode !== 0) return { finishReason: 'error', lastTurnDecides: false }
  return { finishReason: 'done', lastTurnDecides: true }
}

function whatItLacks({ title, lacksSession, stopped }: RunEnding): string {
  return lacksSession && stopped === null ? `${title} no longer has this session. Start a new one.` : ''
}

/** A finished agent may report the failure of its last turn by the exit code 1. */
function wasFinished({ exitCode, signal, dialogue }: Pick<RunEnding, 'exitCode' | 'signal' | 'dialogue'>): boolean {
  if (dialogue === null || !dialogue.finished) return false
  return dialogue.wasEnded || (signal === null && (exitCode === 0 || exitCode === 1))
}

function howItEnded(ending: RunEnding): string {
  const { title, stopped, timeLimitMs, exitCode, signal, stdoutBytes, lowDisk, dialogue, tooOld } = ending
  switch (stopped) {
    case 'time-limit':
      return `${title} was stopped at its time limit of ${limitText(timeLimitMs ?? 0)}.`
    case 'closing':
      return `${title} was stopped because Playhead was closed.`
    case 'low-disk':
      return `${title} was stopped because ${lowDisk}. Free some space and run it again.`
    case 'not-reading':
      return `${title} was stopped because it did not read the answers to its own requests.`
    case 'by-person':
      return ''
  }
  if (tooOld !== undefined) return tooOld
  if (dialogue !== null && dialogue.failure !== null) return `${title} could not be talked to. ${dialogue.failure}`
  if (dialogue?.wasEnded === true) {
    const what = dialogue.finished ? 'end within 20 seconds' : 'react to an interrupt'
    return `${title} did not ${what}, and was stopped.`
  }
  if (wasFinished(ending) && stdoutBytes > 0) return ''
  if (signal !== null) return `${title} was ended by another program (${signal}).${outOfMemory(signal)}`
  const nothing = stdoutBytes === 0
  if (exitCode !== 0) {
    const code = exitCode === null ? 'with an unknown exit code' : `with exit code ${exitCode}`
    return `${title} ended ${code}${nothing ? ' and printed nothing' : ''}.`
  }
  return nothing ? `${title} ended and printed nothing on standard output.` : ''
}

/** As a user writes it: "10m", not "10m 00s"; "1 s", not "1.0 s". */
function limitText(ms: number): string {
  return durationText(ms).replace(/ 0+[ms]$|\.0(?= s$)/, '')
}

function outOfMemory(signal: string): string {
  return signal === 'SIGKILL' ? ' The system may have run out of memory.' : ''
}

function whatItLeft({ leftBehind, stopped }: RunEnding): string {
  if (leftBehind === 0 || stopped !== null) return ''
  return leftBehind === 1
    ? 'A process it left running was ended.'
    : `${leftBehind} processes it left running were ended.`
}
