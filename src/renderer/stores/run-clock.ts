import { type LiveRun, runTook } from '#contract/live-runs.ts'

/** The start of each run on the page's monotonic clock. */
const starts = new WeakMap<LiveRun, number>()

/** Call it when a run arrives: the host's elapsed time is correct only then. */
export function recordStart(run: LiveRun): void {
  if (starts.has(run)) return
  // For a run of another host only the time of day is known, and that clock may be ahead.
  const elapsed = run.elapsedMs ?? Math.max(0, Date.now() - run.startedAt)
  starts.set(run, performance.now() - elapsed)
}

/** The duration of a run in ms; so far at `now` (`performance.now()`) if it has not ended. */
export function elapsedAt(run: LiveRun, now: number): number {
  recordStart(run)
  return runTook(run) ?? Math.max(0, now - (starts.get(run) ?? now))
}
