import type { Readable, Writable } from 'node:stream'

/** Whether people look on, not a program or a file. */
export function isTerminal(stream: Readable | Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true
}

/** How wide a terminal is; null: it is none, or does not tell. */
export function columnsOf(stream: Writable): number | null {
  if (!isTerminal(stream) || !('columns' in stream)) return null
  return typeof stream.columns === 'number' && stream.columns > 0 ? stream.columns : null
}
