import { durationText } from '#core/index/row-summary.ts'
import type { FeedFacts, FeedOutcome } from './feed-messages.ts'

/** What is known of an agent whose process is gone. */
export interface RunEnding {
  /** As people call it. */
  readonly title: string
  /** Playhead made it end: a person did, its time was over, or Playhead itself was closed. */
  readonly stopped: 'by-person' | 'time-limit' | 'closing' | null
  readonly timeLimitMs: number | null
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdoutBytes: number
  /** The last it said on standard error, for people; empty: nothing. */
  readonly lastWords: string
  /** Processes that it left behind, and that were ended. */
  readonly leftBehind: number
}

/** How a live run ended, in plain words. */
export function runOutcome(ending: RunEnding): FeedOutcome {
  const { exitCode, signal, stopped, stdoutBytes } = ending
  const message = joined([howItEnded(ending), whatItLeft(ending)])
  const wentWrong = stopped === null && (signal !== null || exitCode !== 0 || stdoutBytes === 0)
  return { ...reasonOf(ending), exitCode, signal, message, lastWords: wentWrong ? ending.lastWords : '' }
}

/** The finish reason and the message of a run, once all that it printed is read: what it says itself of an error is better than standard error. */
export function finalOutcome(
  { finishReason: reason, lastTurnDecides, message, lastWords }: FeedOutcome,
  { lastTurn, lastError }: Pick<FeedFacts, 'lastTurn' | 'lastError'>
): Pick<FeedOutcome, 'finishReason' | 'message'> {
  const finishReason = (lastTurnDecides ? lastTurn : null) ?? reason
  const words = (finishReason === 'error' ? lastError : null) ?? lastWords
  return { finishReason, message: joined([message ?? '', words === '' ? '' : `It said: ${words}`]) }
}

function joined(sentences: readonly string[]): string | null {
  return sentences.filter((sentence) => sentence !== '').join(' ') || null
}

function reasonOf({ stopped, exitCode, signal }: RunEnding): Pick<FeedOutcome, 'finishReason' | 'lastTurnDecides'> {
  if (stopped === 'time-limit') return { finishReason: 'timeout', lastTurnDecides: false }
  if (stopped !== null) return { finishReason: 'cancelled', lastTurnDecides: false }
  if (signal !== null || exitCode !== 0) return { finishReason: 'error', lastTurnDecides: false }
  return { finishReason: 'done', lastTurnDecides: true }
}

function howItEnded(ending: RunEnding): string {
  const { title, stopped, timeLimitMs, exitCode, signal, stdoutBytes } = ending
  switch (stopped) {
    case 'time-limit':
      return `${title} was stopped: its time limit of ${limitText(timeLimitMs ?? 0)} was over.`
    case 'closing':
      return `${title} was stopped because Playhead was closed.`
    case 'by-person':
      return ''
  }
  if (signal !== null) return `${title} was ended from outside, by ${signal}.${outOfMemory(signal)}`
  const nothing = stdoutBytes === 0
  if (exitCode !== 0) {
    const code = exitCode === null ? 'in a way that is not known' : `with exit code ${exitCode}`
    return `${title} ended ${code}${nothing ? ' and printed nothing' : ''}.`
  }
  return nothing ? `${title} ended and printed nothing on standard output.` : ''
}

/** "10m", not "10m 00s", and "1 s", not "1.0 s": a person has set it. */
function limitText(ms: number): string {
  return durationText(ms).replace(/ 0+[ms]$|\.0(?= s$)/, '')
}

function outOfMemory(signal: string): string {
  return signal === 'SIGKILL' ? ' The system does that where memory runs out.' : ''
}

function whatItLeft({ leftBehind, stopped }: RunEnding): string {
  if (leftBehind === 0 || stopped !== null) return ''
  return leftBehind === 1
    ? 'A process that it had left running was ended.'
    : `${leftBehind} processes that it had left running were ended.`
}
