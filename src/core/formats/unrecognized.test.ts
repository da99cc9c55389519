import { expect, test } from 'vitest'
import type { ReadLine } from './folded-lines.ts'
import { LogReader } from './log-reader.ts'
import { logFormats } from './registry.ts'
import { unrecognized } from './unrecognized.ts'

test('every line is a row, none is an event, and what is not JSON is reported', () => {
  const lines: Pick<ReadLine, 'blank' | 'events' | 'issues' | 'text'>[] = []
  const reader = new LogReader(unrecognized, { line: (line) => lines.push(line) })
  reader.push(new TextEncoder().encode('{"a":1}\n\nhello\n[2]\n{"cut'))
  reader.end()
  expect(lines.map(({ text, blank }) => [text, blank])).toEqual([
    ['{"a":1}', false],
    ['', true],
    ['hello', false],
    ['[2]', false],
    ['{"cut', false]
  ])
  expect(lines.flatMap((line) => line.events)).toEqual([])
  expect(lines.map((line) => line.issues.map((issue) => issue.code))).toEqual([
    [],
    [],
    ['JsonParse'],
    [],
    ['JsonParse']
  ])
})

test('it is not registered: it claims nothing', () => {
  expect(logFormats).not.toContain(unrecognized)
  expect(unrecognized.id).toBeNull()
})
