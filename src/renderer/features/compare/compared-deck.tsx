import '../deck/deck.css'
import { useStore } from 'zustand'
import type { Comparison, Side } from '../../stores/comparison.ts'
import type { LogStore } from '../../stores/log-store.ts'
import { type ComparedStores, useCompare } from '../../stores/use-compare.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatClock, formatCount, formatPlural } from '../../ui/format.ts'
import { PlayButton, RateChoice, usePlayer } from '../deck/deck.tsx'

/** Playback of a comparison: steps by row, plays the shown log, and tells the time in both. */
export function ComparedDeck({ comparison, stores }: { comparison: Comparison; stores: ComparedStores }) {
  const { row, select } = useCompare('row', 'select')
  usePlayer()
  const last = comparison.rows - 1
  return (
    <div className="deck vstack">
      <div className="deck-keys">
        <IconButton icon="first" label="First row" disabled={row <= 0} onClick={() => select(0)} />
        <IconButton icon="left" label="Previous row" disabled={row <= 0} onClick={() => select(row - 1)} />
        <PlayButton disabled={comparison.rows === 0} />
        <IconButton icon="right" label="Next row" disabled={row >= last} onClick={() => select(row + 1)} />
        <IconButton icon="last" label="Last row" disabled={row >= last} onClick={() => select(last)} />
        <span className="grow" />
        <RateChoice />
      </div>
      <div className="deck-position num">
        {row < 0 ? '–' : formatCount(row + 1)}
        <small> / {formatPlural(comparison.rows, 'row')}</small>
      </div>
      <div className="deck-foot hstack t2 caption">
        <div className="deck-clock grow num">
          <SideClock side="a" store={stores.a} seq={comparison.eventAt('a', row)} />
          <SideClock side="b" store={stores.b} seq={comparison.eventAt('b', row)} />
        </div>
      </div>
    </div>
  )
}

function SideClock({ side, store, seq }: { side: Side; store: LogStore; seq: number }) {
  // The columns grow in place.
  useStore(store, (log) => log.version)
  const time = seq < 0 ? '' : formatClock(store.parts.columns.timeOfSeq(seq) ?? NaN)
  return (
    <span>
      {side.toUpperCase()} {time === '' ? '–' : time}
    </span>
  )
}
