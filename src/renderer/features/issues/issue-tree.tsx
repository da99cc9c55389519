import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState
} from 'react'
import type { IssueCodeName, IssuePages, ListedIssue } from '../../stores/issue-pages.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { formatCount } from '../../ui/format.ts'
import { useRowScroll } from '../../ui/use-row-scroll.ts'
import type { IssueLines } from './issue-lines.ts'
import { IssueRow } from './issue-row.tsx'

/** The height of every line: `--row`. */
const rowHeight = 24
const sizes = { line: rowHeight, head: 0 }

/** Identifies a line across updates: a code, or its `at`-th issue. */
interface Place {
  readonly code: IssueCodeName
  readonly at: number | null
}

/** The issues as a virtualized tree of two levels. It follows the playhead to the issues of its row. */
export function IssueTree({
  pages,
  lines,
  onFold,
  onClose
}: {
  pages: IssuePages
  lines: IssueLines
  onFold: (code: IssueCodeName) => void
  onClose: () => void
}) {
  const { inspecting, playhead } = useLogParts()
  const { element: tree, setElement: setTree, scroll, drawn, space } = useRowScroll(lines.count, sizes)
  const [active, setActive] = useState<Place | null>(null)
  const lineCount = useLog((log) => log.status.lines)
  useActiveOfPlayhead(pages, active, setActive)
  const activeView = active === null ? -1 : lines.viewOf(active.code, active.at)
  useLayoutEffect(() => {
    if (activeView >= 0) scroll?.show(activeView, true)
  }, [scroll, activeView])

  /** The issue of the last action, if it is not loaded yet and no other action followed. */
  const acted = useRef<Place | null>(null)
  const row = useLog((log) => log.row)
  useEffect(() => () => void (acted.current = null), [row])
  const moveTo = (view: number) => {
    acted.current = null
    const line = lines.lineAt(Math.max(0, Math.min(lines.count - 1, view)))
    if (line !== undefined) setActive({ code: line.group.code, at: line.kind === 'code' ? null : line.at })
  }
  const act = (view: number) => {
    acted.current = null
    const line = lines.lineAt(view)
    if (line === undefined) return
    if (line.kind === 'code') return onFold(line.group.code)
    const place = { code: line.group.code, at: line.at }
    const show = (issue: ListedIssue) => {
      playhead.select(issue.row)
      inspecting.show('issues')
    }
    const here = pages.get(place)
    if (here !== undefined) return show(here)
    // The issue is not loaded yet. Another action, a move of the playhead or closing the drawer cancels this one.
    acted.current = place
    void pages.awaited(place).then((issue) => {
      if (issue !== undefined && acted.current === place) show(issue)
    })
  }
  const onClick = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-view]') : null
    if (target === null) return
    const view = Number(target.dataset['view'])
    moveTo(view)
    act(view)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const line = lines.lineAt(activeView)
    const page = Math.max(1, Math.floor((tree?.clientHeight ?? 0) / rowHeight) - 1)
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: activeView + 1,
      ArrowUp: activeView < 0 ? 0 : activeView - 1,
      PageDown: activeView + page,
      PageUp: activeView - page,
      Home: 0,
      End: lines.count - 1
    }
    const move = moves[event.key]
    if (move !== undefined) moveTo(move)
    else if (event.key === 'Enter' || event.key === ' ') act(activeView)
    else if (event.key === 'ArrowLeft') {
      if (line?.kind === 'issue') moveTo(lines.viewOf(line.group.code, null))
      else if (line?.open === true) onFold(line.group.code)
    } else if (event.key === 'ArrowRight') {
      if (line?.kind === 'code') {
        if (line.open) moveTo(activeView + 1)
        else onFold(line.group.code)
      }
    } else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const views = Array.from({ length: Math.max(0, drawn.last - drawn.first) }, (_, index) => drawn.first + index)
  const size: CSSProperties & { '--line-digits': number } = { '--line-digits': formatCount(lineCount).length }
  return (
    <div
      ref={setTree}
      role="tree"
      aria-label="Issues by code"
      className="issue-tree fill"
      tabIndex={0}
      style={size}
      {...(activeView >= drawn.first && activeView < drawn.last && { 'aria-activedescendant': `issues-${activeView}` })}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <div className="issue-lines" style={{ height: space }}>
        <div style={{ transform: `translateY(${drawn.top}px)` }}>
          {views.map((view) => {
            const line = lines.lineAt(view)
            if (line === undefined) return null
            const issue = line.kind === 'issue' ? pages.get({ code: line.group.code, at: line.at }) : undefined
            return (
              <IssueRow key={view % drawn.slots} view={view} line={line} issue={issue} active={view === activeView} />
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Makes an issue active when the playhead reaches its row. */
function useActiveOfPlayhead(pages: IssuePages, active: Place | null, setActive: (place: Place) => void): void {
  const row = useLog((log) => log.row)
  const hasIssue = useLog((log) => log.row >= 0 && log.columns.severityAt(log.row) !== 'none')
  const known = pages.codes !== null
  const latest = useRef(active)
  useEffect(() => {
    latest.current = active
  }, [active])
  useEffect(() => {
    if (!hasIssue || !known) return
    const at = latest.current
    if (at !== null && at.at !== null && pages.get({ code: at.code, at: at.at })?.row === row) return
    let isWanted = true
    pages
      .placeOf(row)
      .then((place) => {
        if (isWanted && place !== null) setActive(place)
      })
      // The issue is only not highlighted; host errors are shown elsewhere.
      .catch(() => {})
    return () => {
      isWanted = false
    }
  }, [pages, known, row, hasIssue, setActive])
}
