import { useMemo, useState } from 'react'
import type { LogComparison } from '#contract/compare.ts'
import type { Comparison, Side } from '../../stores/comparison.ts'
import { useCompare } from '../../stores/use-compare.ts'
import { keepFocus } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { ListGrid, type ListLine } from '../../ui/list-grid.tsx'
import { SideMark } from './side-mark.tsx'

type File = LogComparison['files'][number]

/** Events that are named in a row. */
const maxNamed = 6

/** "1 by both, 2 only by A, none only by B" */
export function filesText({ files, moreFiles }: Pick<LogComparison, 'files' | 'moreFiles'>): string {
  const counts = { both: 0, a: 0, b: 0 }
  for (const { a, b } of files) counts[a === null ? 'b' : b === null ? 'a' : 'both']++
  const more = moreFiles === 0 ? '' : `, and ${formatCount(moreFiles)} more`
  return `${formatCount(counts.both)} by both, ${formatCount(counts.a)} only by A, ${formatCount(counts.b)} only by B${more}`
}

/** The files that the sessions changed, and the events that changed them. */
export function ComparedFiles({ comparison }: { comparison: Comparison }) {
  const { files, moreFiles } = comparison.answer
  const { select } = useCompare('select')
  const [active, setActive] = useState(-1)
  const goTo = (side: Side, seq: number | undefined) => {
    const row = seq === undefined ? -1 : comparison.rowOfEvent(side, seq)
    if (row >= 0) select(row)
  }
  const onKey = ({ key, shiftKey }: { key: string; shiftKey: boolean }) => {
    const file = files[active]
    if (key !== 'Enter' || file === undefined) return false
    const side = (file.a?.length ?? 0) > 0 && !(shiftKey && (file.b?.length ?? 0) > 0) ? 'a' : 'b'
    goTo(side, file[side]?.[0])
    return true
  }
  const heads = useMemo(
    () => (
      <div role="row" aria-rowindex={1} className="compared-file compared-file-heads list-head t3 caption">
        <span role="columnheader">Changed by</span>
        <span role="columnheader">File</span>
        <span role="columnheader">Events in A</span>
        <span role="columnheader">Events in B</span>
      </div>
    ),
    []
  )
  if (files.length === 0) return <p className="panel-note t3">Neither session changed a file.</p>
  return (
    <>
      <ListGrid
        label="Files changed"
        className="compared-files"
        heads={heads}
        count={files.length}
        here={active}
        onMove={setActive}
        onKey={onKey}
        line={(at, line) => {
          const file = files[at]
          return file && <FileLine {...line} file={file} onActive={() => setActive(at)} onGo={goTo} />
        }}
      />
      {moreFiles > 0 && <p className="panel-note t3">{formatPlural(moreFiles, 'more file')} not listed.</p>}
    </>
  )
}

function FileLine({
  id,
  index,
  here,
  file,
  onActive,
  onGo
}: ListLine & { file: File; onActive: () => void; onGo: (side: Side, seq: number) => void }) {
  return (
    <div role="row" id={id} aria-rowindex={index} aria-selected={here} className="compared-file" onClick={onActive}>
      <span role="gridcell" className="hstack">
        {file.a !== null && <SideMark side="a" />}
        {file.b !== null && <SideMark side="b" />}
      </span>
      <span role="gridcell" className="mono cut" title={file.path}>
        <bdi>{displayText(file.path)}</bdi>
      </span>
      {(['a', 'b'] as const).map((side) => (
        <span key={side} role="gridcell" className="hstack num cut">
          <EventLinks side={side} events={file[side]} onGo={onGo} />
        </span>
      ))}
    </div>
  )
}

function EventLinks({
  side,
  events,
  onGo
}: {
  side: Side
  events: readonly number[] | null
  onGo: (side: Side, seq: number) => void
}) {
  if (events === null) return <span className="t3">not changed</span>
  if (events.length === 0) return <span className="t3">event unknown</span>
  return (
    <>
      {events.slice(0, maxNamed).map((seq) => (
        <button
          key={seq}
          type="button"
          className="link"
          aria-label={`Event ${formatCount(seq)} of ${side.toUpperCase()}`}
          onMouseDown={keepFocus}
          onClick={() => onGo(side, seq)}
        >
          {formatCount(seq)}
        </button>
      ))}
      {events.length > maxNamed && <span className="t3">and {formatCount(events.length - maxNamed)} more</span>}
    </>
  )
}
