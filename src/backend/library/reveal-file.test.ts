import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { fileManager, revealFile } from './reveal-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-reveal-'))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test('each system has its own file manager, and none gets a shell', () => {
  expect(fileManager('/a/b; c.jsonl', 'linux')).toEqual({ program: 'xdg-open', args: ['/a'], isVerbatim: false })
  expect(fileManager('/a/-b.jsonl', 'darwin')).toEqual({
    program: 'open',
    args: ['-R', '/a/-b.jsonl'],
    isVerbatim: false
  })
  expect(fileManager('C:\\a b\\c.jsonl', 'win32')).toEqual({
    program: 'explorer.exe',
    args: ['/select,"C:\\a b\\c.jsonl"'],
    isVerbatim: true
  })
})

test('says what is missing', async () => {
  const log = join(folder, 'log.jsonl')
  await expect(revealFile(log, 'linux')).rejects.toMatchObject({ code: 'not-found' })
  writeFileSync(log, '')
  vi.stubEnv('PATH', join(folder, 'nothing'))
  await expect(revealFile(log, 'linux')).rejects.toThrow('xdg-open is not installed')
})

test.skipIf(process.platform === 'win32')('starts it', async () => {
  const log = join(folder, 'log.jsonl')
  writeFileSync(log, '')
  writeFileSync(
    join(folder, 'xdg-open'),
    `#!/bin/sh\nprintf '%s' "$1" > '${folder}/part' && /bin/mv '${folder}/part' '${folder}/shown'\n`
  )
  chmodSync(join(folder, 'xdg-open'), 0o755)
  vi.stubEnv('PATH', folder)
  await revealFile(log, 'linux')
  while (!existsSync(join(folder, 'shown'))) await pause(5)
  expect(readFileSync(join(folder, 'shown'), 'utf8')).toBe(folder)
})
