import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { bindKeys } from '../../src/contract/key-bindings.ts'
import { PriceTable, pricesJsonSchema } from '../../src/core/requests/prices.ts'
import { Settings, settingsJsonSchema } from '../../src/contract/settings.ts'
import { agentEventJsonSchema } from '../../src/core/export/agent-event-schema.ts'
import { normalizedLine } from '../../src/core/export/normalized-jsonl.ts'
import { anyEvent } from '../arbitrary-events.ts'
import { objectionsTo, publishedSchema } from './event-schemas.ts'

/** That the export of every fixture and of every log of the corpus is valid, the other tests of this folder check. */

test('docs/agent-event.schema.json is that of this version: `npm run schema` writes it', () => {
  expect(publishedSchema).toEqual(agentEventJsonSchema())
})

test('both schemas take the exported line of every event there can be, with and without its source line', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      expect(objectionsTo(JSON.parse(normalizedLine(event)))).toEqual([])
      expect(objectionsTo(JSON.parse(normalizedLine(event, 'as it was')))).toEqual([])
    })
  )
})

const valid = {
  eventId: 'e',
  agentId: 'a',
  agentType: 'claude-code',
  timestamp: 0,
  teamMetadata: { teamName: 't', memberName: 'm', memberDisplayName: 'd', memberRole: 'r' },
  source: { line: 1, offset: 0, length: 1, ordinal: 0 }
}
const call = { ...valid, type: 'tool.started', toolName: 'Bash', toolId: '1', input: {} }
const todos = { ...valid, type: 'todo_list', todoId: '1', items: [{ text: 'do it', status: 'pending' }] }

const broken: [string, unknown][] = [
  ['no object', []],
  ['no type', valid],
  ['a type nobody knows', { ...valid, type: 'text.delta', text: '' }],
  ['an agent without a name', { ...call, agentType: 7 }],
  ['a time that is text', { ...call, timestamp: '2026-01-01' }],
  ['no team', { ...call, teamMetadata: undefined }],
  ['a team without a role', { ...call, teamMetadata: { ...valid.teamMetadata, memberRole: undefined } }],
  ['a line 0', { ...call, source: { ...valid.source, line: 0 } }],
  ['half a byte', { ...call, source: { ...valid.source, offset: 0.5 } }],
  ['input that is a list', { ...call, input: [] }],
  ['input that is null', { ...call, input: null }],
  ['no input', { ...call, input: undefined }],
  ['an item of white space', { ...todos, items: [{ text: ' \u3000\n', status: 'pending' }] }],
  ['an item with a status of its own', { ...todos, items: [{ text: 'do it', status: 'blocked' }] }],
  ['a turn without an end', { ...valid, type: 'turn.completed', finishReason: 'success' }]
]

test('what the tests break is valid before it is broken', () => {
  for (const event of [call, todos]) {
    expect(objectionsTo(event)).toEqual([])
  }
})

test.each(broken)('both schemas refuse %s', (_what, value) => {
  const objections = objectionsTo(JSON.parse(JSON.stringify(value))).join('\n')
  expect(objections).toContain('zod: ')
  expect(objections).toContain('JSON Schema: ')
})

test.each([
  ['settings', settingsJsonSchema],
  ['prices', pricesJsonSchema]
])('docs/%s.schema.json is that of this version: `npm run schema` writes it', async (name, schema) => {
  const file = join(import.meta.dirname, `../../docs/${name}.schema.json`)
  const options = { ...(await resolveConfig(file)), filepath: file }
  await expect(await format(JSON.stringify(schema()), options)).toMatchFileSnapshot(file)
})

test('the schema of prices takes those that Playhead comes with and those of docs/costs.md', async () => {
  const validate = new Ajv2020({ strict: true, validateFormats: false }).compile(pricesJsonSchema() as object)
  const shipped = await readFile(join(import.meta.dirname, '../../resources/prices.json'), 'utf8')
  const docs = await readFile(join(import.meta.dirname, '../../docs/costs.md'), 'utf8')
  const shown = /```json\n([^]*?)```/.exec(docs)?.[1] ?? ''
  for (const text of [shipped, shown]) {
    expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true)
    expect(PriceTable.safeParse(JSON.parse(text)).success).toBe(true)
  }
  expect(validate({ sources: [] })).toBe(false)
})

test('the schema of settings takes what docs/settings.md shows, and refuses the key of no command', async () => {
  const validate = new Ajv2020({ strict: true }).compile(settingsJsonSchema() as object)
  const docs = await readFile(join(import.meta.dirname, '../../docs/settings.md'), 'utf8')
  const shown: unknown = JSON.parse(/```json\n([^]*?)```/.exec(docs)?.[1] ?? '')
  expect(validate(shown), JSON.stringify(validate.errors)).toBe(true)
  const { keys } = Settings.parse(shown)
  expect(bindKeys(keys).problems).toEqual([])
  expect(validate({ keys: { nothing: ['b'] } })).toBe(false)
  expect(validate({ views: [{ name: 'x' }] })).toBe(false)
})
