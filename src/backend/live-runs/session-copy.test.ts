import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { geminiChat } from '#core/formats/gemini/chat.ts'
import { endFailing, failWrite } from '../../../test/failing-writes.ts'
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
afterEach(() => void endFailing())

function newCopy(): SessionCopy {
  const logs = join(dirname(recording), 'logs')
  const problem = (message: string): void => void problems.push(message)
  return new SessionCopy(geminiChat.sessionLog ?? expect.unreachable(), {
    ...{ recording, logs, problem },
    grown: () => {}
  })
}

/** Copies what is there, as the feed of a run that was killed afterwards. */
async function copied(id = session): Promise<string> {
  const copy = newCopy()
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

test.each([
  ['full', null, 'the disk is full'],
  ['broken', 'EIO', 'the disk reports an error (EIO)']
] as const)(
  'a copy whose disk is %s says from where on it lacks the log, until it has all',
  async (fault, error, why) => {
    // From here on it is known where a file is that is opened.
    failWrite(-1, fault, [])
    writeFileSync(log, header)
    const copy = newCopy()
    copy.of(session)
    await copy.readOn()
    expect(copy.uncopied).toBeNull()
    appendFileSync(log, '{"id":"m-1"}\n')
    failWrite(0, fault, [dirname(recording)])
    await copy.readOn()
    endFailing()
    expect(copy.uncopied).toEqual({ from: header.length, error })
    expect(problems).toEqual([`${recording} cannot be written: ${why}.`])
    await copy.readOn()
    expect(copy.uncopied).toBeNull()
    expect(readFileSync(recording, 'utf8')).toBe(readFileSync(log, 'utf8'))
    await copy.close()
  }
)

test('the log of another session is none, though its name begins alike', async () => {
  writeFileSync(log, header)
  expect(await copied('0e7ecc99-ffff-49b0-abb1-767b20aa5bf2')).toBe('')
})
