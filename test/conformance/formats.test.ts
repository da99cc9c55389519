import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonObject } from '../../src/core/json.ts'
import { headOf } from '../../src/core/formats/head.ts'
import { lookalikes } from '../../src/core/formats/lookalikes.ts'
import { logFormats } from '../../src/core/formats/registry.ts'
import { allFixtures, bytesOfFixture, type Fixture } from './fixtures.ts'
import {
  expectCutReadable,
  expectEveryLineRead,
  expectExportAgrees,
  expectInOrder,
  expectMayStopAnywhere,
  expectReadableAgain,
  expectSameInChunks,
  expectUniqueIds
} from './properties.ts'
import { everyByte, openLog, readLog, someCuts } from './read-log.ts'
import { summaryOf } from './summary.ts'
import { times } from '../thorough.ts'

/**
 * One runner for all formats: `test/fixtures/formats/<format id>/<case>/input.*` is read and compared with `expected.txt`.
 * `UPDATE=1` rewrites what is expected; read the difference before committing it. `SOURCE.md` says where a log is from.
 */
const fixtures = allFixtures()

describe('the set of fixtures', () => {
  test.each(logFormats.map(({ id }) => id))('has eight cases of %s at least', (id) => {
    expect(fixtures.filter(({ formatId }) => formatId === id).length).toBeGreaterThanOrEqual(8)
  })

  test('has no folder of a format that is not registered', () => {
    const known = new Set(logFormats.map(({ id }) => id))
    expect(fixtures.filter(({ formatId }) => !known.has(formatId)).map(({ folder }) => folder.pathname)).toEqual([])
  })
})

/** Which programs say that only they write this record: of a format and those that imitate it the imitators. */
function ownersOf(record: JsonObject): string[] {
  const owners = [...logFormats, ...lookalikes].filter(({ detectors }) =>
    detectors.some(({ strength, holds }) => strength === 'conclusive' && holds(record))
  )
  const imitated = new Set(owners.flatMap(({ imitates = [] }) => imitates))
  return owners
    .filter(({ id }) => id === null || !imitated.has(id))
    .map((one) => ('title' in one ? one.title : one.name))
}

for (const fixture of fixtures) {
  describe(`${fixture.formatId} ${fixture.name}`, () => testCase(fixture))
}

function testCase(fixture: Fixture): void {
  const { formatId, folder } = fixture
  const bytes = bytesOfFixture(fixture)

  test('says where it is from', () => {
    expect(existsSync(new URL('SOURCE.md', folder))).toBe(true)
  })

  test('is claimed by its format alone, and read as expected', () => {
    const log = openLog(bytes)
    expect(log.format.id).toBe(formatId)
    const summary = `${summaryOf(log, readLog(log))}\n`
    const file = new URL('expected.txt', folder)
    if (process.env['UPDATE'] === '1') writeFileSync(file, summary)
    expect(summary).toBe(readFileSync(file, 'utf8'))
  })

  test('has no record of which two programs say that only they write it', () => {
    const disputed = headOf('log', bytes).records.flatMap((record, index) => {
      const names = isJsonObject(record) ? ownersOf(record) : []
      return names.length > 1 ? [`record ${index + 1}: ${names.join(', ')}`] : []
    })
    expect(disputed).toEqual([])
  })

  test('gives the same events in any chunks', () => {
    const log = openLog(bytes)
    const whole = readLog(log)
    expectSameInChunks(log, whole, everyByte(bytes.length))
    for (let seed = 1; seed <= times(1, 3); seed++) expectSameInChunks(log, whole, someCuts(bytes.length, 40, seed))
  })

  test('loses no line, keeps the order, and reads each body again', () => {
    const log = openLog(bytes)
    const seen = readLog(log)
    expectEveryLineRead(log, seen)
    expectInOrder(seen)
    expectUniqueIds(seen)
    expectReadableAgain(log, seen)
  })

  test('exports valid events, and opens again from them', () => {
    expectExportAgrees(readLog(openLog(bytes)))
  })

  test('may stop after any byte', () => {
    const log = openLog(bytes)
    const whole = readLog(log)
    expectMayStopAnywhere(log, whole)
    // Each reads the log anew.
    const step = Math.max(397, Math.ceil(bytes.length / times(6, bytes.length)))
    for (let cut = 0; cut < bytes.length; cut += step) expectCutReadable(log, whole, cut)
  })
}
