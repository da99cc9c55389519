import type { ContextRequest } from '#contract/analysis.ts'
import { firstWhere } from '#core/first-where.ts'
import { sentOf } from '#core/requests/tokens.ts'
import type { EventScale } from '#core/replay/event-scale.ts'
import type { LogColumns } from '../../stores/log-columns.ts'

/** Of the row of the context below the tracks, in px. */
export const contextRowHeight = 32

/** What the requests of the main agent sent, in order, on a scale. */
export interface SentLine {
  readonly length: number
  readonly places: Float64Array
  readonly tokens: Float64Array
  readonly least: number
  readonly most: number
  /** The first request at or after a place; `length` for none. */
  firstFrom(place: number): number
}

/** Null: no request states what it sent. `events`: the number of loaded events. */
export function sentLine(
  requests: readonly ContextRequest[],
  columns: LogColumns,
  scale: EventScale,
  events: number
): SentLine | null {
  const known = requests.flatMap((request) => {
    const sent = request.track === 0 && request.of === 'request' ? sentBy(request) : null
    const seq = Math.max(0, columns.seqAtOrBefore(request.rowFirst))
    return sent === null || seq >= events ? [] : [{ place: scale.placeOf(seq), sent }]
  })
  if (known.length === 0) return null
  known.sort((a, b) => a.place - b.place)
  const places = Float64Array.from(known, ({ place }) => place)
  const tokens = Float64Array.from(known, ({ sent }) => sent)
  return {
    ...{ length: known.length, places, tokens },
    least: tokens.reduce((a, b) => Math.min(a, b)),
    most: tokens.reduce((a, b) => Math.max(a, b)),
    firstFrom: (place) => firstWhere(places.length, (at) => (places[at] ?? 0) >= place)
  }
}

function sentBy({ input, cacheRead, cacheWrite }: ContextRequest): number | null {
  const tokens = { input: input ?? undefined, cacheRead: cacheRead ?? undefined, cacheWrite: cacheWrite ?? undefined }
  return sentOf(tokens) ?? null
}
