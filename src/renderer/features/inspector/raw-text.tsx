import { type ReactNode, useMemo, useState } from 'react'
import type { RowIssue } from '#contract/methods.ts'
import { LineBox } from '../../content/line-box.tsx'
import { keepFocus } from '../../ui/button.tsx'
import { formatBytes, formatPlural } from '../../ui/format.ts'
import { Icon, severityLook } from '../../ui/icons.tsx'
import { JsonLines } from './json-lines.ts'
import { faultOf, type PlacedIssue, placedIssues, prettyRows, type RawRow, writtenRows } from './raw-rows.ts'
import { readRawBytes } from '../../ui/raw-bytes.ts'

const lineHeight = 20

/** Bytes of a line as text or pretty JSON. `shown`: the issue to scroll to. `isWhole`: whether all bytes are here. */
export function RawText({
  bytes,
  isWhole,
  pretty,
  issues,
  shown
}: {
  bytes: Uint8Array
  isWhole: boolean
  pretty: boolean
  issues: readonly RowIssue[]
  shown: number
}) {
  const [room, setRoom] = useState(60)
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set())
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set())
  const lines = useMemo(() => new JsonLines(bytes, faultOf(bytes, issues)), [bytes, issues])
  const placed = useMemo(() => placedIssues(lines, issues, isWhole), [lines, issues, isWhole])
  const rows = useMemo(
    () => (pretty ? prettyRows(lines, room, { collapsed, whole }, placed) : writtenRows(bytes, room)),
    [pretty, lines, bytes, room, collapsed, whole, placed]
  )
  const wanted = placed.find(({ issue }) => issue === issues[shown])
  const show = useMemo(() => (wanted === undefined ? undefined : rowOf(rows, wanted)), [rows, wanted])
  const unplaced = issues.filter((issue) => !pretty || !placed.some((each) => each.issue === issue))
  return (
    <>
      {unplaced.map((issue, position) => (
        <p key={position} className="raw-issue raw-issue-apart">
          <IssueWords issue={issue} words={issue.message} />
        </p>
      ))}
      {bytes.length === 0 ? (
        <p className="text t3">Empty line.</p>
      ) : (
        <LineBox
          label={pretty ? 'Line, pretty' : 'Line as written'}
          className="raw-box"
          count={rows.length}
          noun="row"
          columns={0}
          lineHeight={lineHeight}
          show={show}
          onRoom={setRoom}
          drawLine={(at) => (
            <Row
              row={rows[at]}
              lines={lines}
              marks={placed}
              pretty={pretty}
              onToggle={(line) => setCollapsed(toggled(collapsed, line))}
              onWhole={(line) => setWhole(toggled(whole, line))}
            />
          )}
          textOf={(from, to) => textOf(lines, rows.slice(from, to), pretty)}
        />
      )}
    </>
  )
}

function toggled(lines: ReadonlySet<number>, line: number): ReadonlySet<number> {
  const next = new Set(lines)
  if (!next.delete(line)) next.add(line)
  return next
}

/** The row where the marked range begins. */
function rowOf(rows: readonly RawRow[], { issue, from }: PlacedIssue): number | undefined {
  const at = rows.findIndex((row) =>
    row.kind === 'issue' ? row.issue === issue : row.kind === 'bytes' && row.from <= from && row.to > from
  )
  return at < 0 ? undefined : at
}

const decoder = new TextDecoder()

function textOf(lines: JsonLines, rows: readonly RawRow[], pretty: boolean): string {
  let text = ''
  for (const [at, row] of rows.entries()) {
    if (row.kind !== 'bytes') continue
    if (at > 0 && !row.continues) text += '\n'
    if (pretty && !row.continues) text += '  '.repeat(row.depth)
    text += decoder.decode(lines.bytes.subarray(row.from, row.to))
  }
  return text
}

function Row({
  row,
  lines,
  marks,
  pretty,
  onToggle,
  onWhole
}: {
  row: RawRow | undefined
  lines: JsonLines
  marks: readonly PlacedIssue[]
  pretty: boolean
  onToggle: (line: number) => void
  onWhole: (line: number) => void
}) {
  if (row === undefined) return null
  const indent = { paddingInlineStart: `calc(${2 * row.depth + (pretty ? 2 : 0)}ch + var(--s-2))` }
  if (row.kind === 'issue') {
    return (
      <div className={`raw-line raw-issue of-${row.issue.severity}`} style={indent} title={row.issue.message}>
        {row.isFirst ? (
          <IssueWords issue={row.issue} words={row.words} />
        ) : (
          <span className="raw-words raw-words-on">{row.words}</span>
        )}
      </div>
    )
  }
  if (row.kind === 'more') {
    return (
      <div className="raw-line" style={indent}>
        <button type="button" className="link" onMouseDown={keepFocus} onClick={() => onWhole(row.line)}>
          Show {formatBytes(row.left)} more of this text
        </button>
      </div>
    )
  }
  const mark = marks.find(({ from, to }) => row.from < to && row.to > from)
  return (
    <div className={mark === undefined ? 'raw-line' : `raw-line of-${mark.issue.severity}`} style={indent}>
      {row.open !== null && (
        <button
          type="button"
          className="raw-fold rigid t3"
          aria-expanded={row.open}
          aria-label={row.open ? 'Close' : 'Open'}
          onMouseDown={keepFocus}
          onClick={() => onToggle(row.line)}
        >
          <Icon name={row.open ? 'down' : 'right'} size={12} />
        </button>
      )}
      <span className="line-text">
        {pretty && row.line !== lines.rest ? (
          <PrettyBytes row={row} lines={lines} />
        ) : (
          <RawSpans bytes={lines.bytes.subarray(row.from, row.to)} />
        )}
        {row.open === false && <FoldedMembers line={row.line} lines={lines} />}
      </span>
    </div>
  )
}

function FoldedMembers({ line, lines }: { line: number; lines: JsonLines }) {
  const { value, close } = lines.at(line)
  const isList = lines.bytes[value] === 0x5b
  const { from, to } = close === null || close < 0 ? { from: 0, to: 0 } : lines.at(close)
  return (
    <span className="t3">
      {' '}
      {formatPlural(lines.membersOf(line), isList ? 'item' : 'member')} {decoder.decode(lines.bytes.subarray(from, to))}
    </span>
  )
}

/** A row of pretty JSON in syntax colors. They depend on byte positions only, so any part of a line can be colored. */
function PrettyBytes({ row, lines }: { row: Extract<RawRow, { kind: 'bytes' }>; lines: JsonLines }): ReactNode {
  const { keyTo, value, to } = lines.at(row.line)
  const part = (from: number, to: number) =>
    lines.bytes.subarray(Math.max(row.from, from), Math.max(row.from, Math.min(row.to, to)))
  const name = part(row.from, keyTo)
  // A comma belongs to the list, not to the value.
  const ends = lines.bytes[to - 1] === 0x2c && lines.bytes[value] !== 0x2c ? to - 1 : to
  const rest = part(value, Math.min(row.to, ends))
  return (
    <>
      {name.length > 0 && (
        <span className="json-key">
          <RawSpans bytes={name} />
        </span>
      )}
      {keyTo > row.from && keyTo < row.to && ': '}
      {rest.length > 0 && (
        <span className={faceOf(lines.bytes[value] ?? 0)}>
          <RawSpans bytes={rest} />
        </span>
      )}
      <RawSpans bytes={part(ends, row.to)} />
    </>
  )
}

/** The class of a value, by its first byte. */
function faceOf(byte: number): string | undefined {
  if (byte === 0x22) return 'json-string'
  if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return 'json-number'
  return byte >= 0x61 && byte <= 0x7a ? 'json-word' : undefined
}

function IssueWords({ issue, words }: { issue: RowIssue; words: string }) {
  return (
    <>
      <Icon {...severityLook(issue.severity)} name={issue.severity} size={14} label={issue.severity} />
      <strong className={`s-${issue.severity}`}>{issue.code}</strong>
      {issue.path !== null && <code className={`s-${issue.severity}`}>{issue.path}</code>}
      {words !== '' && <span className="raw-words">{words}</span>}
    </>
  )
}

/** Bytes of a log as text. Invalid UTF-8 and invisible characters are shown as marks. */
function RawSpans({ bytes }: { bytes: Uint8Array }) {
  return readRawBytes(bytes, false).spans.map((span, position) => {
    if (span.kind === 'text') return span.text
    const title = span.kind === 'invalid' ? 'Bytes that are not UTF-8' : 'Invisible character'
    return (
      <mark key={position} className={`raw-${span.kind}`} title={title}>
        {span.text}
      </mark>
    )
  })
}
