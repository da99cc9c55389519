import { useEffect, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatClock, formatCount, formatPlural } from '../../ui/format.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { rowLabel } from '../../ui/row-label.ts'
import { Failed } from '../inspector/failed.tsx'
import { RowLink } from '../inspector/row-link.tsx'
import { deedWords } from './file-words.ts'

/** Pause between requests while the versions of the file are looked at. */
const pauseMs = 10

/** Lines of a version of a file: from 0, `to` exclusive. */
export interface AskedLines {
  readonly file: number
  readonly seq: number
  readonly from: number
  readonly to: number
}

type LineEvents = Pick<Result<'log.fileLines'>, 'further'> & {
  readonly events: NonNullable<Result<'log.fileLines'>['events']>
}

/** A component of its own for other lines (`key`). All events about some lines of a file: those that wrote, showed or may have changed them. */
export function LineEventList({ asked, onClose }: { asked: AskedLines; onClose: () => void }) {
  const { answer, progress, error, retry } = useLineEvents(asked)
  const row = useLog((log) => log.row)
  const columns = useLog((log) => log.columns)
  const tools = useLog((log) => log.status.tools)
  const { from, to, seq } = asked
  const lines = to - from === 1 ? `line ${formatCount(to)}` : `lines ${formatCount(from + 1)} to ${formatCount(to)}`
  return (
    <section className="line-events vstack rigid" aria-label={`Events about ${lines}`}>
      <header className="panel-head hstack rigid">
        <h3 className="medium">Events about {lines}</h3>
        <span className="t3 caption">as they were at event {formatCount(seq)}</span>
        <span className="grow" />
        <IconButton small icon="close" label="Close the events" onClick={onClose} />
      </header>
      {error !== null ? (
        <Failed what="The events" message={error} onRetry={retry} />
      ) : answer === null ? (
        <p className="panel-note t3" role="status">
          Looking at the versions of the file: {formatCount(progress.done)} of {formatCount(progress.of)}…
        </p>
      ) : answer.events.length === 0 ? (
        <p className="panel-note t3">No event of this log wrote or showed them.</p>
      ) : (
        <ol>
          {answer.further > 0 && (
            <li className="t3">{formatPlural(answer.further, 'earlier event')} are not listed.</li>
          )}
          {answer.events.map((event) => {
            const tool = tools[(columns.tool[event.row] ?? 0) - 1] ?? null
            const call = columns.pairOf[event.row] ?? -1
            const look = rowLook(call < 0 ? columns.kindAt(event.row) : 'tool', tool)
            return (
              <li key={event.row} className="hstack" data-here={event.row === row || undefined}>
                <Icon name={look.icon} size={14} tone={look.tone} />
                <RowLink row={event.row} />
                <span>{rowLabel('tool', tool)}</span>
                <span className="t2 grow cut">{deedWords[event.did]}</span>
                <span className="t3 num caption">{formatClock(columns.time[event.row] ?? NaN)}</span>
              </li>
            )
          })}
        </ol>
      )}
    </section>
  )
}

function useLineEvents({ file, seq, from, to }: AskedLines) {
  const { host, id: log } = useLogParts()
  const [answer, setAnswer] = useState<LineEvents | null>(null)
  const [progress, setProgress] = useState({ done: 0, of: 1 })
  const [error, setError] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let over = false
    const ask = async () => {
      for (;;) {
        const page = await host.call('log.fileLines', { log, file, seq, from, to })
        if (over) return
        if (page.problem !== null) return setError(page.problem)
        if (page.events !== null && page.read >= page.rows)
          return setAnswer({ events: page.events, further: page.further })
        if (page.making !== null) setProgress(page.making)
        await new Promise((resume) => setTimeout(resume, pauseMs))
      }
    }
    ask().catch((failure: unknown) => {
      if (!over) setError(messageOf(failure))
    })
    return () => {
      over = true
    }
  }, [host, log, file, seq, from, to, attempt])
  const retry = () => {
    setError(null)
    setAttempt(attempt + 1)
  }
  return { answer, progress, error, retry }
}
