/** The events that the scrubber's width stands for: from `from` to `to` (exclusive). Fractions are parts of an event's width. */
export interface ScrubberView {
  readonly from: number
  readonly to: number
}

/** Fewer events than this are not looked at: each is a wide step already. */
const fewest = 24

/** The whole of a run of `total` events. */
export function wholeView(total: number): ScrubberView {
  return { from: 0, to: Math.max(1, total) }
}

/** The middle of event `seq`, in px. */
export function xOfSeq(seq: number, { from, to }: ScrubberView, width: number): number {
  return ((seq + 0.5 - from) / (to - from)) * width
}

/** The event under `x`, of those whose middle is in view; the last one that is read where none is yet. -1: there are none. */
export function seqAtX(x: number, { from, to }: ScrubberView, width: number, events: number): number {
  const seq = Math.floor(from + (x / Math.max(1, width)) * (to - from))
  const inView = Math.max(Math.round(from), Math.min(Math.floor(to - 0.5), seq))
  return Math.max(-1, Math.min(events - 1, inView))
}

/** Whether the middle of event `seq` is in view. */
export function isInView(seq: number, { from, to }: ScrubberView): boolean {
  return seq + 0.5 >= from && seq + 0.5 <= to
}

/** `factor` times as many events, those below 1 show less; what lies at `at` (an event's number) stays where it is. Null: the whole run. */
export function zoomed(view: ScrubberView, total: number, at: number, factor: number): ScrubberView | null {
  const before = view.to - view.from
  const span = Math.max(Math.min(before, fewest), before * factor)
  if (span >= total) return null
  return within(at - ((at - view.from) / before) * span, span, total)
}

/** Moved by `events`, as far as there are any. */
export function panned({ from, to }: ScrubberView, total: number, events: number): ScrubberView {
  return within(from + events, to - from, total)
}

/**
 * The view in which `seq` is seen: the same where it is already; else turned like a page, so that most of what is shown lies
 * where the playhead goes, or about it after a jump.
 */
export function following(view: ScrubberView, total: number, seq: number): ScrubberView {
  const { from, to } = view
  if (isInView(seq, view)) return view
  const span = to - from
  const near = seq >= from - span && seq < to + span
  const share = near ? (seq < from ? 0.9 : 0.1) : 0.5
  return within(seq + 0.5 - span * share, span, total)
}

function within(from: number, span: number, total: number): ScrubberView {
  const start = Math.max(0, Math.min(total - span, from))
  return { from: start, to: start + span }
}
