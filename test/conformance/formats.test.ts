import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  expectCutReadable,
  expectEveryLineRead,
  expectExportAgrees,
  expectInOrder,
  expectMayStopAnywhere,
  expectReadableAgain,
  expectSameInChunks,
  formatOf
} from './properties.ts'
import { everyByte, readLog, someCuts } from './read-log.ts'
import { summaryOf } from './summary.ts'

/**
 * One runner for all formats: `test/fixtures/formats/<format id>/<case>/input.jsonl` is read and compared with `expected.txt`.
 * `UPDATE=1` rewrites what is expected; read the difference before committing it. `SOURCE.md` says where a log is from.
 */
const root = new URL('../fixtures/formats/', import.meta.url)
const folders = (at: URL): string[] =>
  readdirSync(at, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()

for (const formatId of folders(root)) {
  describe(formatId, () => {
    for (const name of folders(new URL(`${formatId}/`, root))) {
      describe(name, () => testCase(formatId, new URL(`${formatId}/${name}/`, root)))
    }
  })
}

function testCase(formatId: string, folder: URL): void {
  const bytes = new Uint8Array(readFileSync(new URL('input.jsonl', folder)))

  test('says where it is from', () => {
    expect(existsSync(new URL('SOURCE.md', folder))).toBe(true)
  })

  test('is claimed by its format alone, and read as expected', () => {
    const format = formatOf(bytes)
    expect(format.id).toBe(formatId)
    const summary = `${summaryOf(formatId, readLog(format, bytes))}\n`
    const file = new URL('expected.txt', folder)
    if (process.env['UPDATE'] === '1') writeFileSync(file, summary)
    expect(summary).toBe(readFileSync(file, 'utf8'))
  })

  test('gives the same events in any chunks', () => {
    const format = formatOf(bytes)
    const whole = readLog(format, bytes)
    expectSameInChunks(format, bytes, whole, everyByte(bytes.length))
    for (const seed of [1, 2, 3]) expectSameInChunks(format, bytes, whole, someCuts(bytes.length, 40, seed))
  })

  test('loses no line, keeps the order, and reads each body again', () => {
    const format = formatOf(bytes)
    const log = readLog(format, bytes)
    expectEveryLineRead(bytes, log)
    expectInOrder(log)
    expectReadableAgain(format, bytes, log)
  })

  test('opens again from its export', () => {
    expectExportAgrees(readLog(formatOf(bytes), bytes))
  })

  test('may stop after any byte', () => {
    const format = formatOf(bytes)
    const whole = readLog(format, bytes)
    expectMayStopAnywhere(format, bytes, whole)
    for (let cut = 0; cut < bytes.length; cut += 397) expectCutReadable(format, bytes, whole, cut)
  })
}
