import type { Framing, Head, LogFormat } from '#core/formats/log-format.ts'
import { detectFormat, formatById, logFormats } from '#core/formats/registry.ts'
import { unrecognized } from '#core/formats/unrecognized.ts'
import { HostError } from '#contract/host-error.ts'

/** How a log is read. */
export interface ChosenFormat {
  /** Its id is null if no format claims the log: lines become rows and issues, without events. */
  readonly format: LogFormat
  readonly framing: Framing
  /** Why no format claims the log; null: one does. */
  readonly note: string | null
  /** Other content in a log that a format claims; null: none. */
  readonly mixed: string | null
}

/** Detects the format from the head; the format id `wanted` overrides it. Throws only for an unknown id. */
export function chooseFormat(head: Head, wanted: string | null): ChosenFormat {
  const { framing } = head
  if (wanted !== null) return { format: formatNamed(wanted), framing, note: null, mixed: null }
  const detected = detectFormat(head)
  return detected.format === null
    ? { format: unrecognized, framing, note: detected.reason, mixed: null }
    : { format: detected.format, framing, note: null, mixed: detected.note }
}

/** Throws `bad-params` with the known ids. */
export function formatNamed(id: string): LogFormat {
  const format = formatById(id)
  if (format) return format
  const known = logFormats.map((one) => one.id).join(', ')
  throw new HostError('bad-params', `Unknown log format "${id.slice(0, 60)}". Known formats: ${known}.`)
}
