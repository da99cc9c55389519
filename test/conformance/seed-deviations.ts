import { type JsonObject, stringAt } from '../../src/core/json.ts'
import { objectionsTo } from './event-schemas.ts'
import type { Difference, Said } from './seed-alignment.ts'

/** A way in which our parsers give something else than the seeds' code, and why. docs/seeds.md lists each. */
export interface Deviation {
  readonly id: string
  readonly why: string
  readonly holds: (difference: Difference) => boolean
}

/** Whether ours has something that the seed has not. */
export const added = ({ seed, ours }: Difference, type: string): Said | null =>
  seed === null && ours?.type === type ? ours : null

/** Whether the seed has something that ours has not. */
export const left = ({ seed, ours }: Difference, type: string): Said | null =>
  ours === null && seed?.type === type ? seed : null

/** Both, of one type each; `but`: the fields in which they may differ. */
export function alike({ seed, ours }: Difference, ...but: readonly string[]): boolean {
  if (seed === null || ours === null || seed.type !== ours.type) return false
  const names = new Set([...Object.keys(seed), ...Object.keys(ours)])
  return [...names].every((name) => but.includes(name) || JSON.stringify(seed[name]) === JSON.stringify(ours[name]))
}

export const saysText = (event: Said | null, role: string, category: string | undefined): boolean =>
  event?.type === 'text' && event['role'] === role && event['category'] === category

const isUnreadable = (event: Said): boolean => event['code'] === 'JSONL_PARSE_ERROR'

/** An event that breaks the types of its own seed: such as a text that is no string. */
const breaksTypes = (event: Said | null): boolean =>
  event !== null && objectionsTo({ eventId: '', timestamp: 0, ...event }).length > 0

/** How both parsers differ from their seeds. */
export const bothDeviations: readonly Deviation[] = [
  {
    id: 'D-1',
    why: 'what is wrong with a line is said without quoting it: JSON.parse quotes what may be a secret',
    holds: (d) => alike(d, 'error') && d.at.value === undefined && isUnreadable(d.seed as Said)
  },
  {
    id: 'D-3',
    why: 'a byte order mark before the first line is no part of it: the line is a record',
    holds: ({ at, seed }) => at.line === 1 && at.text.startsWith('\uFEFF') && (seed === null || restates(at.text, seed))
  },
  {
    id: 'D-4',
    why: 'a record that is JSON, of odd shape, is read as far as it can be: the code of the seed throws and gives the line as unreadable',
    holds: ({ at, seed }) => at.seedFailed && (seed === null || restates(at.text, seed))
  },
  {
    id: 'D-5',
    why: 'a whole last record without events has none, whether a line feed ends it or not: the code of the seed gives its JSON as a text',
    holds: (d) => left(d, 'text')?.['text'] === d.at.text && !d.at.terminated && d.at.value !== undefined
  },
  {
    id: 'D-6',
    why: 'a process that goes on with a session names it again: a session begins once',
    holds: (d) => left(d, 'session.started') !== null && namesSessionAgain(d)
  },
  {
    id: 'D-7',
    why: 'an empty text says nothing',
    holds: (d) => left(d, 'text')?.['text'] === ''
  },
  {
    id: 'D-8',
    why: 'a call or result without an id gets one that says where it stands, so that the same bytes give the same events',
    holds: (d) =>
      (alike(d, 'toolId', 'input', 'output', 'error') || alike(d, 'todoId')) &&
      /^line-\d+-\d+$/.test(String(d.ours?.['toolId'] ?? d.ours?.['todoId']))
  },
  {
    id: 'D-9',
    why: 'an input nested so deep that programs fail on it is left out, and an issue says so',
    holds: (d) => alike(d, 'input') && JSON.stringify(d.ours?.['input']) === '{}' && depthOf(d.seed?.['input']) > 100
  },
  {
    id: 'D-12',
    why: 'the whole records of a line that is not JSON are read; only the rest is told as a malformed line is',
    holds: ({ at, seed }) =>
      at.value === undefined && (seed === null || restates(at.text, seed)) && holdsWholeRecord(at.text)
  }
]

/** A record without an id goes on with the session before it. */
function namesSessionAgain({ at: { record, sessions } }: Difference): boolean {
  const id = stringAt(record, 'session_id')
  return id === undefined ? sessions.size > 0 : sessions.has(id)
}

/** Whether some object with a `type` is whole in a text. Of small texts only: it tries every pair of braces. */
function holdsWholeRecord(text: string): boolean {
  const places = (brace: string): number[] =>
    Array.from(text, (sign, at) => (sign === brace ? at : -1)).filter((at) => at >= 0)
  const ends = places('}')
  return places('{').some((from) => ends.some((to) => to > from && isRecord(text.slice(from, to + 1))))
}

function isRecord(text: string): boolean {
  try {
    return stringAt(JSON.parse(text) as JsonObject, 'type') !== undefined
  } catch {
    return false
  }
}

const restates = (text: string, seed: Said): boolean => isUnreadable(seed) || seed['text'] === text

function depthOf(value: unknown): number {
  let level: unknown[] = [value]
  let depth = 0
  for (; level.length > 0; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return depth
}

/** Of values that the types of the seed do not allow: last, as other names say more. */
export const ofTypes: Deviation = {
  id: 'D-10',
  why: 'what the types of the seed do not allow is never given: the value is left out, put right, or the event is not given, and an issue says so',
  holds: (d) => breaksTypes(d.seed) && (d.ours === null || (d.ours.type === d.seed?.type && !breaksTypes(d.ours)))
}
