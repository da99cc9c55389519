import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { missingFilesOf } from './missing-files.ts'

const session = 'd7cbf5a2-16f4-4f8d-b8eb-4094d68ce00d'
const fixture = join(import.meta.dirname, '../../../test/fixtures/session-with-subagents', `${session}.jsonl`)
const folder = mkdtempSync(join(tmpdir(), 'playhead-missing-'))
const log = join(folder, `${session}.jsonl`)
cpSync(fixture, log)
afterAll(() => rmSync(folder, { recursive: true }))

test('of all paths those are wanted that may be of the session, with what says more about them', async () => {
  const wanted = [
    `${session}/subagents/agent-1.jsonl`,
    `${session}/subagents/agent-1.meta.json`,
    `${session}/subagents/workflows/w/agent-2.jsonl`,
    'agent-3.jsonl',
    'subagents/agent-4.jsonl'
  ]
  const others = [
    `${session}/subagents/agent-9.meta.json`,
    `${session}/tool-results/agent-1.txt`,
    'other/subagents/agent-1.jsonl',
    'other.jsonl',
    '../agent-1.jsonl',
    'a/../agent-1.jsonl',
    ''
  ]
  expect(await missingFilesOf(log, [...others, ...wanted])).toEqual(wanted)
})

test('what is there is not wanted again', async () => {
  mkdirSync(join(folder, 'subagents'))
  writeFileSync(join(folder, 'subagents', 'agent-4.jsonl'), '')
  expect(await missingFilesOf(log, ['subagents/agent-4.jsonl', 'agent-4.jsonl'])).toEqual(['agent-4.jsonl'])
})

test('a log of an agent that keeps none beside it wants nothing, and one that is gone says so', async () => {
  const other = join(folder, 'events.jsonl')
  writeFileSync(other, '{"type":"system","subtype":"init","session_id":"s","model":"m","tools":[]}\n')
  expect(await missingFilesOf(other, ['agent-1.jsonl'])).toEqual([])
  await expect(missingFilesOf(join(folder, 'gone.jsonl'), ['x'])).rejects.toMatchObject({ code: 'not-found' })
})
