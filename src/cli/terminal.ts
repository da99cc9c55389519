import type { Readable, Writable } from 'node:stream'

export function isTerminal(stream: Readable | Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true
}

/** Null: no terminal, or its width is unknown. */
export function columnsOf(stream: Writable): number | null {
  if (!isTerminal(stream) || !('columns' in stream)) return null
  return typeof stream.columns === 'number' && stream.columns > 0 ? stream.columns : null
}
