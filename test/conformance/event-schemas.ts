import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { AgentEvent } from '../../src/core/events/agent-event.ts'

const file = new URL('../../docs/agent-event.schema.json', import.meta.url)

/** The published JSON Schema of an event, as it lies in `docs/`. */
export const publishedSchema = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>

const validate = new Ajv2020({ strict: true }).compile(publishedSchema)

/** What each of the two schemas has against a value, shortly; empty where both take it. */
export function objectionsTo(value: unknown): string[] {
  const zod = AgentEvent.safeParse(value).error?.issues.map(
    ({ path, message }) => `zod: $.${path.join('.')} ${message}`
  )
  const json = validate(value)
    ? []
    : (validate.errors ?? []).map((error) => `JSON Schema: ${error.instancePath} ${error.message}`)
  return [...(zod ?? []), ...json]
}
