import { useLogParts } from '../../stores/log-store.ts'
import { useShownComparison } from '../../stores/use-compare.ts'
import { Boundary } from '../../ui/boundary.tsx'
import { ComparedDeck } from '../compare/compared-deck.tsx'
import { ComparedOverview } from '../compare/compared-overview.tsx'
import { Deck } from '../deck/deck.tsx'
import { Scrubber } from '../scrubber/scrubber.tsx'

/** What moves the playhead: of the log, or of both logs in their comparison. */
export function Transport() {
  const { key } = useLogParts()
  const compared = useShownComparison()
  return (
    <section className="area-deck" aria-label="Transport">
      <Boundary part="transport" of={key}>
        {compared === null ? <Deck /> : <ComparedDeck {...compared} />}
      </Boundary>
      <Boundary part="overview" of={key}>
        {compared === null ? <Scrubber key={key} /> : <ComparedOverview comparison={compared.comparison} />}
      </Boundary>
    </section>
  )
}
