import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json.ts'

/** Records as they stand in a log: before each what lies between it and the one before, and what follows the last. */
export interface Pieces {
  readonly records: readonly { readonly gap: string; readonly text: string }[]
  readonly tail: string
}

/** The log these pieces make. */
export function textOfPieces({ records, tail }: Pieces): string {
  return records.map(({ gap, text }) => gap + text).join('') + tail
}

type Random = () => number

/** Damages one to three records of a log, each in one of the ways below; the same numbers give the same damage. */
export function mutate(pieces: Pieces, random: Random): Pieces {
  let mutated = pieces
  const times = 1 + below(random, 3)
  for (let done = 0; done < times && mutated.records.length > 0; done += 1) mutated = mutateOnce(mutated, random)
  return mutated
}

function mutateOnce({ records, tail }: Pieces, random: Random): Pieces {
  const index = below(random, records.length)
  const at = records[index]
  if (at === undefined) return { records, tail }
  const all = [...records]
  const way = below(random, 100)
  if (way < 6) {
    const other = below(random, records.length)
    all[index] = { gap: at.gap, text: records[other]?.text ?? '' }
    all[other] = { gap: records[other]?.gap ?? '', text: at.text }
  } else if (way < 12)
    all[index] = { gap: at.gap, text: pick(random, ['', '{}', '[]', 'null', '42', '""', '[{}]', '{"type":1}']) }
  else if (way < 18) all.splice(index, 1, ...Array<typeof at>(2 + below(random, 8)).fill(at))
  else if (way < 24) all[index] = { gap: at.gap, text: at.text.slice(0, below(random, at.text.length + 1)) }
  else
    all[index] = { gap: at.gap, text: changedText(at.text, records[below(random, records.length)]?.text ?? '', random) }
  return { records: all, tail }
}

/** Stands in a value that JSON cannot hold until the text is made; never in a log. */
const placeholder = '\u{F0000}playhead\u{F0000}'

function changedText(text: string, otherText: string, random: Random): string {
  // Nested ten thousand levels deep by now: JavaScript reads that and cannot write it.
  if (text.length >= 20_000 || otherText.length >= 20_000) return text.slice(0, below(random, text.length + 1))
  const members = text.startsWith('"')
  let record: JsonValue
  let other: JsonValue
  try {
    record = JSON.parse(members ? `{${text}}` : text) as JsonValue
    other = JSON.parse(otherText.startsWith('"') ? `{${otherText}}` : otherText) as JsonValue
  } catch {
    return text.slice(0, below(random, text.length + 1))
  }
  const changed = changedValue(record, other, random)
  return members && changed.startsWith('{') ? changed.slice(1, -1) : changed
}

/** What JSON can state and JavaScript's own writer cannot, or would not. */
const oddTexts = [
  ...['1e999', '-1e999', '9007199254740993', '-0', '1e-400', '123456789012345678901234567890', '1.5'],
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}},"length":-1}',
  '{"toString":null,"valueOf":null,"toJSON":1,"then":1}',
  '"\\ud83d"',
  '"\\u0000"'
]
const oddValues: readonly JsonValue[] = [null, true, false, 0, -1, '', 'x', ' ', [], {}, [null], [[]], [{}], ['x', 1]]
const oddNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', '']

/** `record` as JSON, with one thing in it that is no longer as it was. */
function changedValue(record: JsonValue, other: JsonValue, random: Random): string {
  const places = placesIn(record)
  const place = places[below(random, places.length)]
  if (place === undefined) return pick(random, oddTexts)
  const { holder, key } = place
  const value = (holder as Record<string, JsonValue>)[key]
  const set = (to: JsonValue): void => void ((holder as Record<string, JsonValue>)[key] = to)
  const written = (): string => JSON.stringify(record)
  const way = below(random, 8)
  if (way === 0) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete (holder as Record<string, JsonValue>)[key]
    return written()
  }
  if (way === 1) {
    set(pick(random, oddValues))
    return written()
  }
  if (way === 2) {
    if (typeof value === 'string') set(value.slice(0, below(random, value.length + 1)))
    else set(JSON.stringify(value ?? null))
    return written()
  }
  if (way === 3) {
    set(placeholder)
    const odd = pick(random, oddTexts)
    return written().replace(JSON.stringify(placeholder), () => odd)
  }
  if (way === 4) {
    set(
      typeof value === 'string' || random() < 0.5 ? pick(random, oddNames) : value === undefined ? null : [value, value]
    )
    return written()
  }
  if (way === 5 && isJsonObject(holder)) {
    // A key twice, or one that means something to JavaScript.
    const name = random() < 0.5 ? key : pick(random, oddNames)
    ;(holder as Record<string, JsonValue>)[placeholder] = pick(random, oddValues)
    return written().replace(JSON.stringify(placeholder), () => JSON.stringify(name))
  }
  if (way === 6) {
    const others = placesIn(other)
    const from = others[below(random, others.length)]
    if (from !== undefined) set((from.holder as Record<string, JsonValue>)[from.key] ?? null)
    return written()
  }
  if (typeof value === 'string') set(value.replace(/\d+/g, () => pick(random, ['0', '-1', '99999999999999999999', ''])))
  else if (typeof value === 'number') set(pick(random, [value + 0.5, -value, value * 1e15, value + 1]))
  else if (Array.isArray(value)) set(Array<JsonValue>(1 + below(random, 30)).fill(value))
  else set([])
  return written()
}

interface Place {
  readonly holder: JsonObject | JsonValue[]
  readonly key: string
}

/** Every member and element of a value, at any depth. The strings of some formats hold JSON; those are changed as strings. */
function placesIn(value: JsonValue): Place[] {
  const places: Place[] = []
  const waiting: JsonValue[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    for (const [key, member] of Object.entries(next)) {
      places.push({ holder: next as JsonObject | JsonValue[], key })
      if (member !== undefined) waiting.push(member as JsonValue)
    }
  }
  return places
}

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit)
}

function pick<T>(random: Random, from: readonly [T, ...T[]] | readonly T[]): T {
  return from[below(random, from.length)] as T
}
