import type { Framing, Head, LogFormat } from '#core/formats/log-format.ts'
import { detectFormat, formatById, logFormats } from '#core/formats/registry.ts'
import { unrecognized } from '#core/formats/unrecognized.ts'
import { HostError } from '#contract/host-error.ts'

/** How a log is read. */
export interface ChosenFormat {
  /** Its id is null for a log that no format claims: its lines become rows and issues, no events. */
  readonly format: LogFormat
  readonly framing: Framing
  /** Why no format claims the log, null where one does. */
  readonly note: string | null
  /** What else is in a log that a format claims, null where nothing is. */
  readonly mixed: string | null
}

/** Decides by the head of a log, or by `wanted`, a format id that overrides it. Throws only for a `wanted` that is no format. */
export function chooseFormat(head: Head, wanted: string | null): ChosenFormat {
  const { framing } = head
  if (wanted !== null) return { format: formatNamed(wanted), framing, note: null, mixed: null }
  const detected = detectFormat(head)
  return detected.format === null
    ? { format: unrecognized, framing, note: detected.reason, mixed: null }
    : { format: detected.format, framing, note: null, mixed: detected.note }
}

/** Throws `bad-params` with the known ids for an id that is none of them. */
export function formatNamed(id: string): LogFormat {
  const format = formatById(id)
  if (format) return format
  const known = logFormats.map((one) => one.id).join(', ')
  throw new HostError('bad-params', `Unknown log format "${id.slice(0, 60)}". Known formats: ${known}.`)
}
