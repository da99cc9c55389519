import * as z from 'zod'
import { isJsonObject, jsonTypeName, type JsonValue } from '../json.ts'
import { memberPath } from '../json-path.ts'
import type { IssueDraft } from './issue.ts'

/** Requires a type only. */
export const typedRecord: z.ZodType = z.object({ type: z.string() })

const none: readonly IssueDraft[] = []

/**
 * The first place where `record` lacks what `schema` requires, as a `TypedParse` issue without text of the record. Use plain `z.object`s of
 * the required keys: they ignore other keys and are cheap. An infinite number is a number: `stated-values.ts` tells whether it can be meant.
 */
export function requiredIssues(schema: z.ZodType, record: JsonValue): readonly IssueDraft[] {
  return firstIssue(schema, record, (issue) => !isInfinite(issue, record))
}

/** The same, of a schema of all that a record may have. */
export function schemaIssues(schema: z.ZodType, record: JsonValue): readonly IssueDraft[] {
  return firstIssue(schema, record, () => true)
}

function firstIssue(
  schema: z.ZodType,
  record: JsonValue,
  counts: (issue: z.core.$ZodIssue) => boolean
): readonly IssueDraft[] {
  if (quickCheck(schema)(record)) return none
  const first = schema.safeParse(record).error?.issues.find(counts)
  return first === undefined ? none : [issueOf(first, record)]
}

type Check = (value: JsonValue | undefined) => boolean

const quickChecks = new WeakMap<z.ZodType, Check>()

/**
 * A fast check: true only if the schema accepts the value. zod allocates a result per record, which costs as much as
 * parsing a short one. False for unknown schemas, so that zod decides.
 */
function quickCheck(schema: z.ZodType): Check {
  let check = quickChecks.get(schema)
  if (check === undefined) quickChecks.set(schema, (check = checkOf(schema)))
  return check
}

function checkOf(schema: z.core.$ZodType): Check {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  if ('check' in def || ('checks' in def && (def.checks?.length ?? 0) > 0)) return () => false
  switch (def.type) {
    case 'string':
      return (value) => typeof value === 'string'
    case 'number':
      return (value) => typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'unknown':
      return (value) => value !== undefined
    case 'literal': {
      const values: readonly unknown[] = def.values
      return (value) => values.includes(value)
    }
    case 'object':
      return def.catchall === undefined ? objectCheck(def.shape) : () => false
    case 'array': {
      if (def.element._zod.def.type === 'unknown') return (value) => Array.isArray(value)
      const element = checkOf(def.element)
      return (value) => Array.isArray(value) && value.every((one: JsonValue) => element(one))
    }
    case 'optional': {
      const inner = checkOf(def.innerType)
      return (value) => value === undefined || inner(value)
    }
    case 'nullable': {
      const inner = checkOf(def.innerType)
      return (value) => value === null || inner(value)
    }
    case 'union': {
      const options = def.options.map((option) => checkOf(option))
      return (value) => options.some((option) => option(value))
    }
    default:
      return () => false
  }
}

function objectCheck(shape: Readonly<Record<string, z.core.$ZodType>>): Check {
  const keys = Object.keys(shape)
  const checks = Object.values(shape).map((member) => checkOf(member))
  return (value) => {
    if (!isJsonObject(value)) return false
    for (let index = 0; index < keys.length; index++) {
      if (!checks[index]?.(value[keys[index] ?? ''])) return false
    }
    return true
  }
}

function isInfinite(issue: z.core.$ZodIssue, record: JsonValue): boolean {
  return issue.code === 'invalid_type' && issue.expected === 'number' && typeof valueOf(issue, record) === 'number'
}

function valueOf({ path }: z.core.$ZodIssue, record: JsonValue): unknown {
  return path.reduce<unknown>((found, key) => (found as Record<PropertyKey, unknown>)[key], record)
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a finite number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array'
}

function issueOf(issue: z.core.$ZodIssue, record: JsonValue): IssueDraft {
  let path = '$'
  let found: unknown = record
  for (const key of issue.path) {
    path = memberPath(path, typeof key === 'symbol' ? String(key) : key)
    found = (found as Record<PropertyKey, unknown>)[key]
  }
  return { code: 'TypedParse', path, message: `${demandOf(issue)}, found ${jsonTypeName(found as JsonValue)}` }
}

/** The demand of the schema, without text of the record. */
function demandOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${typeNames[issue.expected] ?? issue.expected}`
    case 'invalid_union':
      return unionDemand(issue)
    case 'too_small':
      return `expected at least ${issue.minimum}`
    case 'invalid_value':
      return `expected one of the ${issue.values.length} known values`
    default:
      return issue.message
  }
}

function unionDemand(issue: z.core.$ZodIssueInvalidUnion): string {
  if (issue.errors.length === 0) return 'expected one of the known types'
  const wanted = issue.errors.flatMap(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? [typeNames[first.expected] ?? first.expected] : []
  )
  return wanted.length > 0 ? `expected ${wanted.join(' or ')}` : 'expected one of several shapes'
}
