import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rowKinds } from '#core/index/row-kind.ts'
import { type CannedRow, columnsOf } from '../../../test/page/host.ts'
import { LogColumns, severityNames } from './log-columns.ts'
import { RowCounts } from './row-counts.ts'

const rowsArbitrary = fc.array(
  fc.record({
    kind: fc.constantFrom(...rowKinds),
    severity: fc.constantFrom(...severityNames),
    tool: fc.nat(3),
    track: fc.nat(3)
  }),
  { maxLength: 40 }
)

it('counts the current rows after unsettled rows were taken back', () => {
  const step = fc.record({ final: fc.nat(40), others: rowsArbitrary })
  fc.assert(
    fc.property(rowsArbitrary, fc.array(step, { maxLength: 5 }), (first, steps) => {
      const columns = new LogColumns()
      const counts = new RowCounts()
      let rows: CannedRow[] = first
      let final = 0
      columns.append(columnsOf(rows))
      for (const step of [...steps, { final: 0, others: [] }]) {
        const { kind, severity, tool, track } = counts.of(columns, final)
        const count = (holds: (row: CannedRow) => boolean) => rows.filter(holds).length
        rowKinds.forEach((name, at) => expect(kind[at]).toBe(count((row) => row.kind === name)))
        severityNames.forEach((name, at) => expect(severity[at]).toBe(count((row) => row.severity === name)))
        for (let at = 0; at < 4; at++) expect(tool[at]).toBe(count((row) => row.tool === at))
        for (let at = 0; at < 4; at++) expect(track[at]).toBe(count((row) => row.track === at))
        final = Math.max(final, Math.min(rows.length, step.final))
        rows = [...rows.slice(0, final), ...step.others]
        counts.of(columns, final)
        columns.rows = final
        columns.append(columnsOf(rows, final))
      }
    })
  )
})
