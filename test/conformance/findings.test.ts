import { describe, expect, test } from 'vitest'
import { QueriedLog } from '#backend/query/queried-log.ts'
import { corpusIsHere, corpusPath } from './corpus.ts'
import { findingCases } from './finding-cases.ts'
import { searchHere } from './log-here.ts'

/** The findings of real logs are those that people judged. */

if (!corpusIsHere) console.warn('findings.test.ts: skipped, ../shared/corpus is not here')

const logs = [...new Set(findingCases.map(({ log }) => log))]

describe.runIf(corpusIsHere)('verdicts by hand', () => {
  test.each(logs)('%s', async (log) => {
    const queried = await QueriedLog.open({ path: corpusPath(log), format: null, single: false }, searchHere, () => {})
    try {
      const { rows, findings } = queried.index
      const told = findings.list.map(({ rule, events }) => ({
        rule,
        lines: events.map((seq) => rows.lineAt(rows.rowOf(seq)))
      }))
      for (const { rule, lines, fires } of findingCases.filter((one) => one.log === log)) {
        const isTold = told.some(
          (one) => one.rule === rule && (lines.length === 0 || one.lines.some((line) => lines.includes(line)))
        )
        expect({ rule, lines, fires: isTold }).toEqual({ rule, lines, fires })
      }
    } finally {
      await queried.close()
    }
  })
})
