import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ruleNames } from '../core/findings/finding.ts'
import { eventsOf, bash, prompt } from '../../test/findings-of.ts'
import { file, playhead } from '../../test/command-line.ts'

const text = (...steps: Parameters<typeof eventsOf>[0]): string =>
  eventsOf(steps)
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('')
const fail = 'Exit code 1\nerror: it broke'
const path = (): string =>
  file('bad.jsonl', text(prompt, ...bash('npm test', fail), ...bash('npm test', fail), ...bash('rm -rf /tmp/x')))

const schema = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../docs/finding.schema.json', import.meta.url)), 'utf8')
) as z.core.JSONSchema.JSONSchema

describe('findings', () => {
  test('one line each, in groups', async () => {
    const { code, out } = await playhead('findings', path())
    expect(out.split('\n')).toEqual([
      'checks',
      '  last-test-failed  event 3  line 4  The last test of the session failed: npm test',
      'repeated',
      '  repeated-failure  event 1  line 2  2 times the same call with the same error: Bash: npm test',
      ''
    ])
    expect(code).toBe(0)
  })

  test('as JSON lines that meet the schema, with information if asked', async () => {
    const { code, out } = await playhead('findings', path(), '--json', '--all')
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(lines).toMatchObject([
      {
        rule: 'repeated-failure',
        level: 'finding',
        events: [
          { seq: 1, line: 2, file: null },
          { seq: 3, line: 4 }
        ]
      },
      { rule: 'last-test-failed' },
      { rule: 'destructive-temporary', level: 'information' }
    ])
    const valid = z.fromJSONSchema(schema)
    for (const line of lines) expect(valid.safeParse(line)).toMatchObject({ success: true })
    expect(valid.safeParse({ rule: 'other' }).success).toBe(false)
    expect(code).toBe(0)
  })

  test('the schema has every rule', () => {
    expect(schema.properties).toMatchObject({ rule: { enum: ruleNames } })
  })

  test('only the rules that are asked for', async () => {
    expect((await playhead('findings', path(), '--rule', 'destructive-temporary')).out).toMatch(
      /^careful\n {2}destructive-temporary/
    )
  })

  test.each([
    ['any', 1],
    ['repeated-failure,idle', 1],
    ['idle', 0],
    ['destructive-temporary', 1]
  ])('--fail-on %s exits with %i', async (rules, code) => {
    expect((await playhead('findings', path(), '--fail-on', rules)).code).toBe(code)
  })

  test('any is no information', async () => {
    const harmless = file('harmless.jsonl', text(prompt, ...bash('rm -rf /tmp/x')))
    expect((await playhead('findings', harmless, '--fail-on', 'any')).code).toBe(0)
  })

  test('an unknown rule and a missing file are wrong use', async () => {
    const { code, err } = await playhead('findings', path(), '--rule', 'nope')
    expect(code).toBe(2)
    expect(err).toContain('no such rule; use turn-failed, subagent-failed,')
    expect((await playhead('findings', '/does/not/exist.jsonl')).code).toBe(2)
  })
})
