import type { TodoSnapshot } from '#contract/methods.ts'
import type { TodoStatus } from '#core/events/todo.ts'
import { formatClock, formatCount, formatDuration, formatPlural, formatShortDuration } from '../../ui/format.ts'
import { statusWords } from './status-words.ts'
import type { ItemAge } from './todo-line.tsx'

/** The point from which a list is seen: an event and its time in ms; null if unknown. */
export interface Moment {
  readonly seq: number
  readonly time: number | null
}

/** How long the item at `place` has had its status at `now`: as time, or in events if times are unknown. */
export function itemAge({ items, since, sinceSeq, tookMs }: TodoSnapshot, place: number, now: Moment): ItemAge | null {
  const [item, begun, begunSeq] = [items[place], since[place], sinceSeq[place]]
  if (item === undefined || begun === undefined || begunSeq === undefined) return null
  const status = statusWords[item.status]
  const events = Math.max(0, now.seq - begunSeq)
  const isOver = item.status === 'completed' || item.status === 'cancelled'
  const title = (span: string) => (isOver ? `${status} ${span} ago, ` : `${status} for ${span}, since `)
  const beginning = `event ${formatCount(begunSeq)}`
  const ms = tookMs[place] ?? null
  const took = ms === null ? null : `took ${formatShortDuration(ms)}`
  const work = ms === null ? '' : `. In progress for ${formatDuration(ms)} before.`
  if (now.time === null) {
    return {
      text: ageText(item.status, `${formatCount(events)} ev`),
      took,
      title: title(formatPlural(events, 'event')) + beginning + work
    }
  }
  // docs/formats/README.md#times-may-go-backwards: a negative age means nothing.
  const age = Math.max(0, now.time - begun)
  return {
    text: ageText(item.status, formatShortDuration(age)),
    took,
    title: `${title(formatDuration(age))}${beginning} at ${formatClock(begun)}${work}`
  }
}

/** What the span measures, in words. */
function ageText(status: TodoStatus, span: string): string {
  switch (status) {
    case 'completed':
      return `done ${span} ago`
    case 'cancelled':
      return `cancelled ${span} ago`
    case 'in_progress':
    case 'pending':
      return `for ${span}`
  }
}
