import { printQuery } from '#core/query/print-query.ts'
import { termOf } from '#core/query/query-choices.ts'
import { useLogParts } from '../../stores/log-store.ts'
import { useLayout } from '../../stores/use-layout.ts'

/** Targets of numbers in the summary: rows in the timeline, from any view. */
export interface ShowRows {
  /** Shows only the rows that meet a query. */
  readonly only: (query: string) => void
  readonly row: (row: number) => void
}

export function useShowRows(): ShowRows {
  const { filtering, loading, playhead } = useLogParts()
  const setView = useLayout((layout) => layout.setView)
  return {
    only(query) {
      setView('timeline')
      filtering.set(query)
    },
    row(row) {
      setView('timeline')
      loading.whenLoaded(() => playhead.select(row))
    }
  }
}

/** The text of a query for one name. */
export function termText(key: string, name: string): string {
  return printQuery(termOf(key, [name]))
}
