import { durationText } from '#core/measure-text.ts'
import type { LiveRun } from '#contract/live-runs.ts'
import type { FeedFacts, FeedOutcome } from './feed-messages.ts'
import type { DiskEvidence } from './feed-messages.ts'
import { recordingLoss } from './recording-loss.ts'

/** What is known of an agent whose process is gone. */
export interface RunEnding {
  /** As people call it. */
  readonly title: string
  /** Playhead made it end: a person did, its time was over, Playhead itself was closed, or there was too little room for its recording. */
  readonly stopped: 'by-person' | 'time-limit' | 'closing' | 'low-disk' | null
  /** Which disk had how little room, the end of a sentence; empty: it was not stopped for that. */
  readonly lowDisk: string
  readonly timeLimitMs: number | null
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdoutBytes: number
  /** The last it said on standard error, for people; empty: nothing. */
  readonly lastWords: string
  /** Processes that it left behind, and that were ended. */
  readonly leftBehind: number
  readonly disk: DiskEvidence | null
}

/** How a live run ended, in plain words. */
export function runOutcome(ending: RunEnding): FeedOutcome {
  const { exitCode, signal, stopped, disk } = ending
  const message = joined([howItEnded(ending), whatItLeft(ending)])
  return { ...reasonOf(ending), exitCode, signal, message, lastWords: stopped === null ? ending.lastWords : '', disk }
}

const withoutFinalTurn = 'The agent exited without a final turn. Its output does not show that it finished.'

/**
 * The finish reason and the message of a run, once all that it printed is read: what it says itself of an error is better than standard error.
 * A run of which something is missing, or that does not say that it finished, is never done.
 */
export function finalOutcome(
  { finishReason: reason, lastTurnDecides, message, lastWords, disk }: FeedOutcome,
  facts: Pick<FeedFacts, 'lastTurn' | 'isTurnOpen' | 'lastError' | 'tornAt' | 'stdoutBytes'>
): Pick<LiveRun, 'message' | 'incomplete' | 'unfinished'> & Pick<FeedOutcome, 'finishReason'> {
  const loss = disk === null ? null : recordingLoss(disk, facts)
  const said = (lastTurnDecides && !facts.isTurnOpen ? facts.lastTurn : null) ?? reason
  const unfinished = lastTurnDecides && facts.isTurnOpen && reason === 'done'
  const finishReason = said === 'done' && (loss !== null || unfinished) ? 'error' : said
  // On standard error are warnings as well: of those nobody wants to hear where all went well.
  const wentWrong = !lastTurnDecides || unfinished || loss !== null
  const words = (finishReason === 'error' ? facts.lastError : null) ?? (wentWrong ? lastWords : '')
  const sentences = [
    loss?.sentence ?? '',
    message ?? '',
    unfinished && facts.stdoutBytes > 0 ? withoutFinalTurn : '',
    words === '' ? '' : `It said: ${words}`
  ]
  return { finishReason, message: joined(sentences), incomplete: loss?.incomplete ?? null, unfinished }
}

function joined(sentences: readonly string[]): string | null {
  return sentences.filter((sentence) => sentence !== '').join(' ') || null
}

function reasonOf({ stopped, exitCode, signal }: RunEnding): Pick<FeedOutcome, 'finishReason' | 'lastTurnDecides'> {
  if (stopped === 'time-limit') return { finishReason: 'timeout', lastTurnDecides: false }
  if (stopped === 'low-disk') return { finishReason: 'error', lastTurnDecides: false }
  if (stopped !== null) return { finishReason: 'cancelled', lastTurnDecides: false }
  if (signal !== null || exitCode !== 0) return { finishReason: 'error', lastTurnDecides: false }
  return { finishReason: 'done', lastTurnDecides: true }
}

function howItEnded(ending: RunEnding): string {
  const { title, stopped, timeLimitMs, exitCode, signal, stdoutBytes, lowDisk } = ending
  switch (stopped) {
    case 'time-limit':
      return `${title} was stopped at its time limit of ${limitText(timeLimitMs ?? 0)}.`
    case 'closing':
      return `${title} was stopped because Playhead was closed.`
    case 'low-disk':
      return `${title} was stopped because ${lowDisk}. Free some space and run it again.`
    case 'by-person':
      return ''
  }
  if (signal !== null) return `${title} was ended by another program (${signal}).${outOfMemory(signal)}`
  const nothing = stdoutBytes === 0
  if (exitCode !== 0) {
    const code = exitCode === null ? 'with an unknown exit code' : `with exit code ${exitCode}`
    return `${title} ended ${code}${nothing ? ' and printed nothing' : ''}.`
  }
  return nothing ? `${title} ended and printed nothing on standard output.` : ''
}

/** "10m", not "10m 00s", and "1 s", not "1.0 s": a person has set it. */
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
