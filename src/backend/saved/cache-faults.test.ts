import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as fsPromises from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bundleForNode } from '../../../test/node-worker-plugin.ts'
import { CacheFolder } from './cache-folder.ts'

vi.mock('node:fs/promises', { spy: true })
const { open } = await vi.importActual<typeof fsPromises>('node:fs/promises')

const root = fs.mkdtempSync(join(tmpdir(), 'playhead-cache-'))
afterAll(() => fs.rmSync(root, { recursive: true }))

let folder = ''
beforeEach(() => {
  folder = join(fs.mkdtempSync(join(root, 'of-')), 'cache')
})
afterEach(() => vi.resetAllMocks())

const block = Buffer.alloc(1000, 'x')

async function contentOf(cache: CacheFolder, name: string): Promise<string | null> {
  const file = await cache.open(name)
  if (file === null) return null
  try {
    return await file.readFile('latin1')
  } finally {
    await file.close()
  }
}

function systemSays(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** From now on the files that are opened fail so. */
function failing(method: 'write' | 'sync' | 'close', code: string): void {
  vi.mocked(fsPromises.open).mockImplementation(async (...given) => {
    const handle = await open(...given)
    const original = handle[method].bind(handle)
    let calls = 0
    Object.assign(handle, {
      [method]: async (...params: never[]) => {
        calls++
        if (method === 'write' && calls < 3) return await (original as (...all: never[]) => unknown)(...params)
        if (method === 'close') await handle.datasync()
        if (method === 'close') await (original as () => Promise<void>)()
        throw systemSays(code)
      }
    })
    return handle
  })
}

/** A process that writes a file without end; resolves once some of it is on the disk. */
async function writer(): Promise<{ kill(): Promise<void> }> {
  const module = await bundleForNode(join(import.meta.dirname, 'cache-folder.ts'), join(root, 'built'))
  const code = `
    const { CacheFolder } = await import(${JSON.stringify(pathToFileURL(module).href)})
    async function* chunks() {
      for (;;) {
        yield Buffer.alloc(1000, 'y')
        process.stdout.write('.')
        await new Promise((resume) => setTimeout(resume, 1))
      }
    }
    await new CacheFolder(${JSON.stringify(folder)}).write('one', chunks())`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    }
  }
}

describe('a file of the cache folder', () => {
  test.each([
    ['the disk is full', () => failing('write', 'ENOSPC')],
    ['the disk is full once all is written', () => failing('sync', 'ENOSPC')],
    ['the disk fails', () => failing('sync', 'EIO')],
    ['closing it says that the quota is used up', () => failing('close', 'EDQUOT')],
    ['it may not be made', () => void vi.mocked(fsPromises.open).mockRejectedValueOnce(systemSays('EACCES'))],
    ['it may not have its name', () => void vi.mocked(fsPromises.rename).mockRejectedValueOnce(systemSays('EPERM'))],
    ['the folder cannot be made', () => void vi.mocked(fsPromises.mkdir).mockRejectedValueOnce(systemSays('EROFS'))]
  ])('is not there, and nothing of it is, where %s', async (_, fail) => {
    const cache = new CacheFolder(folder)
    expect(await cache.write('other', [block])).toBe(true)
    fail()
    expect(
      await cache.write(
        'one',
        Array.from({ length: 10 }, () => block)
      )
    ).toBe(false)
    vi.resetAllMocks()
    expect(await contentOf(cache, 'one')).toBeNull()
    expect(fs.readdirSync(folder)).toEqual(['other'])
    expect(await cache.write('one', [block, block])).toBe(true)
    expect(await contentOf(cache, 'one')).toBe('x'.repeat(2000))
  })

  test('does not exist if its contents cannot be made', async () => {
    const cache = new CacheFolder(folder)
    const chunks = function* (): Generator<Uint8Array> {
      yield block
      throw new RangeError('too long for a string')
    }
    expect(await cache.write('one', chunks())).toBe(false)
    expect(fs.readdirSync(folder)).toEqual([])
  })

  test('is the old one if its writer is killed, and the draft is removed', async () => {
    const cache = new CacheFolder(folder)
    expect(
      await cache.write(
        'one',
        ['before'].map((text) => Buffer.from(text))
      )
    ).toBe(true)
    const { kill } = await writer()
    await kill()
    expect(await contentOf(cache, 'one')).toBe('before')
    const [left = ''] = fs.readdirSync(folder).filter((name) => name !== 'one')
    expect(left).not.toBe('')
    // It was left some time ago.
    fs.utimesSync(join(folder, left), 0, 0)
    failing('write', 'ENOSPC')
    // That the disk is full may be because of it.
    expect(
      await cache.write(
        'two',
        Array.from({ length: 10 }, () => block)
      )
    ).toBe(false)
    expect(fs.readdirSync(folder)).toEqual(['one'])
  })

  test('is for its owner only', async () => {
    await new CacheFolder(folder).write('one', [block])
    const modes = [folder, join(folder, 'one')].map((path) => (fs.statSync(path).mode & 0o777).toString(8))
    if (process.platform !== 'win32') expect(modes).toEqual(['700', '600'])
  })
})
