import { isJsonObject, type JsonObject, jsonTypeName, type JsonValue } from '../json.ts'
import { memberPath } from '../json-path.ts'
import { isUsd } from '../requests/run-cost.ts'
import { countNames, isTokenCount } from '../requests/tokens.ts'
import { instantOf, instantOfMs } from './instant.ts'
import { type IssueDraft, mostIssues } from './issue.ts'
import { parseJson } from './json-text.ts'
import { statedDuration } from './stated-amounts.ts'

/**
 * Where the records of a format state values, and what is possible there: docs/formats/README.md#a-value-may-be-impossible. A shape of
 * another kind than the record's is passed over: whether a member has to be an object is a matter of `required.ts`.
 */
export interface StatedValues {
  /** Whether all values can be meant. Runs for each record, so it makes nothing. */
  holds(value: JsonValue): boolean
  /** Adds an issue for each value that cannot, with its path. */
  report(value: JsonValue, path: string, found: IssueDraft[]): void
}

const none: readonly IssueDraft[] = []

/** The impossible values of a record. `known`: issues that the record has already; one for each path is enough. */
export function valueIssues(
  values: StatedValues | undefined,
  record: JsonValue,
  known: readonly IssueDraft[]
): readonly IssueDraft[] {
  if (values === undefined || values.holds(record)) return none
  const found: IssueDraft[] = []
  values.report(record, '$', found)
  const paths = new Set(known.map(({ path }) => path))
  return found.filter(({ path }) => !paths.has(path) && paths.add(path))
}

/** A value of which `holds` is true; null stands for none, as an absent member does. */
function value(
  wanted: string,
  holds: (value: JsonValue) => boolean,
  code: IssueDraft['code'] = 'OddValue'
): StatedValues {
  return {
    holds: (stated) => stated === null || holds(stated),
    report(stated, path, found) {
      if (stated === null || holds(stated) || found.length >= mostIssues) return
      found.push({
        code,
        path,
        message: code === 'OddValue' ? `expected ${wanted}, not ${nameOf(stated, wanted)}` : wanted
      })
    }
  }
}

/** The kind of a value, never the value. */
function nameOf(stated: JsonValue, wanted: string): string {
  if (typeof stated === 'string' && wanted === aTime) return 'another string'
  if (typeof stated !== 'number') return jsonTypeName(stated)
  if (!Number.isFinite(stated)) return 'an infinite number'
  return stated < 0 ? 'a negative number' : 'a number that is too large'
}

const aTime = 'a time'

/** A time: ISO 8601, or seconds or ms since 1970. Zero is what some programs write for none. */
export const time = value(aTime, (stated) =>
  typeof stated === 'string' ? instantOf(stated) !== undefined : stated === 0 || instantOfMs(stated) !== undefined
)

/** How many there are. */
export const count = value('a number of at least 0', isTokenCount)

/** A cost in US dollars. */
export const usd = value('a cost of at least 0', isUsd)

/** A duration in ms. */
export const ms = value('a duration of at least 0', (stated) => statedDuration(stated) !== undefined)

/** A duration in seconds. */
export const seconds = value('a duration of at least 0', (stated) => statedDuration(stated, 1000) !== undefined)

export const list = value('a list', Array.isArray)

/** This, or JSON of it in a text: some programs write a list so. */
export function inText(shape: StatedValues): StatedValues {
  const parsed = (stated: JsonValue): JsonValue => {
    const inner = typeof stated === 'string' ? parseJson(stated) : null
    return inner?.ok === true ? inner.value : stated
  }
  return {
    holds: (stated) => shape.holds(parsed(stated)),
    report(stated, path, found) {
      const inner: IssueDraft[] = []
      shape.report(parsed(stated), path, inner)
      // Within a text there are no paths.
      for (const issue of inner) found.push(typeof stated === 'string' ? { ...issue, path } : issue)
    }
  }
}

/** One of these roles. A role of another type is left to `required.ts`. */
export function role(...known: readonly string[]): StatedValues {
  const roles = new Set<JsonValue>(known)
  return value('unknown role', (stated) => typeof stated !== 'string' || roles.has(stated), 'UnknownSubtype')
}

/** An object with these members. */
export function members(shapes: Readonly<Record<string, StatedValues>>): StatedValues {
  return new Members(new Map(Object.entries(shapes)))
}

class Members implements StatedValues {
  readonly shapes: ReadonlyMap<string, StatedValues>

  constructor(shapes: ReadonlyMap<string, StatedValues>) {
    this.shapes = shapes
  }

  /** Goes through what the record has: most of what is known is absent, and to look for that takes longer. */
  holds(stated: JsonValue): boolean {
    if (!isJsonObject(stated)) return true
    for (const name in stated) {
      const shape = this.shapes.get(name)
      if (shape !== undefined && !shape.holds(stated[name] ?? null)) return false
    }
    return true
  }

  report(stated: JsonValue, path: string, found: IssueDraft[]): void {
    if (!isJsonObject(stated)) return
    for (const [name, shape] of this.shapes) {
      const member = stated[name]
      if (member !== undefined) shape.report(member, memberPath(path, name), found)
    }
  }
}

/** A list of such elements. */
export function each(element: StatedValues): StatedValues {
  return {
    holds(stated) {
      if (!Array.isArray(stated)) return true
      for (const one of stated as readonly JsonValue[]) if (!element.holds(one)) return false
      return true
    },
    report(stated, path, found) {
      if (!Array.isArray(stated)) return
      for (const [i, one] of (stated as readonly JsonValue[]).entries()) {
        if (found.length >= mostIssues) return
        element.report(one, memberPath(path, i), found)
      }
    }
  }
}

/** A list, and nothing else, of such elements. */
export function listOf(element: StatedValues): StatedValues {
  return all(list, each(element))
}

/** An object whose members have any names, such as those of models, and such values. */
export function entries(element: StatedValues): StatedValues {
  return {
    holds(stated) {
      if (!isJsonObject(stated)) return true
      for (const name in stated) if (!element.holds(stated[name] ?? null)) return false
      return true
    },
    report(stated, path, found) {
      if (!isJsonObject(stated)) return
      for (const [name, one] of Object.entries(stated)) {
        if (found.length >= mostIssues) return
        element.report(one ?? null, memberPath(path, name), found)
      }
    }
  }
}

/** All of these. */
export function all(...shapes: readonly StatedValues[]): StatedValues {
  const objects = shapes.filter((shape) => shape instanceof Members)
  const others = shapes.filter((shape) => !(shape instanceof Members))
  const parts = objects.length > 0 ? [merged(objects), ...others] : others
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  return {
    holds(stated) {
      for (const part of parts) if (!part.holds(stated)) return false
      return true
    },
    report(stated, path, found) {
      for (const part of parts) part.report(stated, path, found)
    }
  }
}

/** One look at each member instead of several. */
function merged(objects: readonly Members[]): Members {
  const shapes = new Map<string, StatedValues>()
  for (const [name, shape] of objects.flatMap((object) => [...object.shapes])) {
    const known = shapes.get(name)
    shapes.set(name, known === undefined ? shape : all(known, shape))
  }
  return new Members(shapes)
}

/** What holds of an object whose member `name` is one of `texts`. */
export function where(name: string, texts: readonly string[], shape: StatedValues): StatedValues {
  const wanted = new Set<JsonValue | undefined>(texts)
  const applies = (stated: JsonValue): boolean => isJsonObject(stated) && wanted.has(stated[name])
  return {
    holds: (stated) => !applies(stated) || shape.holds(stated),
    report(stated, path, found) {
      if (applies(stated)) shape.report(stated, path, found)
    }
  }
}

/** A call with its tool in `name`, and its input, or JSON of it, in `input`: what these tools take for a todo list is one. */
export function todoCall(name: string, tools: readonly string[], input: string, todos = list): StatedValues {
  return where(name, tools, members({ [input]: inText(members({ todos })) }))
}

/** The token counts of a record of usage, by the names that any agent has for them, and all other numbers in it. */
export const usage: StatedValues = {
  holds: (stated) => stated === null || (isJsonObject(stated) && eachMember(stated, isCounted)),
  report(stated, path, found) {
    if (!isJsonObject(stated)) return value('an object', isJsonObject).report(stated, path, found)
    eachMember(stated, (member, name, holder) => {
      const at = holder === null ? path : memberPath(path, holder)
      if (!isCounted(member, name)) count.report(member, memberPath(at, name), found)
      return true
    })
  }
}

/** Sums, and counts that are of no interest elsewhere. */
const namesCount = /[tT]okens$|TokenCount$/

function isCounted(member: JsonValue, name: string): boolean {
  // An object with details may have the name of a count.
  if (member === null || isJsonObject(member)) return true
  if (typeof member === 'number')
    return countNames.has(name) ? isTokenCount(member) : Number.isFinite(member) && member >= 0
  return !countNames.has(name) && !namesCount.test(name)
}

/** Whether `holds` is true of each member, and of each member of a member. */
function eachMember(
  usageRecord: JsonObject,
  holds: (member: JsonValue, name: string, holder: string | null) => boolean
): boolean {
  for (const name in usageRecord) {
    const member = usageRecord[name] ?? null
    if (!holds(member, name, null)) return false
    if (!isJsonObject(member)) continue
    for (const inner in member) if (!holds(member[inner] ?? null, inner, name)) return false
  }
  return true
}
