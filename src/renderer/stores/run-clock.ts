import { type LiveRun, runTook } from '#contract/live-runs.ts'

/** When each run began, by the page's own clock that nobody sets, as far as what was told of it says. */
const beginnings = new WeakMap<LiveRun, number>()

/** To be called when a run is told of, the first time: what its host says of the time it has taken is true then. */
export function heardOf(run: LiveRun): void {
  if (beginnings.has(run)) return
  // Of another host's run only the time of day tells, and that clock may be ahead of this one.
  const elapsed = run.elapsedMs ?? Math.max(0, Date.now() - run.startedAt)
  beginnings.set(run, performance.now() - elapsed)
}

/** How long a run has taken at `now` (`performance.now()`), in ms; of one that is over, how long it took. */
export function elapsedAt(run: LiveRun, now: number): number {
  heardOf(run)
  return runTook(run) ?? Math.max(0, now - (beginnings.get(run) ?? now))
}
