import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import type { FileVersionStep } from '../../stores/touched-files.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatCount, formatFullTime } from '../../ui/format.ts'
import { useSize } from '../../ui/use-size.ts'
import { stepNames } from './file-words.ts'

/** Px from one version to the next. */
const versionWidth = 52
/** Versions that PageUp and PageDown pass. */
const someVersions = 10

/** The version at an event: the last one up to it; -1: none yet. */
export function versionAt(versions: readonly FileVersionStep[], seq: number): number {
  return versions.findLastIndex((version) => version.seq <= seq)
}

/** The events about a file on a line. It moves the playhead, and shows those around it if not all fit. */
export function FileVersions({ versions }: { versions: readonly FileVersionStep[] }) {
  const { playhead } = useLogParts()
  const seq = useLog((log) => log.seq)
  const columns = useLog((log) => log.columns)
  const [line, setLine] = useState<HTMLElement | null>(null)
  const { width } = useSize(line)
  const [dragging, setDragging] = useState(false)
  const at = versionAt(versions, seq)
  const fit = Math.max(3, Math.floor(width / versionWidth))
  const first = Math.max(0, Math.min(versions.length - fit, Math.max(0, at) - Math.floor(fit / 2)))
  const drawn = versions.slice(first, first + fit)
  const space = drawn.length < 2 ? width / 2 : Math.min(120, width / drawn.length)
  const goTo = (wanted: number) => {
    const version = versions[Math.max(0, Math.min(versions.length - 1, wanted))]
    if (version !== undefined) playhead.select(version.row)
  }
  const nameOf = ({ what, seq: of }: FileVersionStep) => `${stepNames[what]} ${formatCount(of)}`
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ...{ ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0 },
      ...{ End: versions.length - 1, PageUp: at - someVersions, PageDown: at + someVersions }
    }[event.key]
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    goTo(to)
    event.preventDefault()
    event.stopPropagation()
  }
  const onPointer = (event: PointerEvent) => {
    const x = event.clientX - (line?.getBoundingClientRect().left ?? 0)
    goTo(first + Math.max(0, Math.min(drawn.length - 1, Math.floor(x / space))))
  }
  const now = versions[at]
  return (
    <div className="file-versions hstack rigid">
      <IconButton
        small
        icon="left"
        label="Previous version"
        keys="Alt ←"
        disabled={at <= 0}
        onClick={() => goTo(at - 1)}
      />
      <div
        ref={setLine}
        className="versions-line"
        role="slider"
        aria-label="Version of the file"
        aria-valuemin={0}
        aria-valuemax={versions.length}
        aria-valuenow={at + 1}
        aria-valuetext={
          now === undefined
            ? `before the first of ${formatCount(versions.length)}`
            : `${nameOf(now)}, ${formatCount(at + 1)} of ${formatCount(versions.length)}`
        }
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDragging(true)
          onPointer(event)
        }}
        onPointerMove={(event) => {
          if (dragging) onPointer(event)
        }}
        onPointerUp={() => setDragging(false)}
        onPointerCancel={() => setDragging(false)}
      >
        <i className="versions-all" style={{ width: `${drawn.length * space}px` }} />
        {drawn.map((version, offset) => {
          const number = first + offset
          const when = columns.time[version.row] ?? NaN
          return (
            <span
              key={number}
              className={`version${version.isChange ? ' edit' : ''}${number === at ? ' now' : ''}${number > at ? ' later' : ''}`}
              style={{ left: `${offset * space}px`, width: `${space}px` }}
              title={[nameOf(version), formatFullTime(when)].filter((text) => text !== '').join('\n')}
            >
              <i />
              <span className="num">{number === at ? nameOf(version) : formatCount(version.seq)}</span>
            </span>
          )
        })}
      </div>
      <span className="t3 caption num">
        {formatCount(at + 1)} of {formatCount(versions.length)}
      </span>
      <IconButton
        small
        icon="right"
        label="Next version"
        keys="Alt →"
        disabled={at >= versions.length - 1}
        onClick={() => goTo(at + 1)}
      />
    </div>
  )
}
