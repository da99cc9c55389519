import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { runName } from './run-words.ts'

/** What the live run is called whose recording is the file at `path`; null: it is none that is known, and has the name of its file. */
export function useRunName(path: string | undefined): string | null {
  return useLiveRuns(({ runs }) => {
    const run = runs.find(({ recording }) => recording === path)
    return run === undefined ? null : runName(run)
  })
}
