import { useCallback, useState } from 'react'
import { displayText } from '../ui/display-text.ts'
import { LineBox } from './line-box.tsx'
import { TextRows } from './text-rows.ts'
import { useRows } from './use-rows.ts'

/** A text by lines, without terminal sequences, with marks for invisible characters. `wrap`: wraps long lines. */
export function LineList({ label, text, wrap = false }: { label: string; text: string; wrap?: boolean }) {
  const [room, setRoom] = useState(80)
  const columns = wrap ? room : Infinity
  const rows = useRows(useCallback(() => new TextRows(text, { columns }), [text, columns]))
  return (
    <LineBox
      label={label}
      count={rows.count}
      total={rows.lines}
      reading={!rows.done}
      columns={wrap ? 0 : rows.widest}
      drawLine={(row) => <span className="line-text">{displayText(rows.slice(row, row + 1))}</span>}
      textOf={(from, to) => displayText(rows.slice(from, to))}
      textOfAll={() => displayText(text)}
      onRoom={setRoom}
    />
  )
}
