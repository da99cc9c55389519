import type { RunAnalysis } from '../analysis/run-analysis.ts'
import type { Span, SpanKind } from '../analysis/span-list.ts'

/** A row of a trace: 0 is the first of its track; overlapping spans are on further ones. */
export interface Lane {
  readonly track: number
  readonly lane: number
}

/** Spans that have others inside. They are on the first lane of their track only. */
const holders: ReadonlySet<SpanKind> = new Set(['turn', 'subagent'])
const leaves: ReadonlySet<SpanKind> = new Set(['model', 'call', 'wait'])

interface OpenLane {
  /** Where the last span without others inside ends. */
  leafEnd: number
  /** Where the span around ends. */
  holderEnd: number
}

/**
 * Gives each span a lane on which no other span overlaps it, except one that holds it. Calls at the same time are on lanes
 * of their own, since speedscope ignores asynchronous slices and takes overlapping ones for nested. A span without a
 * begin has no lane.
 */
export class TraceLanes {
  private readonly lanes: Uint32Array

  constructor({ spans }: RunAnalysis) {
    this.lanes = new Uint32Array(spans.length)
    const shown: { readonly number: number; readonly span: Span }[] = []
    for (let number = 0; number < spans.length; number++) {
      const span = spans.at(number)
      if (isDrawn(span)) shown.push({ number, span })
    }
    shown.sort((a, b) => a.span.begin - b.span.begin || endOf(b.span) - endOf(a.span) || b.number - a.number)
    const tracks: OpenLane[][] = []
    for (const { number, span } of shown) this.lanes[number] = place(span, (tracks[span.track] ??= []))
  }

  of({ track, number }: Span & { readonly number: number }): Lane {
    return { track, lane: this.lanes[number] ?? 0 }
  }
}

/** Whether a span has a place in a trace. */
export function isDrawn({ kind, begin }: Span): boolean {
  return Number.isFinite(begin) && (holders.has(kind) || leaves.has(kind))
}

export function endOf({ begin, end }: Span): number {
  return end > begin ? end : begin
}

/** The first lane that is free. */
function place(span: Span, lanes: OpenLane[]): number {
  const { begin, kind } = span
  const end = endOf(span)
  const isHolder = holders.has(kind)
  for (let at = 0; ; at++) {
    const lane = (lanes[at] ??= { leafEnd: -Infinity, holderEnd: -Infinity })
    const isFree = lane.holderEnd <= begin || (!isHolder && end <= lane.holderEnd)
    if (lane.leafEnd > begin || !isFree) continue
    if (isHolder) lane.holderEnd = end
    else lane.leafEnd = end
    return at
  }
}
