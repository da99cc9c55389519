import './deck.css'
import { useShallow } from 'zustand/react/shallow'
import { playerRates } from '#core/replay/player.ts'
import { useShared } from '../../stores/app-store.ts'
import { useLog, useLogParts, useStatus } from '../../stores/log-store.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { formatCount, formatDuration, formatPlural, formatTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'
import { deckNote } from './deck-note.ts'
import { useEffect } from 'react'

/** Playback controls: step, play, speed, position, and a note about the last action. */
export function Deck() {
  const { columns, playing, stepping } = useLogParts()
  const { following, seq } = useLog('following', 'seq', 'version')
  const { phase, firstTimestamp: first, lastTimestamp: last } = useStatus('phase', 'firstTimestamp', 'lastTimestamp')
  const atIssues = useLog((log) => log.player.atIssues)
  const note = useLog(useShallow(deckNote))
  const grows = useShared() === null
  usePlayer()
  const time = columns.timeOfSeq(seq) ?? NaN
  // `codex exec --json` states only the session's start time, so the time of later events is unknown.
  const elapsed = first === last ? NaN : time - (first ?? NaN)
  const atStart = seq <= 0
  const atEnd = seq >= columns.events - 1

  return (
    <div className="deck vstack">
      <div className="deck-keys">
        <IconButton icon="first" label="First event" keys="Home" disabled={atStart} onClick={() => stepping.home()} />
        <IconButton
          icon="left"
          label="Previous event"
          keys="ArrowLeft"
          disabled={atStart}
          onClick={() => stepping.step(-1)}
        />
        <PlayButton disabled={columns.events === 0} />
        <IconButton
          icon="right"
          label="Next event"
          keys="ArrowRight"
          disabled={atEnd}
          onClick={() => stepping.step(1)}
        />
        <IconButton icon="last" label="Last event" keys="End" disabled={atEnd} onClick={() => stepping.end()} />
        {grows && (
          <IconButton
            icon="follow"
            label="Follow the end"
            keys="f"
            pressed={following}
            disabled={phase === 'failed'}
            onClick={() => stepping.follow(!following)}
          />
        )}
        <span className="grow" />
        <RateChoice />
      </div>
      <div
        className="deck-position num"
        title={seq < 0 ? undefined : `The playhead is on event ${formatCount(seq)}; the first is event 0.`}
      >
        {seq < 0 ? '–' : formatCount(seq + 1)}
        <small>
          {' '}
          / {formatPlural(columns.events, 'event')}
          {phase === 'reading' && '…'}
        </small>
      </div>
      <div className="deck-foot hstack t2 caption">
        {/* Announced by screen readers, unlike the time, which changes with every event. */}
        <div className="deck-note hstack cut" aria-live="polite" title={note?.text}>
          {note !== null && (
            <>
              {note.icon !== undefined && <Icon name={note.icon} size={12} tone={note.tone} />}
              <span className="cut">{note.text}</span>
            </>
          )}
        </div>
        {note === null && (
          <div
            className="deck-clock grow num"
            title={Number.isNaN(elapsed) ? undefined : `${formatDuration(elapsed)} since the first event`}
          >
            <span>{formatTime(time)}</span>
            <span>{Number.isNaN(elapsed) ? '' : `${formatDuration(elapsed)} in`}</span>
          </div>
        )}
        <IconButton
          small
          icon="pause-at"
          label="Pause at issues"
          keys="!"
          pressed={atIssues}
          onClick={() => playing.stopAtIssues(!atIssues)}
        />
      </div>
    </div>
  )
}

/** Plays the log, or pauses. */
export function PlayButton({ disabled }: { disabled: boolean }) {
  const tooltip = useTooltip()
  const { playing } = useLogParts()
  const isPlaying = useLog((log) => log.player.playing)
  return (
    <button
      type="button"
      className="btn square primary"
      aria-label={isPlaying ? 'Pause' : 'Play'}
      title={tooltip(isPlaying ? 'Pause' : 'Play', ' ')}
      disabled={disabled}
      onMouseDown={keepFocus}
      onClick={() => playing.toggle()}
    >
      <Icon name={isPlaying ? 'pause' : 'play'} />
    </button>
  )
}

/** The speed at which the log is played. */
export function RateChoice() {
  const tooltip = useTooltip()
  const { playing } = useLogParts()
  const rate = useLog((log) => log.player.rate)
  return (
    <label className="deck-rate num" title={tooltip('Speed', '<', '>')}>
      <select
        aria-label="Speed"
        value={rate}
        onChange={(event) => {
          const chosen = playerRates.find((known) => String(known) === event.target.value)
          if (chosen !== undefined) playing.setRate(chosen)
        }}
      >
        {playerRates.map((known) => (
          <option key={known} value={known}>
            {known === 'step' ? 'step' : `${known}×`}
          </option>
        ))}
      </select>
      <Icon name="down" size={12} />
    </label>
  )
}

/** In ms. A page that was hidden does not catch up. */
const longestFrameMs = 250

/** Advances the player in each frame while it plays. */
export function usePlayer(): void {
  const { playing } = useLogParts()
  const isPlaying = useLog((log) => log.player.playing)
  useEffect(() => {
    if (!isPlaying) return
    let before: number | null = null
    let frame = requestAnimationFrame(function pass(now) {
      playing.advance(Math.min(longestFrameMs, now - (before ?? now)))
      before = now
      frame = requestAnimationFrame(pass)
    })
    return () => cancelAnimationFrame(frame)
  }, [playing, isPlaying])
}
