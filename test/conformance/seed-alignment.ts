import { isDeepStrictEqual } from 'node:util'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../../src/core/json.ts'
import type { SeedEvent, SeedParser } from './seed-parsers.ts'

/** An event as far as the seeds define its type: ids of events, times and what is ours alone are left out. */
export type Said = Readonly<Record<string, unknown>> & { readonly type: string }

/** The fields of each type (docs/seeds.md#agent-event-todo-types). */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  'session.started': [],
  text: ['text', 'role', 'category'],
  'tool.started': ['toolName', 'toolId', 'input'],
  'tool.completed': ['toolId', 'output', 'error'],
  'turn.completed': ['finishReason'],
  error: ['error', 'code', 'stack'],
  todo_list: ['todoId', 'items']
}
const baseFields = ['type', 'agentId', 'agentType', 'teamMetadata']

/** A field that is undefined is as one that is not there. */
export function said(event: SeedEvent | AgentEvent): Said {
  const all = event as SeedEvent
  const names = [...baseFields, ...(fieldsOf[event.type] ?? [])].filter((name) => all[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Said
}

/** Where two parsers differ: the line, and what came before it. */
export interface Place {
  /** From 1. */
  readonly line: number
  readonly text: string
  /** Whether a line feed ends the line. */
  readonly terminated: boolean
  /** The JSON of the line; undefined where it is none. */
  readonly value: JsonValue | undefined
  /** The same where it is an object, else an empty one. */
  readonly record: JsonObject
  /** The names of the tools called up to here, by the ids of the calls. */
  readonly calls: ReadonlyMap<string, string>
  /** Sessions that began on an earlier line. */
  readonly sessions: ReadonlySet<string>
  /** The uuids of earlier lines. */
  readonly uuids: ReadonlySet<string>
  /** The seed's code failed on the record, which is JSON. */
  readonly seedFailed: boolean
}

/** A difference on a line: null where one of the two gives nothing for what the other gives. */
export interface Difference {
  readonly at: Place
  readonly seed: Said | null
  readonly ours: Said | null
}

/** Two logs' worth of events, line by line. */
export interface Compared {
  readonly bytes: Uint8Array
  readonly seed: readonly (readonly Said[])[]
  readonly ours: readonly (readonly Said[])[]
}

/** The events of each line by the seed's parser, which says of none where it stands. */
export function seedLines(parser: SeedParser, bytes: Uint8Array): Said[][] {
  return linesOf(bytes).map((line) => {
    const events = parser.parseChunk(line)
    if (line.at(-1) !== 0x0a) events.push(...parser.flush())
    return events.map(said)
  })
}

/** Our events by the lines they say they stand on. Throws where they do not stand in the order of the lines. */
export function ourLines(events: readonly AgentEvent[], count: number): Said[][] {
  const lines = Array.from({ length: count }, (): Said[] => [])
  let last = 0
  for (const event of events) {
    const line = event.source?.line ?? 0
    if (line < last || line > count) throw new Error(`an event of line ${line} comes after one of line ${last}`)
    last = line
    lines[line - 1]?.push(said(event))
  }
  return lines
}

function linesOf(bytes: Uint8Array): Buffer[] {
  const lines: Buffer[] = []
  for (let from = 0; from < bytes.length;) {
    const feed = bytes.indexOf(0x0a, from)
    const to = feed < 0 ? bytes.length : feed + 1
    lines.push(Buffer.from(bytes.subarray(from, to)))
    from = to
  }
  return lines
}

/** Names a difference; undefined: nothing explains it. Asked while what came before the line is all that is known. */
export type NameOf = (difference: Difference) => string | undefined

/** A difference, and its name. */
export type Named = Difference & { readonly name: string | undefined }

/** What the two do not give alike. Where events can be paired in several ways, in that which leaves least without a name. */
export function differences({ bytes, seed, ours }: Compared, nameOf: NameOf): Named[] {
  const calls = new Map<string, string>()
  const sessions = new Set<string>()
  const uuids = new Set<string>()
  return linesOf(bytes).flatMap((line, index) => {
    const [theirs = [], own = []] = [seed[index], ours[index]]
    const text = line.toString('utf8').replace(/\n$/, '')
    const value = jsonOf(text)
    const record = isJsonObject(value) ? value : {}
    for (const [id, name] of callsIn(record)) calls.set(id, name)
    const seedFailed = value !== undefined && theirs.some(({ code }) => code === 'JSONL_PARSE_ERROR')
    const terminated = line.at(-1) === 0x0a
    const at: Place = { line: index + 1, text, terminated, value, record, calls, sessions, uuids, seedFailed }
    const found = isDeepStrictEqual(theirs, own) ? [] : paired(at, theirs, own, nameOf)
    const session = stringAt(record, 'session_id')
    if (theirs.some(({ type }) => type === 'session.started') && session !== undefined) sessions.add(session)
    const uuid = stringAt(record, 'uuid')
    if (uuid !== undefined) uuids.add(uuid)
    return found
  })
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

function callsIn(record: JsonObject): [string, string][] {
  const blocks = arrayAt(objectAt(record, 'message') ?? {}, 'content') ?? []
  return [record, ...blocks.filter(isJsonObject)].flatMap((block): [string, string][] => {
    const id = stringAt(block, 'tool_id') ?? stringAt(block, 'id')
    const name = stringAt(block, 'tool_name') ?? stringAt(block, 'name')
    return block['type'] === 'tool_use' && id !== undefined && name !== undefined ? [[id, name]] : []
  })
}

interface Way {
  readonly cost: number
  readonly differences: readonly Named[]
}

/** Pairs the events of a line in their order. */
function paired(at: Place, seed: readonly Said[], ours: readonly Said[], nameOf: NameOf): readonly Named[] {
  const unnamed = 1000
  const step = ({ cost, differences: rest }: Way, theirs: Said | null, own: Said | null): Way => {
    const difference = { at, seed: theirs, ours: own }
    const name = nameOf(difference)
    return { cost: cost + (name === undefined ? unnamed : 1), differences: [{ ...difference, name }, ...rest] }
  }
  let below: Way[] = []
  for (let i = seed.length; i >= 0; i--) {
    const row: Way[] = []
    for (let j = ours.length; j >= 0; j--) {
      const [theirs = null, own = null] = [seed[i], ours[j]]
      const ways: Way[] = []
      const both = below[j + 1]
      if (theirs !== null && own !== null && both !== undefined) {
        ways.push(isDeepStrictEqual(theirs, own) ? both : step(both, theirs, own))
      }
      const [without, next] = [below[j], row[j + 1]]
      if (theirs !== null && without !== undefined) ways.push(step(without, theirs, null))
      if (own !== null && next !== undefined) ways.push(step(next, null, own))
      row[j] = ways.reduce((best, way) => (way.cost < best.cost ? way : best), ways[0] ?? { cost: 0, differences: [] })
    }
    below = row
  }
  return below[0]?.differences ?? []
}
