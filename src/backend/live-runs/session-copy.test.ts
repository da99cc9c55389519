import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { geminiChat } from '#core/formats/gemini/chat.ts'
import { newFolder } from '../../../test/run-processes.ts'
import { SessionCopy } from './session-copy.ts'

const session = '0e7ecc99-26b4-49b0-abb1-767b20aa5bf2'
const header = `${JSON.stringify({ sessionId: session, projectHash: 'h' })}\n`

let log = ''
let recording = ''
let problems: string[] = []
beforeEach(() => {
  const folder = newFolder()
  log = join(folder, 'logs/project/chats/session-2026-11-22T15-45-0e7ecc99.jsonl')
  mkdirSync(dirname(log), { recursive: true })
  recording = join(folder, 'session.jsonl')
  problems = []
})

/** Copies what is there, as the feed of a run that was killed afterwards. */
async function copied(id = session): Promise<string> {
  const logs = join(dirname(recording), 'logs')
  const problem = (message: string): void => void problems.push(message)
  const copy = new SessionCopy(geminiChat.sessionLog ?? expect.unreachable(), {
    ...{ recording, logs, problem },
    grown: () => {}
  })
  writeFileSync(recording, '', { flag: 'a' })
  await copy.readOn()
  copy.of(id)
  await copy.readOn()
  await copy.close()
  return readFileSync(recording, 'utf8')
}

test('a later copy adds what is missing, also after a part of a line', async () => {
  writeFileSync(log, `${header}{"id":"m-1"`)
  expect(await copied()).toBe(`${header}{"id":"m-1"`)
  appendFileSync(log, ',"type":"user"}\n')
  writeFileSync(recording, header.slice(0, 10))
  expect(await copied()).toBe(readFileSync(log, 'utf8'))
  expect(await copied()).toBe(readFileSync(log, 'utf8'))
  expect(problems).toEqual([])
})

test('a log longer than a read is copied whole', async () => {
  writeFileSync(log, header + 'é'.repeat(400_000))
  expect(await copied()).toBe(readFileSync(log, 'utf8'))
  appendFileSync(log, 'end')
  expect(await copied()).toBe(readFileSync(log, 'utf8'))
})

test.each([
  ['another one', `${header}{"id":"other"}\n{"id":"more"}\n`],
  ['shorter', header]
])('a log that is %s now leaves what was copied, and says so', async (_how, now) => {
  const before = `${header}{"id":"m-1"}\n`
  writeFileSync(log, before)
  await copied()
  writeFileSync(log, now)
  expect(await copied()).toBe(before)
  expect(problems).toMatchObject([expect.stringContaining('has written the log of its session anew')])
})

test('the log of another session is none, though its name begins alike', async () => {
  writeFileSync(log, header)
  expect(await copied('0e7ecc99-ffff-49b0-abb1-767b20aa5bf2')).toBe('')
})
