import './code.css'
import { useCallback, useState } from 'react'
import { CodeSpans, type CodeMark } from './code-spans.tsx'
import { languageOfPath } from './code-language.ts'
import { LineBox } from './line-box.tsx'
import { TextRows } from './text-rows.ts'
import { useHighlighted } from './use-highlighted.ts'
import { useRows } from './use-rows.ts'

/**
 * Highlighted code of any length. `language`: its name, else taken from `path`. `firstLine`: number of the first line,
 * if lines are numbered. The first of `marks` is scrolled into view.
 */
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
  marks?: readonly CodeMark[] | undefined
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
              <CodeSpans text={text} from={from} runs={colours.runs(from, to)} marks={within(marks, from, to)} />
            </span>
          </>
        )
      }}
      textOf={(from, to) => rows.slice(from, to)}
      onRoom={setRoom}
    />
  )
}

function within(marks: readonly CodeMark[] | undefined, from: number, to: number): readonly CodeMark[] {
  return marks?.filter((mark) => mark.from < to && mark.to > from) ?? []
}
