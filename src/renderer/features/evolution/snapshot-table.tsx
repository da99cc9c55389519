import '../../ui/row-list.css'
import { type KeyboardEvent, useEffect, useId, useSyncExternalStore } from 'react'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatClock, formatCount, formatMillis, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { useRowScroll } from '../../ui/use-row-scroll.ts'
import { TodoPips } from '../timeline/todo-pips.tsx'
import type { TodoSnapshot } from '#contract/methods.ts'
import { displayText } from '../../ui/display-text.ts'
import { changedItems, listChanges } from '../todos/list-changes.ts'

const lineHeight = 24
const sizes = { line: lineHeight, head: lineHeight }

/** All todo lists of the session in order. A click or an arrow key moves the playhead to one. */
export function SnapshotTable() {
  const { todos, playhead, stepping } = useLogParts()
  const { seq, moved } = useLog('seq', 'moved', 'version')
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  const { element, setElement, scroll, drawn, space } = useRowScroll(todos.count, sizes)
  const { first, last, top, slots } = drawn
  const here = todos.indexAt(seq)
  useEffect(() => {
    scroll?.hold(here)
    if (here >= 0) scroll?.show(here, true)
  }, [scroll, here])
  const id = useId()

  const move = (index: number) => {
    const to = Math.max(0, Math.min(todos.count - 1, index))
    playhead.placeEvent(todos.seqAt(to))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((element?.clientHeight ?? 0) / lineHeight) - 2)
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }
    const step = steps[event.key]
    if (step === undefined) return
    move(here + step)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="snapshots vstack rigid">
      <Splitter panel="snapshots" edge="top" label="Height of the snapshots" />
      <div className="panel-head hstack rigid">
        <h2>Snapshots</h2>
        <span className="t3 num">
          {here < 0 ? formatCount(todos.count) : `${formatCount(here + 1)} of ${formatCount(todos.count)}`}
        </span>
        <span className="grow" />
        <IconButton small icon="left" label="Previous snapshot" keys="[" onClick={() => stepping.nextTodo(-1)} />
        <IconButton small icon="right" label="Next snapshot" keys="]" onClick={() => stepping.nextTodo(1)} />
      </div>
      <div
        ref={setElement}
        role="grid"
        aria-label="Todo snapshots"
        aria-rowcount={todos.count + 1}
        aria-activedescendant={here >= first && here < last ? `${id}-${here}` : undefined}
        tabIndex={0}
        className="snapshot-grid row-list fill"
        onKeyDown={onKeyDown}
      >
        <div role="row" aria-rowindex={1} className="snapshot snapshot-heads list-head t3">
          <span role="columnheader">Event</span>
          <span role="columnheader">Time</span>
          <span role="columnheader">List</span>
          <span role="columnheader">Progress</span>
          <span role="columnheader">Change</span>
        </div>
        <div className="lane-space" style={{ height: space }}>
          <div className="lane-drawn" style={{ transform: `translateY(${top}px)` }}>
            {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
              const index = first + offset
              return (
                <SnapshotLine
                  key={index % slots}
                  id={`${id}-${index}`}
                  index={index}
                  here={index === here}
                  future={moved && index > here}
                  onClick={() => move(index)}
                />
              )
            })}
          </div>
        </div>
      </div>
    </div>
  )
}

function SnapshotLine({
  id,
  index,
  here,
  future,
  onClick
}: {
  id: string
  index: number
  here: boolean
  future: boolean
  onClick: () => void
}) {
  const { todos, columns } = useLogParts()
  const seq = todos.seqAt(index)
  const track = todos.trackAt(index)
  const time = columns.timeOfSeq(seq) ?? NaN
  const completed = todos.completedAt(index)
  const total = todos.totalAt(index)
  const former = todos.indexAt(seq - 1, track)
  const more = completed - (former < 0 ? 0 : todos.completedAt(former))
  const snapshot = todos.snapshot(index)
  const label = useLog((log) => log.status.tracks[track]?.label ?? '')
  const change = snapshot === undefined ? '' : changeText(snapshot)
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index + 2}
      aria-selected={here}
      className={future ? 'snapshot future' : 'snapshot'}
      data-seq={seq}
      onClick={onClick}
    >
      <span role="gridcell" className="num">
        {formatCount(seq)}
      </span>
      <span role="gridcell" className="num snapshot-time">
        {formatClock(time)}
        <span className="millis">{formatMillis(time)}</span>
      </span>
      <span role="gridcell" className="snapshot-list">
        <TodoPips statuses={snapshot?.items.map((item) => item.status) ?? []} total={total} completed={completed} />
      </span>
      <span role="gridcell" className="num medium">
        {formatCount(completed)}/{formatCount(total)}
        {more !== 0 && (
          <span className={more > 0 ? undefined : 't3'}>
            {more > 0 ? ` +${formatCount(more)}` : ` −${formatCount(-more)}`}
          </span>
        )}
      </span>
      <span role="gridcell" className="snapshot-change hstack">
        {track > 0 && (
          <span className="badge cut" title={label}>
            <Icon name="agent" size={12} tone="k-tool" />
            <span className="cut">{label}</span>
          </span>
        )}
        <span className="cut" dir="auto" title={change}>
          {change}
        </span>
      </span>
    </div>
  )
}

/** Further items of a kind are only counted. */
const maxNamed = 3
const longestText = 80

/** The changes of a list in words: "done: Read it · started: Write it · 4 added". */
function changeText(snapshot: Pick<TodoSnapshot, 'items' | 'changes' | 'moreChanges' | 'edited' | 'returned'>): string {
  const changes = listChanges(snapshot)
  if (changes.length + snapshot.moreChanges === 0) return 'no change'
  const cleared = snapshot.items.length === 0
  // "Cleared" covers all items except the dropped ones.
  const changed = changedItems(changes).filter(({ word }) => !cleared || word === 'dropped')
  const words = changed.map(({ word, texts }) =>
    texts.length > maxNamed
      ? `${formatPlural(texts.length, 'item')} ${word}`
      : `${word}: ${texts.map(oneLine).join(', ')}`
  )
  if (cleared) return ['cleared', ...words].join(' · ')
  if (snapshot.moreChanges > 0) words.push(formatPlural(snapshot.moreChanges, 'more change'))
  return words.join(' · ')
}

function oneLine(text: string): string {
  const line = displayText(text.slice(0, longestText + 1)).replaceAll(/\s+/g, ' ')
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line
}
