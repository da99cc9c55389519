import * as fsPromises from 'node:fs/promises'
import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newFolder } from '../../../test/run-processes.ts'
import { RecordingFiles, type RecordingPaths } from './recording-files.ts'

vi.mock('node:fs/promises', { spy: true })
const { open } = await vi.importActual<typeof fsPromises>('node:fs/promises')

let paths: RecordingPaths
beforeEach(() => {
  const folder = newFolder()
  const [stdin = '', stdout = '', stderr = ''] = ['in', 'out', 'err'].map((name) => join(folder, name))
  paths = { stdin, stdout, stderr }
  writeFileSync(stdin, '')
})
afterEach(() => vi.resetAllMocks())

const systemSays = (code: string): Error => Object.assign(new Error(`${code}: it says`), { code })

test.each(['sync', 'close'] as const)(
  'what the disk did not take is said (%s), and both files are closed',
  async (method) => {
    const closed: string[] = []
    vi.mocked(fsPromises.open).mockImplementation(async (...given) => {
      const handle = await open(...given)
      const close = handle.close.bind(handle)
      const isOut = given[0] === paths.stdout
      return Object.assign(handle, {
        ...(isOut && method === 'sync' && { sync: async () => await Promise.reject(systemSays('EIO')) }),
        close: async () => {
          closed.push(String(given[0]))
          await close()
          if (isOut && method === 'close') throw systemSays('EIO')
        }
      })
    })
    const files = await RecordingFiles.open(paths)
    await files.closeInput()
    expect(await files.finish()).toBe('EIO')
    expect(closed).toEqual([paths.stdin, paths.stdout, paths.stderr])
  }
)

test.each([
  ['ENOSPC', 'unavailable', 'Free some space and start again.'],
  ['EDQUOT', 'unavailable', 'Free some space and start again.'],
  ['EROFS', 'no-permission', 'Choose a folder on another disk.'],
  ['EACCES', 'no-permission', 'permission denied. Choose another folder'],
  ['EISDIR', 'internal', 'EISDIR: it says']
])('a recording that cannot be made is refused, and none is left (%s)', async (system, code, message) => {
  vi.mocked(fsPromises.open).mockImplementation(async (...given) => {
    if (given[0] === paths.stderr) throw systemSays(system)
    return await open(...given)
  })
  await expect(RecordingFiles.open(paths)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  expect([existsSync(paths.stdout), existsSync(paths.stderr)]).toEqual([false, false])
})

test('what is written goes to the end, whatever was cut off meanwhile', async () => {
  const files = await RecordingFiles.open(paths)
  const [, out] = files.descriptors
  writeSync(out, 'one\n')
  writeFileSync(paths.stdout, '')
  writeSync(out, 'two\n')
  await files.closeInput()
  expect([await files.finish(), readFileSync(paths.stdout, 'utf8')]).toEqual([null, 'two\n'])
})
