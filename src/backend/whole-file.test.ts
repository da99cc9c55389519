import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endFailing, failWrite, faults } from '../../test/failing-writes.ts'
import { WholeFile, writeWhole, writeWholeNow } from './whole-file.ts'
import { systemCode } from './write-failure.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'playhead-whole-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const before = 'what was there before'
const after = 'what is written over it, longer than that'
const ways: [string, (file: string, content: string) => Promise<void>][] = [
  ['while others go on', async (file, content) => await writeWhole(file, content, { makesFolder: true })],
  ['at once', async (file, content) => writeWholeNow(file, content, { makesFolder: true })]
]

describe.each(ways)('a file that is written whole, %s', (_, write) => {
  test('replaces the old one, for this user only, and leaves no draft', async () => {
    const file = join(folder, 'made', 'when needed', 'file.json')
    await write(file, before)
    await write(file, after)
    expect(readFileSync(file, 'utf8')).toBe(after)
    expect(readdirSync(join(file, '..'))).toEqual(['file.json'])
    if (process.platform === 'win32') return
    expect([file, join(file, '..')].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['600', '700'])
  })

  test.each(faults)('is the old one or the new one, whichever write fails: %s', async (fault) => {
    const file = join(folder, 'file.json')
    const reports = new Set<string>()
    for (let at = 0; ; at++) {
      writeFileSync(file, before)
      failWrite(at, fault, [folder])
      const error = await write(file, after).then(
        () => null,
        (problem: unknown) => problem
      )
      const { failed } = endFailing()
      if (failed.length === 0) break
      expect(readFileSync(file, 'utf8')).toBe(error === null ? after : before)
      expect(readdirSync(folder)).toEqual(['file.json'])
      if (error instanceof Error) reports.add(`${systemCode(error)} ${error.message}`)
    }
    const said = {
      full: [`ENOSPC ${file} cannot be written: the disk is full.`],
      broken: [`EIO ${file} cannot be written: the disk reports an error (EIO).`],
      // What a system does not take at once it takes the next time.
      short: []
    }
    expect([...reports]).toEqual(said[fault])
  })

  test('reports what prevents it', async () => {
    writeFileSync(join(folder, 'plain'), '')
    await expect(write(join(folder, 'plain', 'file'), after)).rejects.toThrow(/plain.file cannot be written: /)
  })
})

describe('a file that is written in pieces', () => {
  test('appears only when it is finished, and not if it is unwanted', async () => {
    const file = join(folder, 'file.json')
    const unwanted = await WholeFile.open(file)
    await unwanted.write(Buffer.from('one'))
    expect(readdirSync(folder)).not.toContain('file.json')
    expect(await unwanted.finish(async () => true)).toBe(false)
    const dropped = await WholeFile.open(file)
    await dropped.discard()
    expect(readdirSync(folder)).toEqual([])
    const wanted = await WholeFile.open(file)
    for (const piece of ['one', 'two']) await wanted.write(Buffer.from(piece))
    expect(await wanted.finish()).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('onetwo')
  })
})
