import type { KeyboardEvent } from 'react'
import { hitAt } from '../../stores/find-hits.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatCount, formatPercent, formatPlural } from '../../ui/format.ts'
import { SearchField } from '../../ui/search-field.tsx'
import type { TextHits } from '../../stores/finding.ts'
import type { FindState } from '../../stores/log-find.ts'

/** Searches the log while a person types. Enter goes to the next match; Escape stops or leaves the search. */
export function FindField() {
  const find = useLog((log) => log.find)
  const textHits = useLog((log) => log.textHits)
  const reading = useLog((log) => log.status.phase === 'reading')
  const active = useLog((log) => hitAt(log.find.hits, log.row))
  const { finding } = useLogParts()
  const noHits = textHits === null ? find.hits.length === 0 : textHits.count === 0

  const onKey = ({ key, shiftKey, currentTarget }: KeyboardEvent) => {
    if (key === 'Escape' && find.searching) finding.stop()
    else if (key === 'Enter' || key === 'Escape') {
      if (key === 'Enter') finding.next(shiftKey ? -1 : 1)
      currentTarget.closest('.app')?.querySelector<HTMLElement>('[role="grid"]')?.focus()
    } else return false
    return true
  }

  return (
    <SearchField
      label="Find"
      placeholder={textHits === null ? 'Find in log' : 'Find in this file'}
      query={find}
      onChange={(change) => finding.setQuery(change)}
      onKey={onKey}
      error={find.error}
      progress={find.searching ? find.part : null}
      found={
        find.text !== '' && (
          <span
            className="num caption t2 find-count"
            // Screen readers announce the result, not counts that change ten times a second.
            aria-live={find.searching ? 'off' : 'polite'}
            {...(find.stopped && { title: `Stopped at ${formatPercent(find.part)} of the log` })}
          >
            {textHits === null ? findCountText(find, active, reading) : textCountText(find, textHits)}
          </span>
        )
      }
      buttons={
        <>
          <IconButton
            small
            icon="up"
            label="Previous match"
            keys="N"
            disabled={noHits}
            onClick={() => finding.next(-1)}
          />
          <IconButton small icon="down" label="Next match" keys="n" disabled={noHits} onClick={() => finding.next(1)} />
        </>
      }
    />
  )
}

/** "2 of 12 in this file". */
function textCountText({ error }: FindState, { count, at }: TextHits): string {
  return error?.invalid === true ? '' : `${countText(count, at)} in this file`
}

/** "17 of 128", "128 matches", "1,204 matches, 37%", "…" while unknown. `active`: index of the current match, or -1. */
function findCountText(find: FindState, active: number, reading: boolean): string {
  const { searching, found, part, stopped, error } = find
  if (error?.invalid === true) return ''
  if (searching && found === null) return '…'
  const count = found ?? 0
  if (count === 0 && error !== null) return 'failed'
  if (searching)
    return `${count === 0 ? '0 matches' : countText(count, active)}, ${formatPercent(Math.min(part, 0.99))}`
  if (stopped) return `${countText(count, active)}, stopped`
  return countText(count, active) + (reading ? '…' : '')
}

function countText(count: number, active: number): string {
  if (count === 0) return 'no matches'
  return active < 0 ? formatPlural(count, 'match', 'matches') : `${formatCount(active + 1)} of ${formatCount(count)}`
}
