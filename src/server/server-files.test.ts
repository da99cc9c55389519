import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServerFiles } from './server-files.ts'

let folder: string
let files: ServerFiles
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead-servers-'))
  files = new ServerFiles(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

const token = 'a'.repeat(43)
const ended = { version: 1, port: 7000, token, keep: true, startedAt: 0, owner: null }

function write(text: string, mode = 0o600): void {
  mkdirSync(join(folder, 'servers'))
  writeFileSync(join(folder, 'servers', '7000.json'), text, { mode })
}

test('the file of an ended server keeps its token', async () => {
  write(JSON.stringify(ended))
  expect(await files.token(7000)).toBe(token)
  expect(await files.running()).toEqual([])
})

test.each([
  '',
  '{"version":1',
  'null',
  JSON.stringify({ ...ended, version: 2 }),
  JSON.stringify({ ...ended, token: 'short' }),
  JSON.stringify({ ...ended, port: 7001 })
])('a damaged or foreign file gives no token and no server, and stays: %s', async (text) => {
  write(text)
  expect(await files.token(7000)).toBeNull()
  expect(await files.running()).toEqual([])
  expect(readdirSync(join(folder, 'servers'))).toEqual(['7000.json'])
})

test.skipIf(process.platform === 'win32')('a file that others can read gives no token', async () => {
  write(JSON.stringify(ended), 0o644)
  expect(await files.token(7000)).toBeNull()
})
