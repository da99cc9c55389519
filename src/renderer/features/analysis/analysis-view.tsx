import './analysis.css'
import { useState } from 'react'
import type { CallColumn, CallGroup } from '#contract/analysis.ts'
import { spanKinds } from '#core/analysis/span-list.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { useLiveAnswer } from '../../stores/use-live-answer.ts'
import type { Sorting } from '../../ui/figure-grid.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Failed } from '../inspector/failed.tsx'
import { useAnalysisScope } from './analysis-range.ts'
import { CallFigures, GroupChoice } from './call-figures.tsx'
import { useContextAnswer } from './context-answer.ts'
import { ContextChoice, ContextFigures } from './context-figures.tsx'
import { TimeSplit } from './time-split.tsx'
import { Waterfall } from './waterfall.tsx'

const lowerTabs = [
  { id: 'table', label: 'Table' },
  { id: 'context', label: 'Context' }
] as const

/** Where the time and the tokens of the session, or of a range of it, went. */
export function AnalysisView() {
  const { key } = useLogParts()
  return <AnalysisOfLog key={key} />
}

function AnalysisOfLog() {
  const scope = useAnalysisScope()
  const [tab, setTab] = useState<(typeof lowerTabs)[number]['id']>('table')
  const [group, setGroup] = useState<CallGroup>('tool')
  const [sorting, setSorting] = useState<Sorting<CallColumn>>({ column: 'totalMs', descending: true })
  const [allTracks, setAllTracks] = useState(false)
  const context = useContextAnswer(scope)
  const spans = useLiveAnswer(useLogParts().spans)
  const reading = useLog((log) => log.status.phase === 'reading')
  const isLoaded = useLog((log) => log.isComplete)
  const hasCalls = spans.kind.subarray(0, spans.count).includes(spanKinds.indexOf('call'))
  const isEmpty = spans.isComplete && isLoaded && !hasCalls && !reading
  return (
    <section className="analysis vstack fill" role="region" aria-label="Analysis">
      <TimeSplit scope={scope} />
      {spans.error !== null ? (
        <Failed what="The waterfall" message={spans.error} onRetry={spans.retry} />
      ) : (
        <>
          {isEmpty && (
            <p className="panel-note t3">
              This session has no tool calls. The waterfall shows its turns, and Context its requests.
            </p>
          )}
          <Waterfall scope={scope} context={context.value} />
        </>
      )}
      <div className="analysis-lower vstack rigid" data-tab={tab}>
        <Splitter panel="figures" edge="top" label="Height of the table" />
        <Tabs
          label="Figures"
          tabs={lowerTabs}
          selected={tab}
          onSelect={setTab}
          bar={
            tab === 'table' ? (
              <GroupChoice {...{ scope, group, sorting }} onGroup={setGroup} />
            ) : (
              <ContextChoice context={context} allTracks={allTracks} onAllTracks={setAllTracks} />
            )
          }
        >
          {tab === 'table' ? (
            <CallFigures {...{ scope, group, sorting }} onSorting={setSorting} />
          ) : (
            <ContextFigures scope={scope} context={context} allTracks={allTracks} />
          )}
        </Tabs>
      </div>
    </section>
  )
}
