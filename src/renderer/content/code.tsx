import './code.css'
import { useCallback, useState } from 'react'
import { CodeSpans, type MarkedRange } from './code-spans.tsx'
import { languageOfPath } from './code-language.ts'
import { LineBox } from './line-box.tsx'
import { TextRows } from './text-rows.ts'
import { useHighlighted } from './use-highlighted.ts'
import { useRows } from './use-rows.ts'

/** Highlighted code. `language`: else by `path`. `firstLine`: its number. Scrolls to the first mark. */
export function Code({
  label,
  text,
  language,
  path,
  lineNumbers = false,
  firstLine = 1,
  marks,
  wrap = false
}: {
  /** Label of the box. */
  label: string
  text: string
  language?: string | undefined
  path?: string | undefined
  lineNumbers?: boolean
  firstLine?: number
  marks?: readonly MarkedRange[] | undefined
  wrap?: boolean
}) {
  const [room, setRoom] = useState(80)
  const columns = wrap ? room : Infinity
  const rows = useRows(useCallback(() => new TextRows(text, { columns }), [text, columns]))
  const { colours, catchUp } = useHighlighted(text, language ?? (path === undefined ? null : languageOfPath(path)))
  const digits = String(firstLine + Math.max(0, rows.lines - 1)).length
  const show = marks?.[0] === undefined ? undefined : rows.rowAt(marks[0].from)
  return (
    <LineBox
      label={label}
      className="code"
      count={rows.count}
      total={rows.lines}
      reading={!rows.done}
      columns={wrap ? 0 : rows.widest}
      gutter={lineNumbers ? Math.max(2, digits) : 0}
      show={show}
      onDrawn={catchUp}
      drawLine={(row) => {
        const from = rows.startOf(row)
        const to = rows.endOf(row)
        return (
          <>
            {lineNumbers && (
              <span className="line-number" aria-hidden={rows.continues(row)}>
                {rows.continues(row) ? '↪' : firstLine + rows.lineOf(row)}
              </span>
            )}
            <span className="line-text">
              <CodeSpans text={text} from={from} spans={colours.spans(from, to)} marks={within(marks, from, to)} />
            </span>
          </>
        )
      }}
      textOf={(from, to) => rows.slice(from, to)}
      textOfAll={() => text}
      onRoom={setRoom}
    />
  )
}

function within(marks: readonly MarkedRange[] | undefined, from: number, to: number): readonly MarkedRange[] {
  return marks?.filter((mark) => mark.from < to && mark.to > from) ?? []
}
