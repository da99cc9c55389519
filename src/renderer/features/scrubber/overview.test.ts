import { describe, expect, it } from 'vitest'
import { LogColumns } from '../../stores/log-columns.ts'
import { type CannedRow, columnsOf } from '../../test-host.ts'
import { seqAtX, xOfSeq } from './draw-overview.ts'
import { densityGroups, Overview } from './overview.ts'

function overviewOf(rows: readonly CannedRow[], step = rows.length): Overview {
  const columns = new LogColumns()
  const overview = new Overview()
  while (columns.rows < rows.length) {
    columns.append(columnsOf(rows, columns.rows, step))
    overview.extend(columns)
  }
  return overview
}

const total = (counts: Uint32Array) => counts.reduce((sum, count) => sum + count, 0)

describe('Overview', () => {
  it('counts kinds by event, and an issue of a record at the event before it', () => {
    const overview = overviewOf([
      { kind: 'prompt' },
      { kind: 'tool' },
      { kind: 'record', severity: 'violation' },
      { kind: 'tool-error', severity: 'notice' }
    ])
    expect([overview.bins, overview.size]).toEqual([3, 1])
    expect(Array.from(overview.density.tool.subarray(0, 3))).toEqual([0, 1, 0])
    expect(Array.from(overview.density.error.subarray(0, 3))).toEqual([0, 0, 1])
    expect(Array.from(overview.severity.subarray(0, 3))).toEqual([0, 2, 1])
    expect(overview.prompts[0]).toBe(1)
  })

  it('joins bins as a log outgrows them and loses nothing, in any steps', () => {
    const rows: CannedRow[] = Array.from({ length: 20_001 }, (_, at) => ({
      kind: at % 5 === 0 ? 'tool' : 'assistant',
      severity: at === 12_345 ? 'malformed' : 'none'
    }))
    const whole = overviewOf(rows)
    const grown = overviewOf(rows, 777)
    expect([whole.size, whole.bins]).toEqual([4, 5001])
    expect([total(whole.density.tool), total(whole.density.text)]).toEqual([4001, 16_000])
    expect(whole.severity.indexOf(3)).toBe(Math.floor(12_345 / 4))
    for (const group of densityGroups) expect(grown.density[group]).toEqual(whole.density[group])
    expect(grown.time).toEqual(whole.time)
  })
})

describe('positions', () => {
  it('lead from an event to its pixel and back', () => {
    for (const events of [1, 7, 900, 1_000_000]) {
      for (const seq of [0, Math.floor(events / 2), events - 1]) {
        expect(seqAtX(xOfSeq(seq, events, 1000), events, 1000, events)).toBe(seq)
      }
    }
  })

  it('stay on what is read', () => {
    expect(seqAtX(900, 100, 1000, 50)).toBe(49)
    expect(seqAtX(-5, 100, 1000, 50)).toBe(0)
    expect(seqAtX(5, 0, 1000, 0)).toBe(-1)
  })
})
