import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseQuery } from '#core/query/parse-query.ts'
import { queryKeys } from '#core/query/query-keys.ts'
import { RowQuery } from '#core/query/row-query.ts'
import { searchHere } from '../../../test/conformance/log-here.ts'
import { QueriedLog } from './queried-log.ts'

const sample = join(import.meta.dirname, '../../../resources/sample-run.jsonl')

test('evaluates any block of rows as it evaluates all', async () => {
  const log = await QueriedLog.open({ path: sample, format: null, single: true }, searchHere, () => {})
  try {
    const keys = queryKeys.rows
    const { rows } = log.index.rows
    for (const text of [...keys.map(({ example }) => example), 'in:>0', 'ctx:>0', 'model:*', 'turn:>1']) {
      const asked = new RowQuery(parseQuery(text, 'rows').query, { index: log.index, format: log.run.format.id ?? '' })
      const all = new Uint8Array(rows)
      asked.fill(0, all)
      for (let from = 0; from < rows; from++) {
        const block = new Uint8Array(Math.min(9, rows - from))
        asked.fill(from, block)
        expect({ text, from, block }).toEqual({ text, from, block: all.slice(from, from + block.length) })
      }
    }
  } finally {
    await log.close()
  }
})
