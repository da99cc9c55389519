import { lastOf, type SessionCard } from './session-card.ts'

/** The day of each card. Caches the last day, as the time zone is slow and neighbours mostly share a day. */
export function days(): (card: SessionCard) => string {
  let from = 1
  let to = 0
  let key = ''
  return (card) => {
    const last = lastOf(card)
    if (last >= from && last < to) return key
    const date = new Date(last)
    const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
    from = new Date(year, month, day).getTime()
    to = new Date(year, month, day + 1).getTime()
    key = `${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`
    return key
  }
}
