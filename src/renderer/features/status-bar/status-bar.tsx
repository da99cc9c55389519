import './status-bar.css'
import { useContext, useSyncExternalStore } from 'react'
import type { LogStatus } from '#contract/methods.ts'
import type { IssueSeverity } from '#core/formats/issue.ts'
import { keyText, useTooltip, useWorkingKeys } from '../../ui/shown-keys.ts'
import { useApp, useLost } from '../../stores/app-store.ts'
import { useLibraryShown } from '../../stores/use-library.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { useShownComparison } from '../../stores/use-compare.ts'
import { useLogUsage } from '../../stores/use-log-usage.ts'
import { type LogState, LogStoreContext } from '../../stores/log-store.ts'
import { formatPlural } from '../../ui/format.ts'
import { Icon, severityLook } from '../../ui/icons.tsx'
import { TokensText } from '../../ui/tokens-text.tsx'
import { readPart, runSize } from '../../stores/run-size.ts'
import { useCalmText, useReadingRate } from './reading.ts'
import { useGrowth } from '../live/growth.ts'
import { LibraryPhase, LibraryStatusItems, useLibrarySentence } from '../library/library-status.tsx'
import { LiveDot } from '../live/live-dot.tsx'
import {
  contentTexts,
  failedText,
  issueTexts,
  liveText,
  type ReadingRate,
  type ShownLog,
  statusSentence,
  waitingText
} from './status-text.ts'

/** Time between announcements while a log is read, and while it grows, in ms. */
const announceEveryMs = 2000
const calmWhileLive = 10_000

/** The contents, reading progress and issues of the log, and the most important keys. */
export function StatusBar() {
  const log = useApp((app) => app.logs.find((status) => status.log === app.active))
  const rate = useReadingRate(log)
  const growth = useGrowth(log?.log)
  const lost = useLost()
  const shown = useShownLog()
  const store = useContext(LogStoreContext)
  const library = useLibraryShown()
  const librarySentence = useLibrarySentence()
  const noLog = library ? librarySentence : 'No log open'
  const sentence = lost ? lostText : log ? statusSentence(log, rate, growth !== null, shown.loaded) : noLog
  const changing = log !== undefined && !lost && (log.phase === 'reading' || growth !== null || !shown.loaded)
  const announced = useCalmText(sentence, changing ? log.log : null, growth === null ? announceEveryMs : calmWhileLive)
  return (
    <footer className="status-bar hstack t2 caption">
      <span role="status" className="unseen">
        {announced}
      </span>
      {log !== undefined ? (
        <Content log={log} />
      ) : library ? (
        <LibraryStatusItems />
      ) : (
        <span aria-hidden="true">No log open</span>
      )}
      <span className="grow" />
      {lost ? (
        <span className="status-item s-malformed" aria-hidden="true">
          <Icon name="lost" size={12} />
          {lostText}
        </span>
      ) : (
        <>
          {store !== null ? <LogHints /> : <Hints hints={library ? libraryHints : []} />}
          {log === undefined && library && <LibraryPhase />}
          {log !== undefined && <Progress log={log} rate={rate} growth={growth} shown={shown} />}
        </>
      )}
    </footer>
  )
}

/** A banner above the rows offers what to do. */
const lostText = 'Connection lost'

function Content({ log }: { log: LogStatus }) {
  const tooltip = useTooltip()
  const store = useContext(LogStoreContext)
  const texts = [...contentTexts(log), waitingText(log)].filter((text) => text !== '')
  return (
    <>
      {texts.map((text, position) => (
        <span key={position} className="status-item" aria-hidden="true">
          {text}
        </span>
      ))}
      {store !== null && <LogTokens />}
      {log.failedCalls > 0 && (
        <button
          type="button"
          className="status-item status-issues k-error"
          title={tooltip('Next failed call', 'e')}
          onClick={() => {
            if (store !== null) goToNextFailed(store.getState())
          }}
        >
          <Icon name="error" size={12} />
          {failedText(log)}
        </button>
      )}
      {issueTexts(log).map(({ severity, text }) => {
        const { icon, tone } = severityLook(severity)
        return (
          <button
            key={severity}
            type="button"
            className={`status-item status-issues ${tone}`}
            title={`Next ${severity === 'malformed' ? 'malformed line' : severity}`}
            onClick={() => {
              if (store !== null) goToNext(store.getState(), severity)
            }}
          >
            <Icon name={icon} size={12} />
            {text}
          </button>
        )
      })}
    </>
  )
}

/** Tokens of all requests so far. */
function LogTokens() {
  const usage = useLogUsage()
  if (usage === null) return null
  return <TokensText className="status-item" totals={usage} />
}

/** Selects the next failed call; after the last one, the first. */
function goToNextFailed(log: LogState): void {
  const { failedCalls, row } = log
  const next = failedCalls.next(row, 1, () => true)
  const target = next < 0 ? failedCalls.results[0] : next
  if (target === undefined) return
  log.playhead.select(target)
  log.inspecting.show('event')
}

/** Selects the next row whose worst issue is of `severity`; after the last one, the first. */
function goToNext(log: LogState, severity: IssueSeverity): void {
  const { columns } = log
  for (let step = 1; step <= columns.rows; step++) {
    const row = (Math.max(log.row, -1) + step) % columns.rows
    if (columns.severityAt(row) !== severity) continue
    log.playhead.select(row)
    return log.inspecting.show('issues')
  }
}

interface ProgressProps {
  readonly log: LogStatus
  readonly rate: ReadingRate
  readonly growth: number | null
  readonly shown: ShownLog
}

function Progress({ log, rate, growth, shown }: ProgressProps) {
  const part = readPart(runSize(log))
  const isLost = log.fileState !== 'there'
  return (
    <span
      className={isLost ? 'status-item s-violation' : 'status-item'}
      aria-hidden="true"
      title={log.savedRows > 0 ? `${formatPlural(log.savedRows, 'row')} from the saved index` : undefined}
    >
      {log.phase === 'reading' && (
        <span className="bar status-progress">
          <i style={{ width: `${part * 100}%` }} />
        </span>
      )}
      {isLost && <Icon name="gone" size={12} />}
      {growth !== null && !isLost && <LiveDot />}
      {liveText(log, rate, growth, shown)}
    </span>
  )
}

function useShownLog(): ShownLog {
  const store = useContext(LogStoreContext)
  const subscribe = store?.subscribe ?? neverChanges
  const following = useSyncExternalStore(subscribe, () => store?.getState().following ?? false)
  // Rows that failed to load are not pending.
  const loaded = useSyncExternalStore(
    subscribe,
    () => store !== null && (store.getState().isComplete || store.getState().loadError !== null)
  )
  return { loaded, following }
}

function neverChanges(): () => void {
  return () => {}
}

const logHints = [
  [['ArrowLeft', 'ArrowRight'], 'event'],
  [['[', ']'], 'todo change'],
  [['e', 'E'], 'failed call'],
  [[',', '.'], 'issue'],
  [[' '], 'play']
] as const

const filesHints = [
  [['Alt ←', 'Alt →'], 'version of the file'],
  [['s', 'S'], 'call of this file'],
  [['Enter'], 'event of a line'],
  [[' '], 'play']
] as const

const compareHints = [
  [['ArrowLeft', 'ArrowRight'], 'row'],
  [['d', 'D'], 'difference'],
  [['z'], 'fold equal'],
  [['Enter'], 'open in its log']
] as const

const libraryHints = [
  [['ArrowUp', 'ArrowDown'], 'session'],
  [['Enter'], 'open'],
  [[' '], 'preview'],
  [['/'], 'search']
] as const

function LogHints() {
  const view = useLayout((layout) => layout.view)
  const isComparing = useShownComparison() !== null
  return <Hints hints={isComparing ? compareHints : view === 'files' ? filesHints : logHints} />
}

function Hints({ hints }: { hints: readonly (readonly [keys: readonly string[], what: string])[] }) {
  const working = useWorkingKeys()
  const shown = hints
    .map(([keys, what]) => ({ keys: keys.flatMap((key) => working(key).slice(0, 1)), all: keys.length, what }))
    .filter(({ keys, all }) => keys.length === all)
  return (
    <span className="status-hints" aria-hidden="true">
      {shown.map(({ keys, what }) => (
        <span key={what} className="status-item">
          {keys.map((key) => (
            <kbd key={key}>{keyText(key)}</kbd>
          ))}
          {what}
        </span>
      ))}
      <span className="status-item">
        {working('Mod+k')
          .slice(0, 1)
          .map((key) => (
            <kbd key={key}>{keyText(key)}</kbd>
          ))}
        commands
      </span>
    </span>
  )
}
