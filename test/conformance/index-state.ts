import type { RunIndex } from '../../src/core/index/run-index.ts'

/** All that is to be known of an index, so that two can be compared. `drafts` of kept rows included. */
export function indexState({ rows: index, todos, requests }: RunIndex): object {
  const columns = Object.entries(index.columns(0, index.rows)).map(([name, column]) => [
    name,
    column instanceof ArrayBuffer ? Buffer.from(column).toString('hex') : column
  ])
  const rows = Array.from({ length: index.rows }, (_, row) => ({
    place: index.place(row),
    event: index.eventAt(row, []),
    results: index.resultsOf(row),
    joinedTo: index.joinedTo(row)
  }))
  return {
    columns: Object.fromEntries(columns) as object,
    rows,
    todos: Array.from({ length: todos.length }, (_, i) => {
      return { ...todos.at(i), changes: todos.changes(i), ...todos.itemsInRun(i) }
    }),
    lanes: todos.lanes.transitionsFrom(0, todos.lanes.transitions),
    issues: index.issues.slice(0, index.issues.length),
    requests: [...requests],
    counts: { ...index.issues.counts },
    failedCalls: index.failedCalls,
    tools: [...index.tools],
    tracks: [...index.tracks],
    ...{ lines: index.lines, events: index.events, model: index.model, sessionId: index.sessionId },
    times: [index.firstTimestamp, index.lastTimestamp]
  }
}
