import { useSyncExternalStore } from 'react'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatClock, formatCount, formatMillis, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { ListGrid, type ListLine } from '../../ui/list-grid.tsx'
import { TodoPips } from '../timeline/todo-pips.tsx'
import type { TodoSnapshot } from '#contract/methods.ts'
import { displayText } from '../../ui/display-text.ts'
import { changedItems, listChanges } from '../todos/list-changes.ts'

/** All todo lists of the session in order. A click or an arrow key moves the playhead to one. */
export function SnapshotTable() {
  const { todos, playhead, stepping } = useLogParts()
  const { seq, moved } = useLog('seq', 'moved', 'version')
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  const here = todos.indexAt(seq)
  const heads = (
    <div role="row" aria-rowindex={1} className="snapshot snapshot-heads list-head t3">
      <span role="columnheader">Event</span>
      <span role="columnheader">Time</span>
      <span role="columnheader">List</span>
      <span role="columnheader">Progress</span>
      <span role="columnheader">Change</span>
    </div>
  )
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
      <ListGrid
        label="Todo snapshots"
        className="snapshot-grid"
        heads={heads}
        count={todos.count}
        here={here}
        // Those of the session.
        hasEnds={false}
        onMove={(to) => playhead.placeEvent(todos.seqAt(to))}
        line={(at, line) => (
          <SnapshotLine
            {...line}
            at={at}
            future={moved && at > here}
            onClick={() => playhead.placeEvent(todos.seqAt(at))}
          />
        )}
      />
    </div>
  )
}

function SnapshotLine({
  id,
  index,
  here,
  at,
  future,
  onClick
}: ListLine & { at: number; future: boolean; onClick: () => void }) {
  const { todos, columns } = useLogParts()
  const seq = todos.seqAt(at)
  const track = todos.trackAt(at)
  const time = columns.timeOfSeq(seq) ?? NaN
  const completed = todos.completedAt(at)
  const total = todos.totalAt(at)
  const former = todos.indexAt(seq - 1, track)
  const more = completed - (former < 0 ? 0 : todos.completedAt(former))
  const snapshot = todos.snapshot(at)
  const label = useLog((log) => log.status.tracks[track]?.label ?? '')
  const change = snapshot === undefined ? '' : changeText(snapshot)
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index}
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
