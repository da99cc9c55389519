import './findings.css'
import { useState } from 'react'
import { findingRules, type RuleName, ruleNames } from '#core/findings/finding.ts'
import type { Finding, RunFindings } from '#contract/methods.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { useRunFindings } from '../../stores/use-run-summary.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'

/** Links of one finding that are shown before "show all". */
const firstEvents = 8
/** Findings of one rule that are shown before "show all". */
const firstFindings = 20

/** What went wrong in the session, by rule, in a drawer; each event is a link. */
export function FindingsPanel({ onClose }: { onClose: () => void }) {
  const { key } = useLogParts()
  const findings = useRunFindings()
  const [withInformation, setWithInformation] = useState(false)
  const { value, error } = findings
  const list = value?.findings ?? []
  const count = (level: 'finding' | 'information'): number =>
    list.filter(({ rule }) => findingRules[rule].level === level).length
  const information = count('information')

  return (
    <section key={key} className="findings vstack fill" role="region" aria-label="Findings">
      <div className="panel-head hstack rigid">
        <h2>Findings</h2>
        <span className="num t3">{formatCount(count('finding'))}</span>
        {information > 0 && (
          <button
            type="button"
            className="btn small"
            aria-pressed={withInformation}
            title="What is true, but mostly harmless"
            onMouseDown={keepFocus}
            onClick={() => setWithInformation(!withInformation)}
          >
            Information <span className="num t3">{formatCount(information)}</span>
          </button>
        )}
        <span className="grow" />
        <IconButton small icon="close" label="Close findings" onClick={onClose} />
      </div>
      {error !== null && (
        <p className="panel-note hstack rigid s-malformed">
          <span className="grow">Findings could not be read: {error}</span>
          <button type="button" className="btn edged" onClick={() => findings.retry()}>
            Try again
          </button>
        </p>
      )}
      <State value={value} shown={list.length - (withInformation ? 0 : information)} />
      <div className="finding-list grow" tabIndex={0} role="group" aria-label="Findings by rule">
        {ruleNames
          .filter((rule) => withInformation || findingRules[rule].level === 'finding')
          .map((rule) => (
            <Rule
              key={rule}
              rule={rule}
              list={list.filter((one) => one.rule === rule)}
              further={value?.further[rule] ?? 0}
            />
          ))}
      </div>
    </section>
  )
}

/** Whether there are any. */
function State({ value, shown }: { value: RunFindings | null; shown: number }) {
  if (value === null) return <p className="panel-note rigid t3">Looking for findings…</p>
  return shown === 0 ? <p className="panel-note rigid t3">No rule found anything.</p> : null
}

function Rule({ rule, list, further }: { rule: RuleName; list: readonly Finding[]; further: number }) {
  const [all, setAll] = useState(false)
  if (list.length === 0) return null
  const { title, why } = findingRules[rule]
  const shown = all ? list : list.slice(0, firstFindings)
  return (
    <section className="finding-rule" aria-label={title}>
      <h3>
        {title} <span className="num t3 regular">{formatCount(list.length + further)}</span>
      </h3>
      <p className="t3">{why}</p>
      {shown.map((finding) => (
        <Events key={`${finding.rows[0]} ${finding.text}`} finding={finding} />
      ))}
      {shown.length < list.length && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          Show all {formatPlural(list.length, 'finding', 'findings')}
        </button>
      )}
      {further > 0 && <p className="t3">{formatPlural(further, 'finding is', 'findings are')} only counted.</p>}
    </section>
  )
}

function Events({ finding: { text, rows, more } }: { finding: Finding }) {
  const { playhead, columns } = useLogParts()
  const row = useLog((log) => log.row)
  const seqOf = (one: number): number => columns.seq[one] ?? one
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, firstEvents)
  return (
    <div className="finding">
      <span>{displayText(text)}</span>
      {shown.map((one) => (
        <button
          key={one}
          type="button"
          className="btn small num"
          aria-current={one === row}
          aria-label={`Event ${seqOf(one)}`}
          onClick={() => playhead.select(one)}
        >
          {formatCount(seqOf(one))}
        </button>
      ))}
      {shown.length < rows.length && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          {formatPlural(rows.length - shown.length, 'more event', 'more events')}
        </button>
      )}
      {more > 0 && <span className="t3">{formatPlural(more, 'event is', 'events are')} only counted</span>}
    </div>
  )
}
