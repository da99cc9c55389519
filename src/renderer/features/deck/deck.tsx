import './deck.css'
import { type PlayerRate, playerRates } from '#core/replay/player.ts'
import { useShared } from '../../stores/app-store.ts'
import { useLog } from '../../stores/log-store.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { formatCount, formatDuration, formatPlural, formatTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'
import { deckNote } from './deck-note.ts'
import { usePlayer } from './use-player.ts'

/** Transport: step, play, how fast, where the playhead is, and what play or the last step came to. */
export function Deck() {
  const tooltip = useTooltip()
  const log = useLog((state) => state)
  const grows = useShared() === null
  const { columns, following, playhead, player, status } = log
  usePlayer()
  const time = columns.timeOfSeq(playhead) ?? NaN
  const { firstTimestamp: first, lastTimestamp: last } = status
  // `codex exec --json` states one time, that of its session: how far a later event is in is not known.
  const elapsed = first === last ? NaN : time - (first ?? NaN)
  const atStart = playhead <= 0
  const atEnd = playhead >= columns.events - 1
  const note = deckNote(log)

  return (
    <div className="deck">
      <div className="deck-keys">
        <IconButton icon="first" label="First event" keys="Home" disabled={atStart} onClick={log.home} />
        <IconButton
          icon="left"
          label="Previous event"
          keys="ArrowLeft"
          disabled={atStart}
          onClick={() => log.step(-1)}
        />
        <button
          type="button"
          className="btn square primary"
          aria-label={player.playing ? 'Pause' : 'Play'}
          title={tooltip(player.playing ? 'Pause' : 'Play', ' ')}
          disabled={columns.events === 0}
          onMouseDown={keepFocus}
          onClick={log.togglePlay}
        >
          <Icon name={player.playing ? 'pause' : 'play'} />
        </button>
        <IconButton icon="right" label="Next event" keys="ArrowRight" disabled={atEnd} onClick={() => log.step(1)} />
        <IconButton icon="last" label="Last event" keys="End" disabled={atEnd} onClick={log.end} />
        {grows && (
          <IconButton
            icon="follow"
            label="Follow the end"
            keys="f"
            pressed={following}
            disabled={status.phase === 'failed'}
            onClick={() => log.follow(!following)}
          />
        )}
        <span className="grow" />
        <RateChoice rate={player.rate} onChange={log.setRate} />
      </div>
      <div
        className="deck-position num"
        title={playhead < 0 ? undefined : `The playhead is on event ${formatCount(playhead)}; the first is event 0.`}
      >
        {playhead < 0 ? '–' : formatCount(playhead + 1)}
        <small>
          {' '}
          / {formatPlural(columns.events, 'event')}
          {status.phase === 'reading' && '…'}
        </small>
      </div>
      <div className="deck-foot">
        {/* Said aloud; the time is not, which changes with every event. */}
        <div className="deck-note cut" aria-live="polite" title={note?.text}>
          {note !== null && (
            <>
              {note.icon !== undefined && <Icon name={note.icon} size={12} tone={note.tone} />}
              <span className="cut">{note.text}</span>
            </>
          )}
        </div>
        {note === null && (
          <div
            className="deck-clock num"
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
          pressed={player.atIssues}
          onClick={() => log.setStopAtIssues(!player.atIssues)}
        />
      </div>
    </div>
  )
}

function RateChoice({ rate, onChange }: { rate: PlayerRate; onChange: (rate: PlayerRate) => void }) {
  const tooltip = useTooltip()
  return (
    <label className="deck-rate num" title={tooltip('Speed', '<', '>')}>
      <select
        aria-label="Speed"
        value={rate}
        onChange={(event) => {
          const chosen = playerRates.find((known) => String(known) === event.target.value)
          if (chosen !== undefined) onChange(chosen)
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
