import { type FilterChoice, noFilter } from '../../stores/row-filter.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { useLogParts } from '../../stores/log-store.ts'

/** What a number of the summary opens: rows in the timeline, whatever view is shown. */
export interface ShowRows {
  /** Only these rows. */
  readonly only: (choice: Partial<FilterChoice>) => void
  /** Only rows that match this text. */
  readonly matches: (text: string) => void
  readonly row: (row: number) => void
}

export function useShowRows(): ShowRows {
  const { filtering, finding, loading, playhead } = useLogParts()
  const setView = useLayout((layout) => layout.setView)
  const only = (choice: Partial<FilterChoice>) => {
    setView('timeline')
    filtering.set({ ...noFilter, ...choice })
  }
  return {
    only,
    matches(text) {
      finding.setQuery({ text, regex: false, caseSensitive: true })
      only({ onlyHits: true })
    },
    row(row) {
      setView('timeline')
      loading.whenLoaded(() => playhead.select(row))
    }
  }
}
