import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { CacheFolder, cacheFolder } from './cache-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'playhead-cache-'))
afterAll(() => rmSync(root, { recursive: true }))
let path: string
beforeEach(() => (path = mkdtempSync(join(root, 'folder-'))))

const bytes = (text: string): Uint8Array[] => [Buffer.from(text)]

async function contentOf(cache: CacheFolder, name: string): Promise<string | null> {
  const file = await cache.open(name)
  try {
    return file === null ? null : (await file.readFile()).toString()
  } finally {
    await file?.close()
  }
}

describe('a cache folder', () => {
  test('returns complete files as written', async () => {
    const cache = new CacheFolder(join(path, 'made', 'when needed'))
    expect(await contentOf(cache, 'a')).toBeNull()
    expect(await cache.write('a', [...bytes('one'), ...bytes('two')])).toBe(true)
    expect(await contentOf(cache, 'a')).toBe('onetwo')
    expect(await cache.write('a', bytes('three'))).toBe(true)
    expect(await contentOf(cache, 'a')).toBe('three')
  })

  test('that cannot be created or read is empty', async () => {
    writeFileSync(join(path, 'file'), '')
    const cache = new CacheFolder(join(path, 'file'))
    expect(await cache.write('a', bytes('x'))).toBe(false)
    expect(await contentOf(cache, 'a')).toBeNull()
  })

  test('deletes the least recently used, and keeps no file above half its size', async () => {
    const cache = new CacheFolder(path, 1000)
    for (const [age, name] of ['c', 'b', 'a'].entries()) {
      await cache.write(name, bytes('x'.repeat(300)))
      const used = new Date(Date.now() - 60_000 * (age + 1))
      utimesSync(join(path, name), used, used)
    }
    expect(await contentOf(cache, 'a')).not.toBeNull()
    expect(await cache.write('d', bytes('x'.repeat(300)))).toBe(true)
    expect(readdirSync(path).sort()).toEqual(['a', 'c', 'd'])
    expect(await cache.write('e', bytes('x'.repeat(501)))).toBe(false)
    expect(readdirSync(path).sort()).toEqual(['a', 'c', 'd'])
  })
})

test.each([
  [{ PLAYHEAD_CACHE_DIR: '/given', XDG_CACHE_HOME: '/x' }, 'linux', '/given'],
  [{ XDG_CACHE_HOME: '/x' }, 'linux', '/x/playhead']
] as const)('stands where the person, or the platform, has such things: %o', (env, platform, expected) => {
  expect(cacheFolder(env, platform)).toBe(expected)
})
