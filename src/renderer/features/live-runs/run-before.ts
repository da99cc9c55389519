import type { LiveRun } from '#contract/live-runs.ts'

/** The latest earlier run with the same prompt and folder, of any agent; null for none. `runs`: latest first. */
export function runBefore(runs: readonly LiveRun[], run: LiveRun): LiveRun | null {
  const isBefore = ({ run: id, prompt, cwd, startedAt }: LiveRun): boolean =>
    id !== run.run && prompt === run.prompt && cwd === run.cwd && startedAt <= run.startedAt
  return runs.find(isBefore) ?? null
}
