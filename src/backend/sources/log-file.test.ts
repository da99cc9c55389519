import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { LogFile } from './log-file.ts'

vi.mock('node:fs/promises', { spy: true })
afterEach(() => vi.restoreAllMocks())

const folder = mkdtempSync(join(tmpdir(), 'playhead-log-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function contentOf(file: LogFile): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of file.chunks()) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

describe('a log file', () => {
  test('is read in chunks, or in pieces', async () => {
    const content = 'line\n'.repeat(500_000)
    writeFileSync(join(folder, 'a'), content)
    const file = await LogFile.open(join(folder, 'a'))
    expect((await contentOf(file)) === content).toBe(true)
    expect((await file.read(5, 4)).toString()).toBe('line')
    expect((await file.read(content.length - 2, 10)).toString()).toBe('e\n')
    expect(await file.size()).toBe(content.length)
    await file.close()
  })

  test('is known by its real path', async () => {
    writeFileSync(join(folder, 'real'), '')
    symlinkSync(join(folder, 'real'), join(folder, 'link'))
    const file = await LogFile.open(join(folder, 'link'))
    expect(file).toMatchObject({ path: join(folder, 'real'), name: 'real' })
    await file.close()
  })

  test.runIf(process.platform === 'linux')('a file that opens and cannot be read is unavailable', async () => {
    const file = await LogFile.open('/proc/self/mem')
    const why = { code: 'unavailable', message: `${file.path} cannot be read (EIO)` }
    await expect(file.read(0, 10)).rejects.toMatchObject(why)
    await expect(file.chunks().next()).rejects.toMatchObject(why)
    await file.close()
  })

  test('a link that leads to itself is refused', async () => {
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'))
    await expect(LogFile.open(join(folder, 'loop'))).rejects.toMatchObject({ code: 'not-found' })
  })

  test.each([
    ['EACCES', 'no-permission', /permissions/],
    ['EPERM', 'no-permission', /permissions/],
    ['EMFILE', 'unavailable', /too many files/],
    ['EIO', 'unavailable', /EIO/]
  ])('the system says %s', async (code, expected, words) => {
    writeFileSync(join(folder, 'refused'), '')
    vi.mocked(fs.open).mockRejectedValueOnce(Object.assign(new Error(code), { code }))
    await expect(LogFile.open(join(folder, 'refused'))).rejects.toMatchObject({
      code: expected,
      message: expect.stringMatching(words)
    })
  })
})
