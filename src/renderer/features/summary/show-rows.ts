import type { LogState } from '../../stores/log-store.ts'
import { type FilterChoice, noFilter } from '../../stores/row-filter.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { useLogStore } from '../../stores/log-store.ts'

/** What a number of the summary leads to: rows in the timeline, of whatever view is shown. */
export interface ShowRows {
  /** Only these rows. */
  readonly only: (choice: Partial<FilterChoice>) => void
  /** Only rows that hold this text. */
  readonly matches: (text: string) => void
  readonly row: (row: number) => void
}

export function useShowRows(): ShowRows {
  const store = useLogStore()
  const setView = useLayout((layout) => layout.setView)
  const show = (act: (log: LogState) => void) => {
    setView('timeline')
    act(store.getState())
  }
  return {
    only: (choice) => show((log) => log.setFilter({ ...noFilter, ...choice })),
    matches: (text) =>
      show((log) => {
        log.setFind({ text, regex: false, caseSensitive: true })
        log.setFilter({ ...noFilter, onlyHits: true })
      }),
    row: (row) => show((log) => log.whenLoaded(() => log.selectRow(row)))
  }
}
