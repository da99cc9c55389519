import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventRows } from './event-rows.ts'

test('events are counted and found as in a list of them', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 400 }), (rows) => {
      const eventRows = new EventRows()
      for (const isEvent of rows) eventRows.push(isEvent)
      const events = rows.flatMap((isEvent, row) => (isEvent ? [row] : []))
      expect(eventRows.length).toBe(events.length)
      expect(events.map((_, seq) => eventRows.rowOf(seq))).toEqual(events)
      expect(rows.map((_, row) => eventRows.seqOf(row))).toEqual(rows.map((_, row) => events.indexOf(row)))
      expect([-1, rows.length, rows.length + 100].map((row) => eventRows.seqOf(row))).toEqual([-1, -1, -1])
    })
  )
})
