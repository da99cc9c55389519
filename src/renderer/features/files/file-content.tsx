import {
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState
} from 'react'
import type { LineAuthor } from '#contract/files.ts'
import { CodeSpans, type MarkedRange } from '../../content/code-spans.tsx'
import { languageOfPath } from '../../content/code-language.ts'
import { useHighlighted } from '../../content/use-highlighted.ts'
import { longestRow, wholeCharacter } from '../../content/text-rows.ts'
import { type FileText, linesOf } from '../../stores/file-text.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import type { FileVersionStep } from '../../stores/touched-files.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatFullTime, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useRowScroll } from '../../ui/use-row-scroll.ts'
import { patternOf } from '../timeline/find-pattern.ts'
import { type FileRow, FileRows, type KnownRun } from './file-rows.ts'
import { authorWords, confidenceText, confidenceWords, stepIcon, stepNames } from './file-words.ts'

const sizes = { line: 18, head: 0 }
/** Matches in a content that are counted. */
const maxMatches = 100_000

/** Lines from 0; `to` is exclusive. `anchor`: where the selection began. */
export interface LineSelection {
  readonly anchor: number
  readonly active: number
}

export function selectedRange({ anchor, active }: LineSelection): { readonly from: number; readonly to: number } {
  return { from: Math.min(anchor, active), to: Math.max(anchor, active) + 1 }
}

interface FileContentProps {
  readonly label: string
  readonly path: string
  readonly text: FileText
  /** The events about the file. */
  readonly versions: readonly FileVersionStep[]
  /** The row of the last event about it. */
  readonly now: number
  readonly selection: LineSelection
  readonly onSelect: (selection: LineSelection) => void
  /** The events about the selected lines are asked for. */
  readonly onLineEvents: () => void
  /** Another content is being read. */
  readonly busy: boolean
}

/** The lines of a file that are known, each with who wrote it and how sure that is. */
export function FileContent(props: FileContentProps) {
  const { label, path, text, versions, now, selection, onSelect, onLineEvents, busy } = props
  const { playhead } = useLogParts()
  const rows = useMemo(() => new FileRows(text), [text])
  const { element, setElement, scroll, drawn, space } = useRowScroll(rows.count, sizes)
  const { colours, catchUp } = useHighlighted(text.text, languageOfPath(path))
  useEffect(() => catchUp())
  const [litAuthor, setLitAuthor] = useState<LineAuthor | null>(null)
  const hits = useMatches(text, { selection, onSelect, show: (line) => scroll?.show(rows.rowOf(line), true) })
  const dragged = useRef(false)
  const id = useId()
  const digits = Math.max(3, String(Math.max(text.length, text.total ?? 0)).length)
  const widest = useMemo(() => widestOf(text), [text])
  const hereRow = rows.rowOf(selection.active)
  const { from, to } = selectedRange(selection)
  useLayoutEffect(() => {
    scroll?.hold(hereRow)
  }, [scroll, hereRow])

  const moveTo = (line: number, extend: boolean) => {
    const active = Math.max(0, Math.min(Math.max(0, text.length - 1), line))
    onSelect({ anchor: extend ? selection.anchor : active, active })
    scroll?.show(rows.rowOf(active), true)
  }
  /** From one row to another: lines that are not known are one. */
  const moveBy = (step: number, extend: boolean) => {
    const row = rows.at(Math.max(0, Math.min(rows.count - 1, hereRow + step)))
    if (row !== undefined) moveTo(row.kind === 'line' ? row.line : row.from, extend)
  }
  const goToAuthor = (known: KnownRun) => {
    const { author, confirmed } = known
    playhead.select(author === 'before' ? confirmed : typeof author === 'object' ? author.outsideBefore : author)
  }
  const copy = async () => navigator.clipboard.writeText(linesOf(text, from, to))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.target !== event.currentTarget) return
    const chord = event.ctrlKey || event.metaKey
    const page = Math.max(1, Math.floor((element?.clientHeight ?? 0) / sizes.line) - 2)
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }
    const step = steps[event.key]
    const row = rows.at(hereRow)
    if (chord && event.key.toLowerCase() === 'a') onSelect({ anchor: 0, active: Math.max(0, text.length - 1) })
    else if (chord) return
    else if (step !== undefined) moveBy(step, event.shiftKey)
    else if (event.key === 'Home') moveTo(0, event.shiftKey)
    else if (event.key === 'End') moveTo(text.length - 1, event.shiftKey)
    else if (event.key === 'Enter' && event.shiftKey) onLineEvents()
    else if (event.key === 'Enter' && row?.kind === 'line') goToAuthor(row.known)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onCopy = (event: ClipboardEvent) => {
    if (getSelection()?.isCollapsed === false) return
    event.preventDefault()
    void copy()
  }
  const lineOf = ({ target }: PointerEvent): number => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-line]') : null
    return row === null ? -1 : Number(row.dataset['line'])
  }
  const onPointerDown = (event: PointerEvent) => {
    const line = lineOf(event)
    if (event.button !== 0 || line < 0) return
    dragged.current = event.target instanceof Element && event.target.closest('.file-number') !== null
    onSelect({ anchor: event.shiftKey ? selection.anchor : line, active: line })
  }
  const style: CSSProperties & Record<`--${string}`, string> = {
    '--digits': `${digits}ch`,
    height: `${space}px`,
    minWidth: `max(100%, calc(var(--by) + ${digits + widest}ch + var(--s-6)))`
  }
  const { first, last, top, slots, highest } = drawn
  return (
    <div
      ref={setElement}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.count}
      aria-colcount={3}
      aria-multiselectable
      aria-busy={busy}
      aria-activedescendant={hereRow >= first && hereRow < last ? `${id}-${hereRow}` : undefined}
      tabIndex={0}
      className="file-content fill"
      onKeyDown={onKeyDown}
      onCopy={onCopy}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => {
        const line = dragged.current && event.buttons === 1 ? lineOf(event) : -1
        if (line >= 0 && line !== selection.active) onSelect({ anchor: selection.anchor, active: line })
      }}
      onPointerUp={() => (dragged.current = false)}
      onPointerLeave={() => setLitAuthor(null)}
    >
      <div className="file-space" role="presentation" style={style}>
        <div className="list-drawn" role="presentation" style={{ transform: `translateY(${top}px)` }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
            const at = first + offset
            const row = rows.at(at)
            if (row === undefined) return null
            const shared = { id: `${id}-${at}`, index: at + 1, isHere: at === hereRow }
            if (row.kind === 'unknown')
              return <UnknownRow key={at % slots} {...shared} row={row} text={text} versions={versions} />
            return (
              <Line
                key={at % slots}
                {...shared}
                row={row}
                showsAuthor={row.isFirst || at === highest}
                isSelected={row.line >= from && row.line < to}
                isLit={litAuthor !== null && isSameAuthor(row.known.author, litAuthor)}
                isNow={row.known.author === now}
                step={versions.find((version) => version.row === row.known.author)}
                onLight={() => setLitAuthor(row.known.author)}
                onAuthor={() => goToAuthor(row.known)}
              >
                <LineText
                  text={text}
                  line={row.line}
                  spansOf={(start, end) => colours.spans(start, end)}
                  hits={hits?.get(row.line) ?? noMarks}
                />
              </Line>
            )
          })}
        </div>
      </div>
    </div>
  )
}

const noMarks: readonly MarkedRange[] = []

function isSameAuthor(one: LineAuthor, other: LineAuthor): boolean {
  if (typeof one === 'object' && typeof other === 'object') return one.outsideBefore === other.outsideBefore
  return one === other
}

interface RowProps {
  readonly id: string
  readonly index: number
  readonly isHere: boolean
}

function Line({
  id,
  index,
  isHere,
  row: { line, known, isFirst },
  showsAuthor,
  isSelected,
  isLit,
  isNow,
  step,
  onLight,
  onAuthor,
  children
}: RowProps & {
  row: Extract<FileRow, { kind: 'line' }>
  showsAuthor: boolean
  isSelected: boolean
  isLit: boolean
  isNow: boolean
  step: FileVersionStep | undefined
  onLight: () => void
  onAuthor: () => void
  children: ReactNode
}) {
  const columns = useLog((log) => log.columns)
  const tools = useLog((log) => log.status.tools)
  const seqOf = (of: number) => columns.seq[of] ?? 0
  const { author, confidence, confirmed, stale } = known
  const by = author === 'before' ? confirmed : typeof author === 'object' ? author.outsideBefore : author
  const tool = tools[(columns.tool[by] ?? 0) - 1]
  const when = formatFullTime(columns.time[by] ?? NaN)
  const words = [
    authorWords(author, seqOf),
    confidenceText(confidence, confirmed, stale, seqOf),
    ...(tool === undefined ? [] : [tool]),
    ...(when === '' ? [] : [when])
  ]
  const name =
    author === 'before'
      ? 'Before'
      : typeof author === 'object'
        ? 'Outside'
        : `${stepNames[step?.what ?? 'changed']} ${formatCount(seqOf(author))}`
  const classes = ['file-line', `is-${confidence}`]
  if (isFirst) classes.push('first')
  if (author !== 'before') classes.push('by-event')
  if (isNow) classes.push('by-now')
  if (isLit) classes.push('lit')
  if (isHere) classes.push('here')
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index}
      aria-selected={isSelected}
      data-line={line}
      data-confidence={confidence}
      className={classes.join(' ')}
    >
      <span
        role="gridcell"
        className="file-by"
        aria-label={words.join(', ')}
        title={words.map(displayText).join('\n')}
        onPointerEnter={onLight}
        onClick={onAuthor}
      >
        {showsAuthor && (
          <>
            <Icon name={stepIcon(author === 'before' ? undefined : (step?.what ?? 'changed'))} size={12} tone="t3" />
            <span className="cut grow">{name}</span>
            <span className="file-confidence">{confidenceWords[confidence]}</span>
          </>
        )}
      </span>
      <span role="gridcell" className="file-number num">
        {line + 1}
      </span>
      <span role="gridcell" className="file-text">
        {children}
      </span>
    </div>
  )
}

function LineText({
  text: { text, starts },
  line,
  spansOf,
  hits
}: {
  text: FileText
  line: number
  spansOf: (from: number, to: number) => Parameters<typeof CodeSpans>[0]['spans']
  hits: readonly MarkedRange[]
}) {
  const from = starts[line] ?? 0
  const to = Math.max(from, (starts[line + 1] ?? from + 1) - 1)
  const shown = to - from > longestRow ? wholeCharacter(text, from, from + longestRow) : to
  return (
    <>
      <CodeSpans text={text} from={from} spans={spansOf(from, shown)} marks={hits.filter((mark) => mark.to <= shown)} />
      {shown < to && <span className="t3"> … {formatPlural(to - shown, 'more character')}</span>}
    </>
  )
}

/** Lines that the log does not tell, and which event tells more. */
function UnknownRow({
  id,
  index,
  isHere,
  row: { from, to },
  text,
  versions
}: RowProps & {
  row: Extract<FileRow, { kind: 'unknown' }>
  text: FileText
  versions: readonly FileVersionStep[]
}) {
  const { playhead } = useLogParts()
  const seq = useLog((log) => log.seq)
  const next = versions.find((version) => version.seq > seq && version.what === 'shown')
  const which =
    to === null
      ? from === 0
        ? 'The lines of the file'
        : `Lines from ${formatCount(from + 1)} on`
      : to - from === 1
        ? `Line ${formatCount(to)}`
        : `Lines ${formatCount(from + 1)} to ${formatCount(to)}`
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index}
      className={isHere ? 'file-line unknown hatched here' : 'file-line unknown hatched'}
    >
      <span role="gridcell" className="file-by">
        <span>not known</span>
      </span>
      <span role="gridcell" aria-colspan={2} className="file-gap">
        <span>
          {which}
          {text.unplaced === null ? ': no event up to here shows them. ' : ': not known since the change. '}
          {next !== undefined && (
            <button type="button" className="link" tabIndex={-1} onClick={() => playhead.select(next.row)}>
              Next read: event {formatCount(next.seq)}
            </button>
          )}
        </span>
      </span>
    </div>
  )
}

/** Columns of the widest line, roughly. */
function widestOf({ starts }: FileText): number {
  let widest = 0
  for (let line = 1; line < starts.length; line++)
    widest = Math.max(widest, (starts[line] ?? 0) - (starts[line - 1] ?? 0))
  return Math.min(widest, longestRow + 30) + 4
}

/** The matches of Find in the content, by line. Next and previous match go to their lines. Null: nothing is searched. */
function useMatches(
  text: FileText,
  {
    selection,
    onSelect,
    show
  }: { selection: LineSelection; onSelect: (selection: LineSelection) => void; show: (line: number) => void }
): ReadonlyMap<number, readonly MarkedRange[]> | null {
  const { finding } = useLogParts()
  const { text: wanted, regex, caseSensitive } = useLog((log) => log.find)
  const found = useMemo(
    () => matchesIn(text, patternOf({ text: wanted, regex, caseSensitive })),
    [text, wanted, regex, caseSensitive]
  )
  const { active } = selection
  const at = found.lines.indexOf(active)
  useEffect(() => {
    finding.lookInText({ count: found.lines.length, at }, (direction) => {
      const { lines } = found
      if (lines.length === 0) return
      const next =
        direction > 0 ? lines.findIndex((line) => line > active) : lines.findLastIndex((line) => line < active)
      const line = lines.at(next < 0 ? (direction > 0 ? 0 : -1) : next) ?? 0
      onSelect({ anchor: line, active: line })
      show(line)
    })
  })
  useEffect(() => () => finding.lookInText(null, null), [finding])
  return wanted === '' ? null : found.marks
}

/** Lines with matches, ascending, and the matches of each. */
function matchesIn(
  { text, starts }: FileText,
  pattern: RegExp | null
): { readonly lines: readonly number[]; readonly marks: ReadonlyMap<number, readonly MarkedRange[]> } {
  const marks = new Map<number, MarkedRange[]>()
  const lines: number[] = []
  if (pattern === null) return { lines, marks }
  let line = 0
  let count = 0
  for (const { 0: hit, index } of text.matchAll(pattern)) {
    if (hit === '' || hit.includes('\n')) continue
    if (count++ >= maxMatches) break
    while (line + 1 < starts.length - 1 && (starts[line + 1] ?? Infinity) <= index) line++
    const own = marks.get(line)
    const mark: MarkedRange = { from: index, to: index + hit.length, tone: 'hit' }
    if (own === undefined) {
      marks.set(line, [mark])
      lines.push(line)
    } else own.push(mark)
  }
  return { lines, marks }
}
