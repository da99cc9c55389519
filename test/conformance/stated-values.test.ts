import { describe, expect, test } from 'vitest'
import { decodeLine } from '../../src/core/formats/decode-line.ts'
import { issueCodes, type IssueDraft } from '../../src/core/formats/issue.ts'
import type { LogFormat } from '../../src/core/formats/log-format.ts'
import { logFormats } from '../../src/core/formats/registry.ts'
import { isJsonObject, type JsonObject, jsonTypeName, type JsonValue } from '../../src/core/json.ts'
import { memberPath } from '../../src/core/json-path.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { openLog, readLog } from './read-log.ts'

/**
 * An impossible value is a notice at its path, in every format. The members are found by their names in the records of the
 * fixtures, not by what the formats say they know: a format that forgets one fails.
 */
const infinite = '\u{F0000}1e999'

interface Kind {
  readonly name: RegExp
  readonly is: (value: JsonValue) => boolean
  readonly odd: readonly JsonValue[]
}

const isNumber = (value: JsonValue): boolean => typeof value === 'number'
const isTime = (value: JsonValue): boolean =>
  typeof value === 'number' ? value > 1e8 : /^\d{4}-\d\d-/.test(String(value))
const kinds: Readonly<Record<string, Kind>> = {
  time: {
    name: /^(?:time|timestamp|timestamp_ms|at|start|end|created|updated|completed)$|_at(?:_ms)?$|[a-z]At(?:Ms)?$|^[a-z]+Time$|^lastUpdated$|_timestamp$/,
    is: isTime,
    odd: ['yesterday at noon', '2026-13-45T99:99:99Z', -5, infinite, true]
  },
  tokens: {
    name: /tokens(?:_sent|_received)?$|tokens_(?:sent|received)$|Tokens$|TokenCount$/,
    is: isNumber,
    odd: [-5, infinite, 'many', 'NaN', []]
  },
  cost: { name: /^cost$|_cost$|cost_?usd$|Cost(?:USD|Usd)?$/i, is: isNumber, odd: [-1, infinite, 'free', 'NaN'] },
  duration: {
    name: /duration(?:_ms|Ms|_api_ms)?$|Duration(?:Ms)?$|^execution_?time$|_delay_ms$|^retryInMs$|elapsed/i,
    is: isNumber,
    odd: [-1, infinite, 'long', 'NaN']
  },
  role: { name: /^role$/, is: (value) => typeof value === 'string', odd: ['wizard'] },
  list: {
    name: /^(?:todos|plan|tool_calls|toolCalls|messages|thoughts|steps|parts|tools|changes|trajectory)$/,
    is: Array.isArray,
    odd: ['as a text']
  }
}

/** Members with what the model or a tool wrote: any names may be in there. Only todo lists of known tools are known. */
const ofTools =
  /(?:^|\.)(?:input|args|arguments|parameters|tool_input|output|result|response|return_value|observation|metadata|structuredContent|detail|details|extras|toolTelemetry|schema)(?:\.|$)/

/** What no reader of Playhead asks for, by format: it may be anything. */
const unread: Readonly<Record<string, RegExp>> = {
  // ATIF leaves `extra` to whoever writes it.
  atif: /\.extra\./,
  // Its lists may be checklists in Markdown.
  'factory-droid': /\.todos$/,
  // Its schema says what may stand there; times before 1970 are exported as they are.
  normalized: /^\$\.(?:role|timestamp|costUsd|durationMs)$/
}

interface Place {
  readonly path: string
  readonly keys: readonly (string | number)[]
  readonly value: JsonValue
}

function placesIn(value: JsonValue, path = '$', keys: readonly (string | number)[] = []): Place[] {
  if (typeof value !== 'object' || value === null || keys.length >= 8) return []
  return Object.entries(value as JsonObject).flatMap(([key, member]) => {
    const step = Array.isArray(value) ? Number(key) : key
    const place = { path: memberPath(path, step), keys: [...keys, step], value: member ?? null }
    return [place, ...placesIn(place.value, place.path, place.keys)]
  })
}

function issuesOf(format: LogFormat, text: string): readonly IssueDraft[] {
  const bytes = new TextEncoder().encode(text)
  const at = { line: 1, offset: 0, length: bytes.length, bytes, terminated: true }
  const { decoded, issues } = decodeLine(format, at, text.startsWith('"') ? 'document' : 'lines')
  return [...(decoded?.issues ?? []), ...issues]
}

/** Records without any issue. */
function recordsOf(formatId: string): { format: LogFormat; text: string }[] {
  return allFixtures()
    .filter((fixture) => fixture.formatId === formatId)
    .flatMap((fixture) => {
      const log = openLog(bytesOfFixture(fixture))
      return readLog(log).lines.flatMap(({ offset, length, blank, issues }) => {
        if (blank || issues.length > 0 || length > 20_000) return []
        const text = new TextDecoder().decode(log.bytes.subarray(offset, offset + length))
        return [{ format: log.format, text: text.startsWith('"') ? `{${text}}` : text }]
      })
    })
}

function changed(record: JsonValue, keys: readonly (string | number)[], to: JsonValue): string {
  const copy = structuredClone(record) as Record<string | number, unknown>
  let holder = copy
  for (const key of keys.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>
  holder[keys.at(-1) ?? ''] = to
  return JSON.stringify(copy).replaceAll(JSON.stringify(infinite), '1e999')
}

function inputIn(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

/** `$.a[].b`: one place for all elements. */
const placeOf = (path: string): string => path.replaceAll(/\[\d+\]/g, '[]')

describe.each(logFormats.map(({ id }) => id ?? ''))('%s', (formatId) => {
  const records = recordsOf(formatId)

  test('an impossible value is a notice at its path', () => {
    const seen = new Set<string>()
    const missed = new Set<string>()
    for (const { format, text } of records) {
      const record = JSON.parse(text) as JsonValue
      for (const { path, keys, value } of placesIn(record)) {
        const place = placeOf(path)
        const name = String(keys.findLast((key) => typeof key === 'string') ?? '')
        const kind = Object.entries(kinds).find(([, one]) => one.name.test(name) && one.is(value))
        if (kind === undefined || typeof keys.at(-1) !== 'string') continue
        const isTodoList = /\.(?:input|args|arguments|parameters)\.(?:todos|plan)$/.test(place)
        if ((ofTools.test(place) && !isTodoList) || unread[formatId]?.test(place) === true) continue
        const key = `${kind[0]} ${place}`
        if (seen.has(key) && !missed.has(key)) continue
        seen.add(key)
        for (const odd of kind[1].odd) {
          const found = issuesOf(format, changed(record, keys, odd)).filter((issue) => issue.path === path)
          if (found.length === 0) missed.add(`${key} ${JSON.stringify(odd)}`)
          for (const { code } of found) {
            const { severity } = issueCodes[code]
            // A required path of another type breaks the format's contract.
            if (jsonTypeName(value) === jsonTypeName(odd === infinite ? 1 : odd))
              expect([key, odd, severity]).toEqual([key, odd, 'notice'])
          }
          expect(found.length, `${key} ${String(odd)}`).toBeLessThan(2)
          for (const { message } of found) if (typeof odd === 'string') expect(message).not.toContain(odd)
        }
      }
    }
    if (missed.size > 0) throw new Error(`not reported:\n${[...missed].join('\n')}`)
    expect(seen.size).toBeGreaterThan(0)
  })

  test('a text for the todo list inside the JSON text of a call is a notice at that text', () => {
    for (const { format, text } of records) {
      const record = JSON.parse(text) as JsonValue
      for (const { path, keys, value } of placesIn(record)) {
        if (!/^(?:input|args|arguments|parameters)$/.test(String(keys.at(-1))) || typeof value !== 'string') continue
        const input = inputIn(value)
        const list = ['todos', 'plan'].find((name) => Array.isArray(input?.[name]))
        if (list === undefined) continue
        const odd = changed(record, keys, JSON.stringify({ ...input, [list]: 'as a text' }))
        const found = issuesOf(format, odd).filter((issue) => issue.path === path)
        expect([path, ...found.map(({ code }) => issueCodes[code].severity)]).toEqual([path, 'notice'])
      }
    }
  })
})
