import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { runName } from './run-words.ts'

/** The name of the live run whose recording is the file at `path`; null if no known run has it. */
export function useRunName(path: string | undefined): string | null {
  return useLiveRuns(({ runs }) => {
    const run = runs.find(({ recording }) => recording === path)
    return run === undefined ? null : runName(run)
  })
}
