import { useEffect } from 'react'
import { useLibrary } from '../../stores/use-library.ts'
import { useRunName } from '../live-runs/run-name.ts'

/** What a log's session is called: the prompt of a live run, the title that the library has; null: neither, so the file's name is all there is. */
export function useLogTitle(path: string | undefined): string | null {
  const runName = useRunName(path)
  const title = useLibrary(({ titles }) => (path === undefined ? null : (titles.get(path) ?? null)))
  const there = useLibrary(({ presence }) => presence === 'there')
  const wantTitles = useLibrary((state) => state.wantTitles)
  useEffect(() => {
    if (there && path !== undefined && runName === null) wantTitles([path])
  }, [there, path, runName, wantTitles])
  return runName ?? title
}
