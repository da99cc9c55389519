import { useLog } from '../../stores/log-store.ts'
import { FilterPanel } from './filter-panel.tsx'
import { FilterToggle } from './filter-toggle.tsx'
import { groupsInForce } from './filter-words.ts'

/** Opens the filter panel and shows the number of groups in use. */
export function FilterButton() {
  const filter = useLog((log) => log.filter)
  return <FilterToggle what="rows" active={groupsInForce(filter)} Panel={FilterPanel} />
}
