import './issues.css'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { type IssueSeverity, issueSeverities } from '#core/formats/issue.ts'
import { IssuePages } from '../../stores/issue-pages.ts'
import { useLog, useLogParts, useStatus } from '../../stores/log-store.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { formatLarge, formatPlural } from '../../ui/format.ts'
import { Icon, severityLook } from '../../ui/icons.tsx'
import { CopyIssues } from './copy-issues.tsx'
import { IssueLines } from './issue-lines.ts'
import { IssueTree } from './issue-tree.tsx'

/** All issues of the log by code, in a drawer; each one links to its row. */
export function IssuesPanel({ onClose }: { onClose: () => void }) {
  const { key } = useLogParts()
  return <IssuesOfLog key={key} onClose={onClose} />
}

function IssuesOfLog({ onClose }: { onClose: () => void }) {
  const counts = useLog((log) => log.status.issues)
  const { stepping } = useLogParts()
  const [shown, setShown] = useState<ReadonlySet<IssueSeverity>>(new Set(issueSeverities))
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const pages = useIssuePages()
  const section = useRef<HTMLElement>(null)
  useFocusBack(section)
  const { codes } = pages
  const lines = useMemo(() => new IssueLines(codes ?? [], shown, collapsed), [codes, shown, collapsed])
  const total = counts.malformed + counts.violation + counts.notice
  const toggle = (severity: IssueSeverity) => setShown((all) => toggled(all, severity))

  return (
    <section ref={section} className="issues vstack fill" role="region" aria-label="Issues">
      <div className="panel-head hstack rigid">
        <h2>Issues</h2>
        {total > 0 && (
          <div className="segments" role="group" aria-label="Severities">
            {issueSeverities.map((severity) => (
              <SeverityToggle
                key={severity}
                severity={severity}
                count={counts[severity]}
                on={shown.has(severity)}
                onToggle={() => toggle(severity)}
              />
            ))}
          </div>
        )}
        {total > 0 && <span className="t3 cut">by code</span>}
        <span className="grow" />
        {total > 0 && (
          <>
            <IconButton small icon="up" label="Previous issue" keys="," onClick={() => stepping.nextIssue(-1)} />
            <IconButton small icon="down" label="Next issue" keys="." onClick={() => stepping.nextIssue(1)} />
            <CopyIssues shown={shown} disabled={lines.count === 0} />
          </>
        )}
        <IconButton small icon="close" label="Close issues" onClick={onClose} />
      </div>
      {pages.error !== null && (
        <p className="issues-note panel-note hstack rigid s-malformed">
          <span className="grow">Issues could not be read: {pages.error}</span>
          <button type="button" className="btn edged" onClick={() => pages.retry()}>
            Try again
          </button>
        </p>
      )}
      {lines.count > 0 ? (
        <IssueTree
          pages={pages}
          lines={lines}
          onFold={(code) => setCollapsed((all) => toggled(all, code))}
          onClose={onClose}
        />
      ) : (
        <EmptyNote total={total} known={codes !== null} onShowAll={() => setShown(new Set(issueSeverities))} />
      )}
    </section>
  )
}

const severityWords: Readonly<Record<IssueSeverity, readonly [one: string, many: string]>> = {
  malformed: ['malformed line', 'malformed lines'],
  violation: ['violation', 'violations'],
  notice: ['notice', 'notices']
}

function SeverityToggle({
  severity,
  count,
  on,
  onToggle
}: {
  severity: IssueSeverity
  count: number
  on: boolean
  onToggle: () => void
}) {
  const { icon, tone } = severityLook(severity)
  const label = formatPlural(count, ...severityWords[severity])
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={label}
      title={`${label}: ${on ? 'shown' : 'hidden'}`}
      disabled={count === 0}
      onMouseDown={keepFocus}
      onClick={onToggle}
    >
      <Icon name={icon} tone={tone} size={12} />
      <span className="num">{formatLarge(count)}</span>
    </button>
  )
}

/** Why the list is empty. */
function EmptyNote({ total, known, onShowAll }: { total: number; known: boolean; onShowAll: () => void }) {
  const { phase, format, formatTitle, formatNote } = useStatus('phase', 'format', 'formatTitle', 'formatNote')
  if (total > 0) {
    return known ? (
      <p className="issues-note panel-note hstack rigid t3">
        All issues are hidden by severity.{' '}
        <button type="button" className="link" onClick={onShowAll}>
          Show all
        </button>
      </p>
    ) : (
      <p className="issues-note panel-note hstack rigid t3">Reading issues…</p>
    )
  }
  if (phase === 'reading')
    return <p className="issues-note panel-note hstack rigid t3">No issues so far. The log is still being read.</p>
  if (format === null) {
    return (
      <p className="issues-note panel-note hstack rigid t3">
        No issues. The lines are valid JSON. No contract is known for this format. {formatNote}
      </p>
    )
  }
  const read = phase === 'failed' ? 'Every readable line' : 'Every line'
  return (
    <p className="issues-note panel-note hstack rigid t3">
      <Icon name="check" tone="d-completed" size={14} /> No issues. {read} follows the contract of {formatTitle}.
    </p>
  )
}

/** Returns the focus to its former place when the focused panel closes. */
function useFocusBack(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    const own = panel.current
    return () => {
      if (own?.contains(document.activeElement) === true && before instanceof HTMLElement) before.focus()
    }
  }, [panel])
}

/** The current issues of the shown log. */
function useIssuePages(): IssuePages {
  const { host, id } = useLogParts()
  const { settledRows, replacements } = useLog('settledRows', 'replacements')
  const { issues, rows } = useStatus('issues', 'rows')
  const pages = useMemo(() => new IssuePages((asked) => host.call('log.issues', { log: id, ...asked })), [host, id])
  useSyncExternalStore(pages.changes.subscribe, pages.changes.getVersion)
  const { malformed, violation, notice } = issues
  useEffect(() => pages.refresh(settledRows), [pages, settledRows, malformed, violation, notice, replacements, rows])
  return pages
}

function toggled<T>(all: ReadonlySet<T>, one: T): ReadonlySet<T> {
  const next = new Set(all)
  if (!next.delete(one)) next.add(one)
  return next
}
