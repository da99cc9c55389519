import { useLog } from '../../stores/log-store.ts'
import { FilterPanel } from './filter-panel.tsx'
import { FilterToggle } from './filter-toggle.tsx'
import { groupsInForce } from './filter-words.ts'

/** Opens the panel that chooses which rows the timeline shows; says how many groups of it are in force. */
export function FilterButton() {
  const filter = useLog((log) => log.filter)
  return <FilterToggle what="rows" active={groupsInForce(filter)} Panel={FilterPanel} />
}
