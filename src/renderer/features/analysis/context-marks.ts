import type { ContextRequest } from '#contract/analysis.ts'
import { firstWhere } from '#core/first-where.ts'
import { hasLostCache } from '#core/requests/cache-lost.ts'
import type { LogColumns } from '../../stores/log-columns.ts'
import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'

/** What happened at a request: what its model did, and what became of its cache. */
export interface RequestMarks {
  /** It read little of what the request before had in the cache, and wrote it again. */
  lost: boolean
  /** The rows of its calls that started subagents. */
  readonly subagents: number[]
  /** The rows of its todo changes. */
  readonly todos: number[]
}

/** By index of a request: its marks. Requests without marks are left out. */
export type ContextMarks = ReadonlyMap<number, RequestMarks>

/** Requests are in the order of their tracks' rows. `tracks`: those of the log. `version`: of columns and todos, which grow in place. */
export function contextMarks(
  requests: readonly ContextRequest[],
  { columns, todos }: { readonly columns: Pick<LogColumns, 'track' | 'callOf'>; readonly todos: TodoSnapshots },
  tracks: readonly { readonly call: number }[],
  version: number
): ContextMarks {
  const marks = new Map<number, RequestMarks>()
  const marksAt = (at: number): RequestMarks => {
    const known = marks.get(at) ?? { lost: false, subagents: [], todos: [] }
    marks.set(at, known)
    return known
  }
  const onTracks = new Map<number, number[]>()
  for (const [at, request] of requests.entries()) {
    const own = onTracks.get(request.track) ?? []
    onTracks.set(request.track, own)
    const former = requests[own.at(-1) ?? -1]
    own.push(at)
    const [before, now] = [cachedOf(former), cachedOf(request)]
    if (before !== null && now !== null && hasLostCache(before, now)) marksAt(at).lost = true
  }
  // A request made the calls of its track up to its last row (`RequestCalls`).
  const makerOf = (row: number): RequestMarks | null => {
    const own = onTracks.get(columns.track[row] ?? 0) ?? []
    const at = own[firstWhere(own.length, (index) => (requests[own[index] ?? 0]?.rowLast ?? 0) >= row)]
    const [first] = own
    const isBefore = at === undefined || (at === first && (requests[at]?.rowFirst ?? 0) > row)
    return isBefore ? null : marksAt(at)
  }
  for (const { call } of tracks) if (call >= 0) makerOf(call)?.subagents.push(call)
  for (let index = 0; version >= 0 && index < todos.count; index++) {
    const row = todos.rowAt(index)
    const call = columns.callOf(row)
    makerOf(call < 0 ? row : call)?.todos.push(row)
  }
  return marks
}

function cachedOf(request: ContextRequest | undefined): { read: number; written: number } | null {
  const { cacheRead = null, cacheWrite = null } = request ?? {}
  return cacheRead === null || cacheWrite === null ? null : { read: cacheRead, written: cacheWrite }
}
