import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { OpenLibrary } from '../../../test/open-library.ts'

/** Tests may run as root, whom no permission stops. */
const forbidden = vi.hoisted(() => ({ paths: [] as string[] }))
vi.mock(import('node:fs'), async (original) => {
  const real = await original()
  const refuse = (path: unknown): void => {
    if (forbidden.paths.some((one) => String(path) === one))
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
  }
  return {
    ...real,
    readdirSync: ((path: string, options: object) => {
      refuse(path)
      return real.readdirSync(path, options as never)
    }) as typeof real.readdirSync,
    openSync: ((path: string, ...rest: [string]) => {
      refuse(path)
      return real.openSync(path, ...rest)
    }) as typeof real.openSync
  }
})

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'playhead-unreadable-')))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
afterEach(() => {
  forbidden.paths = []
})

const line = `${JSON.stringify({
  ...{ type: 'user', sessionId: 's', cwd: '/w', version: '2.1.56', uuid: 'a', parentUuid: null, isSidechain: false },
  ...{ timestamp: '2026-01-02T03:04:05.000Z', message: { role: 'user', content: 'Do it' } }
})}\n`

function put(path: string): string {
  const file = join(root, path)
  fs.mkdirSync(join(file, '..'), { recursive: true })
  fs.writeFileSync(file, line)
  return file
}

test('what may not be read is named, and is there again once it may', async () => {
  const projects = join(root, '.claude/projects')
  const closed = put('.claude/projects/-closed/a.jsonl')
  const open = put('.claude/projects/-open/b.jsonl')
  const one = new OpenLibrary({ home: root, cache: join(root, 'cache') })
  try {
    await one.idle()
    expect(await one.cards()).toHaveLength(2)
    forbidden.paths = [join(projects, '-closed'), open]
    fs.appendFileSync(open, line)
    one.library.lookAgain()
    const status = await one.until(async ({ phase, sessions }) => {
      const [card] = await one.cards()
      return phase === 'idle' && sessions === 1 && card?.state === 'unreadable'
    })
    expect((await one.cards())[0]).toMatchObject({
      path: open,
      problem: 'This file cannot be read: permission denied.'
    })
    expect(status.roots.find(({ path }) => path === projects)?.notes).toEqual([
      '-closed: This folder cannot be read: permission denied.'
    ])
    const before = one.bytes.read
    forbidden.paths = []
    one.library.lookAgain()
    await one.until(async ({ phase }) => {
      const cards = await one.cards()
      return phase === 'idle' && cards.length === 2 && cards.every(({ state }) => state !== 'unreadable')
    })
    // What was known of the log in the folder was kept.
    expect(one.bytes.read - before).toBeLessThanOrEqual(2 * fs.statSync(open).size)
    expect((await one.cards()).map(({ path }) => path).sort()).toEqual([closed, open])
  } finally {
    await one.library.close()
  }
})
