import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withFolderLock } from './task-database.ts'

test('a lock that cannot be created fails without waiting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'playhead-lock-'))
  try {
    writeFileSync(join(folder, 'file'), '')
    expect(() => withFolderLock(join(folder, 'file', 'lock'), () => 1)).toThrow(/ENOTDIR/)
    expect(() => withFolderLock(join(folder, 'gone', 'lock'), () => 1)).toThrow(/ENOENT/)
    expect(withFolderLock(join(folder, 'lock'), () => 1)).toBe(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
