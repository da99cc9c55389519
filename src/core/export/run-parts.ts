import type { RunAnalysis } from '../analysis/run-analysis.ts'
import type { Span } from '../analysis/span-list.ts'
import type { ModelRequest } from '../requests/request-list.ts'

/** A span and its number in the list of spans. */
export type NumberedSpan = Span & { readonly number: number }

/** A request and its number in the list of requests. */
export type NumberedRequest = ModelRequest & { readonly number: number }

/**
 * The spans and the requests of a run by the rows where they begin, for who reads its events in order. Those that begin
 * at rows which are left out are left out.
 */
export class RunParts {
  private readonly analysis: RunAnalysis
  /** Numbers of the spans by their first rows; of equal ones those around others first. */
  private readonly order: Uint32Array
  private nextSpan = 0
  private nextRequest = 0

  constructor(analysis: RunAnalysis) {
    this.analysis = analysis
    const { spans } = analysis
    const firsts = Float64Array.from({ length: spans.length }, (_, number) => spans.at(number).first)
    // A span is listed when it ends, so those around it have higher numbers.
    this.order = Uint32Array.from(firsts.keys()).sort((a, b) => (firsts[a] ?? 0) - (firsts[b] ?? 0) || b - a)
  }

  /** The spans that begin at a row. Rows ascend from call to call. */
  *spansAt(row: number): Generator<NumberedSpan> {
    for (; this.nextSpan < this.order.length; this.nextSpan++) {
      const number = this.order[this.nextSpan] ?? 0
      const span = this.analysis.spans.at(number)
      if (span.first > row) return
      if (span.first === row) yield { ...span, number }
    }
  }

  /** The requests with a first event at a row, and those before without any. Infinity: the rest of these. */
  *requestsAt(row: number): Generator<NumberedRequest> {
    const { requests, rows } = this.analysis.index
    for (; this.nextRequest < requests.length; this.nextRequest++) {
      const request = requests.at(this.nextRequest)
      if (request.rowFirst > row) return
      const hasEvents = rows.spanOf(request.rowFirst, request.rowLast).seqFirst >= 0
      if (request.rowLast >= row || !hasEvents) yield { ...request, number: this.nextRequest }
    }
  }
}
