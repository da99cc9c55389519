import { useEffect, useSyncExternalStore } from 'react'
import { useLogParts, useStatus } from '../../stores/log-store.ts'
import { formatCount, formatTime } from '../../ui/format.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { rowMembers, rowView } from '../timeline/row-view.ts'
import { TodoPips } from '../timeline/todo-pips.tsx'

/** The event at `x` under the pointer, and the todo list at that time. The bubble is kept within `room` px. */
export function ScrubberBubble({ seq, x, room }: { seq: number; x: number; room: number }) {
  const { columns, summaries } = useLogParts()
  const status = useStatus(...rowMembers)
  const row = columns.rowOfSeq[seq] ?? 0
  useSyncExternalStore(summaries.changes.subscribe, summaries.changes.getVersion)
  useEffect(() => {
    summaries.request('scrubber', [row])
    return () => summaries.request('scrubber', [])
  }, [summaries, row])
  const view = rowView({ columns, status, summaries }, row)
  const look = rowLook(view.kind, view.tool)
  const left = Math.min(x, room)
  const share = room === 0 ? 0 : (left / room) * 100
  return (
    <div className="bubble axis-bubble" style={{ left, transform: `translateX(-${share}%)` }}>
      <div className="facts">
        {!Number.isNaN(view.time) && <span>{formatTime(view.time)}</span>}
        <span>event {formatCount(seq)}</span>
        <span>line {formatCount(view.line)}</span>
      </div>
      <div className="event hstack">
        <Icon name={look.icon} tone={look.tone} />
        <span className="medium">{view.label}</span>
        <span className={view.summary?.mono === true ? 'cut mono' : 'cut'}>{view.summary?.text ?? ''}</span>
      </div>
      <TodosThen seq={seq} />
    </div>
  )
}

function TodosThen({ seq }: { seq: number }) {
  const { todos } = useLogParts()
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  const index = todos.indexAt(seq)
  if (index < 0) return null
  const completed = todos.completedAt(index)
  const total = todos.totalAt(index)
  const statuses = todos.snapshot(index)?.items.map((item) => item.status) ?? []
  return (
    <div className="event hstack">
      <Icon name="todos" tone="k-todo" />
      <TodoPips statuses={statuses} total={total} completed={completed} />
      <span className="num medium">
        {completed}/{total}
      </span>
    </div>
  )
}
