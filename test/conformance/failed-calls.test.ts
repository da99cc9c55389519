import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { FoldedEvent } from '../../src/core/formats/log-format.ts'
import { RunReader } from '../../src/core/formats/run-reader.ts'
import { stamp } from '../../src/core/formats/stamp.ts'
import { CallCounts } from '../../src/core/index/call-counts.ts'
import { RunIndex } from '../../src/core/index/run-index.ts'
import { FailedCalls } from '../../src/renderer/stores/failed-calls.ts'
import { LogColumns } from '../../src/renderer/stores/log-columns.ts'
import { corpusLogs, corpusPath } from './corpus.ts'
import { every } from '../thorough.ts'
import { allFixtures } from './fixtures.ts'
import { openLog } from './read-log.ts'

const logs = [
  ...allFixtures().map(({ formatId, name, input }) => [`fixture ${formatId} ${name}`, fileURLToPath(input)] as const),
  ...every(3, corpusLogs()).map((path) => [path, corpusPath(path)] as const)
]
let found = 0

test.each(logs)('the index, the page and the report count the same failed calls: %s', (_name, path) => {
  const { format, framing, bytes } = openLog(readFileSync(path))
  const index = new RunIndex(format)
  const calls = new CallCounts()
  const count = (events: readonly FoldedEvent[]) => {
    for (const event of events) calls.add(stamp(event, format))
  }
  const reader = new RunReader(
    format,
    {
      line: (line) => {
        index.line(line)
        count(line.events)
      },
      end: (events, marks) => {
        index.end(events, marks)
        count(events)
      }
    },
    { framing, files: [] }
  )
  reader.push(0, bytes)
  reader.endFile(0)
  reader.end()
  const columns = new LogColumns()
  columns.append({ ...index.rows.columns(0, index.rows.rows), file: new ArrayBuffer(2 * index.rows.rows) })
  const page = new FailedCalls(columns)
  page.onGrown(0)
  expect(index.rows.failedCalls).toBe(calls.all.failed)
  expect(page.results.length).toBe(index.rows.failedCalls)
  found += calls.all.failed
})

test('some of them failed', () => expect(found).toBeGreaterThan(10))
