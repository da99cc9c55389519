import { useEffect } from 'react'
import { useLibrary } from '../../stores/use-library.ts'
import { useRunName } from '../live-runs/run-name.ts'

/** The title of a log: the prompt of a live run, or the title in the library. Null if there is only a file name. */
export function useLogTitle(path: string | undefined): string | null {
  const runName = useRunName(path)
  const title = useLibrary(({ titles }) => (path === undefined ? null : (titles.get(path) ?? null)))
  const there = useLibrary(({ presence }) => presence === 'there')
  const loadTitles = useLibrary((state) => state.loadTitles)
  useEffect(() => {
    if (there && path !== undefined && runName === null) loadTitles([path])
  }, [there, path, runName, loadTitles])
  return runName ?? title
}
