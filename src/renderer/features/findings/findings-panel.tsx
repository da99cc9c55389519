import './findings.css'
import { useState } from 'react'
import {
  type FindingGroup,
  findingGroups,
  findingGroupTitles,
  findingRules,
  type RuleName,
  ruleNames
} from '#core/findings/finding.ts'
import type { Finding, RunFindings } from '#contract/methods.ts'
import { useLog, useLogParts, useStatus } from '../../stores/log-store.ts'
import { findingKey, useShownFindings } from '../../stores/shown-findings.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'

/** Links of one finding that are shown before "show all". */
const firstEvents = 8
/** Findings of one rule that are shown before "show all". */
const firstFindings = 20

/** What went wrong in the session, by rule, in a drawer; each event is a link. */
export function FindingsPanel({ onClose }: { onClose: () => void }) {
  const { key, findings } = useLogParts()
  const { list, useless } = useShownFindings()
  const { rulesOff, withInformation, setWithInformation } = useLayout(
    'rulesOff',
    'withInformation',
    'setWithInformation'
  )
  const [choosing, setChoosing] = useState(false)
  const { value, error } = findings
  const all = value?.findings ?? []
  const information = all.filter(({ rule }) => findingRules[rule].level === 'information').length

  return (
    <section key={key} className="findings vstack fill" role="region" aria-label="Findings">
      <div className="panel-head hstack rigid">
        <h2>Findings</h2>
        <span className="num t3">{formatCount(list.length)}</span>
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
        <button
          type="button"
          className="btn small"
          aria-pressed={choosing}
          title="Choose the rules that are shown"
          onMouseDown={keepFocus}
          onClick={() => setChoosing(!choosing)}
        >
          Rules {rulesOff.length > 0 && <span className="num t3">{formatCount(rulesOff.length)} off</span>}
        </button>
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
      <State isLoaded={value !== null} found={all.length} shown={list.length} />
      <div className="finding-list grow" tabIndex={0} role="group" aria-label="Findings by rule">
        {choosing && <RuleChoices />}
        {findingGroups.map((group) => (
          <Group key={group} group={group} list={list} value={value} />
        ))}
      </div>
      {useless.length > 0 && <Useless />}
    </section>
  )
}

/** Why nothing is listed. */
function State({ isLoaded, found, shown }: { isLoaded: boolean; found: number; shown: number }) {
  if (shown > 0) return null
  const words = !isLoaded
    ? 'Looking for findings…'
    : found === 0
      ? 'No rule found anything.'
      : `${formatPlural(found, 'finding is', 'findings are')} not shown: information, rules that are off, or not useful here.`
  return <p className="panel-note rigid t3">{words}</p>
}

/** A switch for each rule. */
function RuleChoices() {
  const { rulesOff, toggleRule } = useLayout('rulesOff', 'toggleRule')
  return (
    <fieldset className="finding-choices">
      <legend className="t3">Shown rules, in all sessions</legend>
      {ruleNames.map((rule) => (
        <label key={rule} title={findingRules[rule].why}>
          <input type="checkbox" checked={!rulesOff.includes(rule)} onChange={() => toggleRule(rule)} />
          {findingRules[rule].title}
        </label>
      ))}
    </fieldset>
  )
}

interface GroupProps {
  readonly group: FindingGroup
  readonly list: readonly Finding[]
  readonly value: RunFindings | null
}

function Group({ group, list, value }: GroupProps) {
  const rules = ruleNames.filter((rule) => findingRules[rule].group === group)
  const own = list.filter(({ rule }) => rules.includes(rule))
  if (own.length === 0) return null
  return (
    <section className="finding-group" aria-label={findingGroupTitles[group]}>
      <h3 className="list-head caption t3">
        {findingGroupTitles[group]} <span className="num regular">{formatCount(own.length)}</span>
      </h3>
      {rules.map((rule) => (
        <Rule
          key={rule}
          rule={rule}
          list={own.filter((one) => one.rule === rule)}
          further={value?.further[rule] ?? 0}
        />
      ))}
    </section>
  )
}

/** The findings that a person left out; the last one comes back first. */
function Useless() {
  const { uselessFindings, toggleUseless } = useLayout('uselessFindings', 'toggleUseless')
  const session = useStatus('sessionId', 'path')
  const { findings } = useLogParts()
  const own = new Set((findings.value?.findings ?? []).map((finding) => findingKey(session, finding)))
  const hidden = uselessFindings.filter((key) => own.has(key))
  return (
    <p className="panel-note hstack rigid t3" role="status">
      <span className="grow">
        {formatPlural(hidden.length, 'finding is', 'findings are')} hidden as not useful here.
      </span>
      <button type="button" className="link" onClick={() => hidden.slice(-1).forEach(toggleUseless)}>
        Undo
      </button>
      {hidden.length > 1 && (
        <button type="button" className="link" onClick={() => hidden.forEach(toggleUseless)}>
          Show all again
        </button>
      )}
    </p>
  )
}

function Rule({ rule, list, further }: { rule: RuleName; list: readonly Finding[]; further: number }) {
  const [all, setAll] = useState(false)
  if (list.length === 0) return null
  const { title, why } = findingRules[rule]
  const shown = all ? list : list.slice(0, firstFindings)
  return (
    <section className="finding-rule" aria-label={title}>
      <h4>
        {title} <span className="num t3 regular">{formatCount(list.length + further)}</span>
      </h4>
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

function Events({ finding }: { finding: Finding }) {
  const { text, rows, more } = finding
  const { playhead, columns } = useLogParts()
  const toggleUseless = useLayout((layout) => layout.toggleUseless)
  const session = useStatus('sessionId', 'path')
  const row = useLog((log) => log.row)
  const seqOf = (one: number): number => columns.seq[one] ?? one
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, firstEvents)
  return (
    <div className="finding">
      <div className="finding-facts">
        <span>{displayText(text)}</span>
        <div className="finding-facts">
          <span className="t3">{rows.length + more === 1 ? 'event' : 'events'}</span>
          {shown.map((one) => (
            <button
              key={one}
              type="button"
              className="link num"
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
      </div>
      <button
        type="button"
        className="link quiet"
        title="Hide this finding in this browser"
        onClick={() => toggleUseless(findingKey(session, finding))}
      >
        Not useful
      </button>
    </div>
  )
}
