import { useMemo, useState } from 'react'
import { LineBox } from '../../content/line-box.tsx'
import { invalidBytes } from '../../ui/raw-bytes.ts'

/** Columns of a row of 16 bytes: offset, hex, characters. */
const wideColumns = 78
/** Further invalid UTF-8 bytes are not marked. */
const maxMarks = 100_000

/** A hex dump. Invalid UTF-8 is marked. `offset`: of the first byte in its file. */
export function RawHex({ bytes, offset, more }: { bytes: Uint8Array; offset: number; more: boolean }) {
  const [room, setRoom] = useState(60)
  const invalid = useMemo(() => new Set(invalidBytes(bytes, more, maxMarks)), [bytes, more])
  const size = room >= wideColumns ? 16 : 8
  const digits = Math.max(6, (offset + bytes.length).toString(16).length)
  return (
    <LineBox
      label="Bytes"
      className="raw-box"
      count={Math.ceil(bytes.length / size)}
      noun="row"
      columns={0}
      onRoom={setRoom}
      drawLine={(row) => (
        <span className="line-text">
          <span className="t3">{hex(offset + row * size, digits)}</span>
          {'  '}
          <Numbers bytes={bytes} from={row * size} size={size} invalid={invalid} />
          {'  '}
          {charactersOf(bytes.subarray(row * size, (row + 1) * size))}
        </span>
      )}
      textOf={(from, to) => {
        const rows = Array.from({ length: to - from }, (_, at) => (from + at) * size)
        return rows.map((at) => dumpLine(bytes.subarray(at, at + size), offset + at, digits, size)).join('\n')
      }}
    />
  )
}

function Numbers({
  bytes,
  from,
  size,
  invalid
}: {
  bytes: Uint8Array
  from: number
  size: number
  invalid: ReadonlySet<number>
}) {
  return Array.from({ length: size }, (_, at) => {
    const byte = bytes[from + at]
    const gap = at === 7 && size > 8 ? '  ' : ' '
    if (byte === undefined) return `  ${gap}`
    if (!invalid.has(from + at)) return hex(byte, 2) + gap
    return (
      <span key={at}>
        <mark title="Not UTF-8">{hex(byte, 2)}</mark>
        {gap}
      </span>
    )
  })
}

function dumpLine(bytes: Uint8Array, offset: number, digits: number, size: number): string {
  const numbers = [...bytes].map((byte) => hex(byte, 2)).join(' ')
  return `${hex(offset, digits)}  ${numbers.padEnd(size * 3 - 1)}  ${charactersOf(bytes)}`
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

/** ASCII; other bytes are dots. */
function charactersOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('')
}
