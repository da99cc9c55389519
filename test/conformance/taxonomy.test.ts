import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decodeLine } from '../../src/core/formats/decode-line.ts'
import { issueCodes, type IssueDraft } from '../../src/core/formats/issue.ts'
import { logFormats } from '../../src/core/formats/registry.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json.ts'
import { memberPath } from '../../src/core/json-path.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { openLog, readLog } from './read-log.ts'

/**
 * The strict taxonomy, the same in every format: what is not JSON is malformed, what lacks a required path is a violation that names the path,
 * what nobody knows is a notice; and no issue quotes the log. The records are those of the fixtures, each broken in every place.
 * Which paths a format requires stands in `required.txt` beside its fixtures; `UPDATE=1` rewrites it.
 */
const secret = 'hunter2-4711'
const at = { line: 1, offset: 0, length: 1 }
const longest = 20_000

/** Records without a violation, as text: each test changes its own copy. */
function recordsOf(formatId: string): string[] {
  const fixtures = allFixtures().filter((fixture) => fixture.formatId === formatId)
  return fixtures.flatMap((fixture) => {
    const { format, framing, bytes } = openLog(bytesOfFixture(fixture))
    return readLog({ format, framing, bytes }).lines.flatMap((line) => {
      const own = bytes.subarray(line.offset, line.offset + line.length)
      const { value, decoded } = decodeLine(format, { ...line, bytes: own }, framing)
      if (value === undefined || !isJsonObject(value) || line.length > longest) return []
      return violationsAmong(decoded?.issues ?? []).length === 0 ? [JSON.stringify(value)] : []
    })
  })
}

function violationsAmong(issues: readonly IssueDraft[]): readonly IssueDraft[] {
  return issues.filter(({ code }) => issueCodes[code].severity === 'violation')
}

interface Place {
  readonly path: string
  readonly keys: readonly (string | number)[]
}

/** Where something stands in a value: every member of every object in it, down to eight levels. */
function placesIn(value: JsonValue, path = '$', keys: readonly (string | number)[] = []): Place[] {
  if (typeof value !== 'object' || value === null || keys.length >= 8) return []
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((element, index) =>
      placesIn(element, memberPath(path, index), [...keys, index])
    )
  }
  return Object.entries(value as JsonObject).flatMap(([key, member]) => {
    const place = { path: memberPath(path, key), keys: [...keys, key] }
    return [place, ...placesIn(member ?? null, place.path, place.keys)]
  })
}

/** The record with another value at a place; without it where that is undefined. */
function changed(text: string, { keys }: Place, to: JsonValue | undefined): JsonValue {
  const record = JSON.parse(text) as JsonValue
  const last = keys.at(-1)
  let holder: unknown = record
  for (const key of keys.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[key]
  if (to === undefined) delete (holder as Record<string | number, unknown>)[last ?? '']
  else (holder as Record<string | number, unknown>)[last ?? ''] = to
  return record
}

describe.each(logFormats.map((format) => ({ id: format.id ?? '', format })))('$id', ({ id, format }) => {
  const records = recordsOf(id)

  test.each([
    ['a word', `${secret} is no JSON`],
    ['a cut object', `{"type":"${secret}","text":"${secret}`],
    ['two glued objects', `{"type":"${secret}"}{"type":"${secret}"}`],
    ['a NUL after it', `{"type":"${secret}"}\0`]
  ])('what is not JSON is malformed, and not quoted: %s', (_what, text) => {
    for (const terminated of [true, false]) {
      const bytes = new TextEncoder().encode(text)
      const { decoded } = decodeLine(format, { ...at, length: bytes.length, bytes, terminated })
      expect(decoded?.issues.map(({ code, path }) => [code, path])).toEqual([['JsonParse', null]])
      expect(decoded?.issues[0]?.message).not.toContain(secret)
      const drafts = decoded?.drafts ?? []
      const errors = drafts.filter((draft) => draft.type === 'error')
      expect(drafts.length).toBeGreaterThan(0)
      // A last line that is cut may be no error: the log is still being written.
      if (terminated) expect(errors).toHaveLength(1)
      for (const { error, code } of errors) {
        expect(code).toBe('JSONL_PARSE_ERROR')
        expect(error).toContain(decoded?.issues[0]?.message)
        expect(error).not.toContain(secret)
      }
      // The line itself may be shown, as what it is.
      const more = drafts.filter((draft) => draft.type !== 'error')
      expect(more.filter((draft) => draft.type !== 'text' || draft.category !== 'unparsed')).toEqual([])
    }
  })

  test.each([null, 42, true, secret, [], [secret], [{ type: secret }]].map((value) => [JSON.stringify(value), value]))(
    'a value that is no object is a violation: %s',
    (_text, value) => {
      const { drafts, issues } = format.decode(value as JsonValue, at)
      expect(issues.map(({ code, path }) => [code, path])).toEqual([['TypedParse', '$']])
      expect(issues[0]?.message).not.toContain(secret)
      expect(drafts).toEqual([])
    }
  )

  test('a record of a type nobody knows is one notice, and not quoted', () => {
    let typed = 0
    for (const text of records) {
      const record = JSON.parse(text) as JsonObject
      if (typeof record['type'] !== 'string') continue
      typed += 1
      const { issues } = format.decode({ ...record, type: secret }, at)
      expect(issues.map(({ code, path }) => [code, path])).toEqual([['UnknownType', '$.type']])
      expect(issues[0]?.message).not.toContain(secret)
    }
    // Records of some formats have no type.
    if (typed > 0) expect(typed).toBeGreaterThan(10)
  })

  test('without a required path it is a violation that names the path; these are required', () => {
    const required = new Set<string>()
    for (const text of records) {
      for (const place of placesIn(JSON.parse(text) as JsonValue)) {
        for (const { path, message } of violationsAmong(format.decode(changed(text, place, undefined), at).issues)) {
          // Without the key that says what it is, a record is another one, which may require another path.
          required.add(`${path}: ${message}`.replace(/\[\d+\]/g, '[n]'))
        }
      }
    }
    const file = new URL(`../fixtures/formats/${id}/required.txt`, import.meta.url)
    const found = `${[...required].sort().join('\n')}\n`
    if (process.env['UPDATE'] === '1') writeFileSync(file, found)
    expect(found).toBe(readFileSync(file, 'utf8'))
    expect(required.size).toBeGreaterThan(3)
  })

  test('with null, or with another type, at a required path it is a violation of that path, and nothing is quoted', () => {
    const silent = new Set<string>()
    const quoting = new Set<string>()
    for (const text of records) {
      for (const place of placesIn(JSON.parse(text) as JsonValue)) {
        const issuesWith = (to: JsonValue | undefined): readonly IssueDraft[] =>
          format.decode(changed(text, place, to), at).issues
        const isRequired = violationsAmong(issuesWith(undefined)).some(({ path }) => path === place.path)
        if (isRequired && !violationsAmong(issuesWith(null)).some(({ path }) => path === place.path))
          silent.add(place.path)
        for (const to of [secret, [secret], { [secret]: secret }]) {
          if (issuesWith(to).some(({ message, path }) => message.includes(secret) || (path ?? '').includes(secret)))
            quoting.add(place.path)
        }
      }
    }
    expect([...silent]).toEqual([])
    expect([...quoting]).toEqual([])
  })
})
