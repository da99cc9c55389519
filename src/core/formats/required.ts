import type { z } from 'zod'
import { jsonTypeName, type JsonValue } from '../json.ts'
import { memberPath } from '../json-path.ts'
import type { IssueDraft } from './issue.ts'

const none: readonly IssueDraft[] = []

/**
 * Where `record` lacks what `schema` requires: the first such place, as a `TypedParse` issue whose message quotes nothing of the
 * record. Give plain `z.object`s of the required keys: they ignore what else a record has, and cost little.
 */
export function requiredIssues(schema: z.ZodType, record: JsonValue): readonly IssueDraft[] {
  const parsed = schema.safeParse(record)
  return parsed.success ? none : parsed.error.issues.slice(0, 1).map((issue) => issueOf(issue, record))
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

/** What the schema asked for, in words that quote nothing of the record. */
function demandOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${typeNames[issue.expected] ?? issue.expected}`
    case 'invalid_union':
      return unionDemand(issue)
    case 'too_small':
      return `expected ${issue.minimum} at least`
    case 'invalid_value':
      return `expected one of the ${issue.values.length} known words`
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
