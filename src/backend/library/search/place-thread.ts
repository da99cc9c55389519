import type { MessagePort } from 'node:worker_threads'
import type { ReadLine } from '#core/formats/folded-lines.ts'
import type { FoldedEvent } from '#core/formats/log-format.ts'
import { EventIndex } from '#core/index/event-index.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import { failedAnswer, type FindAnswer } from '#queries/find/find-jobs.ts'
import { EndlessMatch, type MatchGuard } from '#queries/find/match-guard.ts'
import { matchGuard } from '../../find/match-limit.ts'
import type { Query } from '#queries/find/search.ts'
import { readLog } from '../../sources/read-log.ts'
import { lineMatcher } from './line-match.ts'
import type { LinePlace, PlaceJob, PlacePart } from './place-jobs.ts'

/** Finds the events of lines by reading the session's files up to the last one. A role of its own, as it loads all formats. */
export function servePlaces(port: MessagePort): void {
  const post = (answer: FindAnswer<PlacePart>): void => port.postMessage(answer)
  const guard = matchGuard()
  const serve = async (job: PlaceJob): Promise<void> => {
    try {
      if (job.query.regex) await guard.begin(job.allowance)
      await place(job, guard, post)
    } catch (error) {
      post(failedAnswer(error))
    }
  }
  port.on('message', (job: PlaceJob) => void serve(job))
  post({ kind: 'ready', isGuarded: true })
}

async function place(
  { query, path, offsets }: PlaceJob,
  guard: MatchGuard,
  post: (answer: FindAnswer<PlacePart>) => void
): Promise<void> {
  const wanted = new Set(offsets)
  const holdsMatch = lineTest(query, guard)
  const index = new EventIndex()
  let places: LinePlace[] = []
  let done = 0
  const flush = (isLast: boolean): void => {
    if (places.length === 0 && !isLast) return
    done += places.length
    post({ kind: 'found', part: { to: done, places }, isLast, spentMs: guard.spentMs })
    places = []
  }
  /** The last line found, if the match is not in its first part: it may be in a later one, as that of a damaged line. */
  let open: { readonly line: number; readonly offset: number } | null = null
  const line = (read: ReadLine): void => {
    const from = index.rows
    index.addLine(read)
    const { file, line, offset } = read.at
    if (file !== undefined || index.rows === from) return
    const isWanted = wanted.delete(offset)
    const holds = (isWanted || open?.line === line) && holdsMatch(read.text)
    if (isWanted) {
      post({ kind: 'at', offset, file: path })
      places.push(placeIn(index, rowMeant(read, from, holdsMatch), offset))
      open = holds ? null : { line, offset }
    } else if (holds && open !== null) {
      places[places.length - 1] = placeIn(index, rowMeant(read, from, holdsMatch), open.offset)
      open = null
    }
  }
  const pause = async (): Promise<boolean> => {
    flush(false)
    post({ kind: 'at', offset: 0, file: path })
    return wanted.size > 0
  }
  // After a read error, the events so far are the answer.
  await readLog({ path, format: null, single: false }, { line, pause }).catch(() => {})
  // No line begins at these offsets any more.
  for (const offset of wanted) places.push({ offset, seq: null, kind: 'record', tool: null, at: null })
  flush(true)
}

type HoldsMatch = (text: string) => boolean

/** Whether a text holds a match that has an end. */
function lineTest(query: Query, guard: MatchGuard): HoldsMatch {
  const find = lineMatcher(query, guard)
  return (text) => {
    if (guard.leftMs === 0) return false
    try {
      return find([{ offset: 0, bytes: Buffer.from(text) }])[0] !== null
    } catch (error) {
      if (error instanceof EndlessMatch) return false
      throw error
    }
  }
}

/** The row of the event that contains the match, else the line's first row. */
function rowMeant({ at, events }: ReadLine, from: number, holdsMatch: HoldsMatch): number {
  const own = events.flatMap((event, i) =>
    event.at.offset === at.offset && event.at.file === undefined ? [{ event, i }] : []
  )
  const [first] = own
  if (first === undefined) return from + events.length
  const holds = ({ draft }: FoldedEvent): boolean => holdsMatch(JSON.stringify(draft))
  return from + (own.length === 1 ? first : (own.find(({ event }) => holds(event)) ?? first)).i
}

function placeIn(index: EventIndex, row: number, offset: number): LinePlace {
  const columns = index.columns(row, 1)
  const [seq = -1] = new Int32Array(columns.seq)
  const [kind = 0] = new Uint8Array(columns.kind)
  const [tool = 0] = new Uint16Array(columns.tool)
  const [at = NaN] = new Float64Array(columns.time)
  return {
    offset,
    seq: seq < 0 ? null : seq,
    kind: rowKinds[kind] ?? 'record',
    tool: tool === 0 ? null : (index.tools[tool - 1] ?? null),
    at: Number.isNaN(at) ? null : at
  }
}
