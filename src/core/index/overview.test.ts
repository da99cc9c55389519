import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { densityGroups, Overview, type OverviewBuckets, type OverviewColumns } from './overview.ts'
import { type RowKind, rowKinds } from './row-kind.ts'

const idleFrom = 60_000

interface Row {
  readonly kind: RowKind
  readonly severity: number
  readonly time: number
}

const rowOf = fc.record<Row>({
  kind: fc.constantFrom(...rowKinds, 'record' as const, 'record' as const),
  severity: fc.constantFrom(0, 0, 0, 0, 1, 2, 3),
  time: fc.oneof(fc.constant(NaN), fc.integer({ min: 0, max: 500_000 }))
})
// Long enough for several blocks of the running totals.
const logOf = fc.array(rowOf, { maxLength: 400, size: 'max' })

/** Columns of the first `count` rows. */
function columnsOf(rows: readonly Row[], count = rows.length): OverviewColumns {
  const shown = rows.slice(0, count)
  const rowOfSeq = shown.flatMap(({ kind }, row) => (kind === 'record' ? [] : [row]))
  return {
    rows: count,
    events: rowOfSeq.length,
    kind: Uint8Array.from(shown, ({ kind }) => rowKinds.indexOf(kind)),
    severity: Uint8Array.from(shown, ({ severity }) => severity),
    time: Float64Array.from(shown, ({ time }) => time),
    rowOfSeq: Int32Array.from(rowOfSeq)
  }
}

function overviewOf(rows: readonly Row[]): Overview {
  const overview = new Overview(columnsOf(rows), idleFrom)
  overview.extend()
  return overview
}

/** The same by looking at every row. */
function naive(rows: readonly Row[]) {
  let seq = -1
  let latest = NaN
  const seen = rows.map(({ kind, severity, time }) => {
    if (kind !== 'record') seq++
    const idle = time - latest >= idleFrom
    if (!(time <= latest) && !Number.isNaN(time)) latest = time
    return { kind, severity, idle, latest, seq: Math.max(0, seq) }
  })
  const groups: Record<string, readonly RowKind[]> = {
    tool: ['tool', 'todo'],
    text: ['prompt', 'assistant', 'result-text'],
    result: ['tool-result'],
    reasoning: ['reasoning'],
    error: ['tool-error', 'error', 'unparsed']
  }
  const events = Math.max(1, seq + 1)
  return {
    events,
    bucketsOf: (from: number, to: number, count: number) =>
      Array.from({ length: count }, (_, bucket) => {
        const edge = (at: number) => from + Math.floor((at * (to - from)) / count)
        const here = seen.filter((row) => row.seq >= edge(bucket) && row.seq < edge(bucket + 1))
        const upTo = seen.filter((row) => row.seq < edge(bucket + 1))
        return {
          density: densityGroups.map((group) => here.filter(({ kind }) => groups[group]?.includes(kind)).length),
          prompts: here.filter(({ kind }) => kind === 'prompt').length,
          issues: here.filter(({ severity }) => severity > 0).length,
          severity: Math.max(0, ...here.map(({ severity }) => severity)),
          idle: here.filter(({ idle }) => idle).length,
          time: upTo.at(-1)?.latest ?? NaN
        }
      }),
    issuesIn: (from: number, to: number) =>
      seen.filter((row) => row.severity > 0 && row.seq >= from && row.seq < to).map((row) => [row.seq, row.severity])
  }
}

const listed = (buckets: OverviewBuckets) =>
  Array.from({ length: buckets.count }, (_, bucket) => ({
    density: densityGroups.map((group) => buckets.density[group][bucket]),
    prompts: buckets.prompts[bucket],
    issues: buckets.issues[bucket],
    severity: buckets.severity[bucket],
    idle: buckets.idle[bucket],
    time: buckets.time[bucket]
  }))

const windowOf = fc.tuple(fc.nat(450), fc.nat(450), fc.integer({ min: 1, max: 60 }))

describe('Overview', () => {
  it('counts what looking at every row counts, for any window in any number of buckets', () => {
    fc.assert(
      fc.property(logOf, windowOf, (rows, [a, b, count]) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const wanted = naive(rows)
        // A log of records alone has one place, where they all count.
        fc.pre(rows.some(({ kind }) => kind !== 'record') || from === 0)
        expect(listed(overviewOf(rows).query(from, to, count))).toEqual(wanted.bucketsOf(from, to, count))
      })
    )
  })

  it('names every place with issues, or says that there are too many', () => {
    fc.assert(
      fc.property(logOf, windowOf, fc.nat(400), (rows, [a, b], most) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const wanted = naive(rows).issuesIn(from, to)
        const places = overviewOf(rows).issues(from, to, most)
        if (wanted.length > most) expect(places).toBeNull()
        else expect(Array.from(places?.seq ?? [], (seq, at) => [seq, places?.severity[at]])).toEqual(wanted)
      })
    )
  })

  it('is the same whether rows came at once, in pieces, or in place of others that were taken back', () => {
    fc.assert(
      fc.property(logOf, logOf, fc.array(fc.nat(400)), fc.nat(400), (rows, others, steps, kept) => {
        // Of the other log `kept` rows are those of this one.
        const first = [...rows.slice(0, kept), ...others]
        const columns = { ...columnsOf(first, 0) }
        const overview = new Overview(columns, idleFrom)
        const grow = (log: readonly Row[]) => {
          for (const step of [...steps, log.length].filter((end) => end <= log.length).sort((a, b) => a - b)) {
            Object.assign(columns, columnsOf(log, Math.max(step, columns.rows)))
            overview.extend()
          }
        }
        grow(first)
        const same = Math.min(kept, rows.length)
        Object.assign(columns, columnsOf(rows, same))
        overview.truncate(same)
        grow(rows)
        const { events } = columns
        expect(listed(overview.query(0, events, 7))).toEqual(listed(overviewOf(rows).query(0, events, 7)))
        expect(overview.issues(0, events, 1000)).toEqual(overviewOf(rows).issues(0, events, 1000))
      })
    )
  })

  it('shows issues of a log that has records only', () => {
    const overview = overviewOf([
      { kind: 'record', severity: 1, time: NaN },
      { kind: 'record', severity: 2, time: NaN }
    ])
    expect(overview.query(0, 1, 1)).toMatchObject({ issues: Uint32Array.of(2), severity: Uint8Array.of(2) })
  })
})
