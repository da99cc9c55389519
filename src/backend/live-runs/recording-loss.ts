import type { LiveRun } from '#contract/live-runs.ts'
import type { DiskEvidence, FeedFacts } from './feed-messages.ts'

/** What is missing of a recording, and the sentence that says so; null: nothing tells of a loss. */
export interface RecordingLoss {
  readonly incomplete: NonNullable<LiveRun['incomplete']>
  readonly sentence: string
}

/**
 * Whether some of what a run printed is missing. A record that was cut off in the middle of the recording proves it where there was little room;
 * that the disk was full, or that its agent says so, makes it likely, since an agent need not notice (Gemini CLI ends with 0).
 */
export function recordingLoss(
  { disk, wasScarce, fullFrom, saidFull, notSaved }: DiskEvidence,
  { tornAt, stdoutBytes }: Pick<FeedFacts, 'tornAt' | 'stdoutBytes'>
): RecordingLoss | null {
  const isTorn = tornAt !== null && (wasScarce || saidFull || fullFrom !== null)
  if (isTorn || fullFrom !== null) {
    const from = Math.min(isTorn ? tornAt : Infinity, fullFrom ?? Infinity)
    return {
      incomplete: { from, reason: 'disk-full', disk },
      sentence: `The disk ${disk} was full. Output after byte ${from} ${isTorn ? 'is' : 'may be'} missing from the recording.`
    }
  }
  if (saidFull) {
    return {
      incomplete: { from: 0, reason: 'disk-full', disk },
      sentence: `The agent reported a full disk. Output may be missing from the recording on ${disk}.`
    }
  }
  if (notSaved === null) return null
  return {
    incomplete: { from: 0, reason: 'disk-error', disk },
    sentence: `The disk ${disk} reported an error (${notSaved}). Some of the ${stdoutBytes} recorded bytes may be missing.`
  }
}
