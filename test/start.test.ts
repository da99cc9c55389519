import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { answers, downloadHost, reasonAgainst } from '../bin/fetch-electron.js'
import { requireNode } from '../bin/prepare.js'

test('an older Node is told of before anything fails because of it', () => {
  for (const version of ['18.20.4', '20.18.9', '8.0.0']) expect(() => requireNode(version)).toThrow(/20\.19 or newer/)
  for (const version of ['20.19.0', '22.0.0', '100.1.2']) expect(() => requireNode(version)).not.toThrow()
})

test('a hook in a checkout that is not built does not fail, installs nothing and builds nothing', async () => {
  const checkout = mkdtempSync(join(tmpdir(), 'playhead-checkout-'))
  try {
    cpSync(join(import.meta.dirname, '../bin'), join(checkout, 'bin'), { recursive: true })
    for (const name of ['package.json', 'package-lock.json'])
      cpSync(join(import.meta.dirname, '..', name), join(checkout, name))
    mkdirSync(join(checkout, 'src'))
    const hook = spawn(process.execPath, [join(checkout, 'bin/playhead.js'), 'hook'], {
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const [said, warned] = [text(hook.stdout), text(hook.stderr)]
    expect(await once(hook, 'close')).toEqual([0, null])
    expect([await said, await warned]).toEqual(['', expect.stringContaining('start playhead once by hand')])
    expect(readdirSync(checkout).sort()).toEqual(['bin', 'package-lock.json', 'package.json', 'src'])
  } finally {
    rmSync(checkout, { recursive: true, force: true })
  }
})

describe('getting Electron at the first start', () => {
  test.each([
    [{ PLAYHEAD_HOST: 'browser', DISPLAY: ':0' }, 'linux', 1000, 'PLAYHEAD_HOST is browser'],
    [{ CI: 'true', DISPLAY: ':0' }, 'linux', 1000, 'this is a CI run'],
    [{ ELECTRON_SKIP_BINARY_DOWNLOAD: '1', DISPLAY: ':0' }, 'linux', 1000, 'ELECTRON_SKIP_BINARY_DOWNLOAD is set'],
    [{ DISPLAY: ':0' }, 'linux', 0, 'Electron does not run as root'],
    [{}, 'linux', 1000, 'there is no display'],
    [{ DISPLAY: '' }, 'linux', 1000, 'there is no display'],
    [{ DISPLAY: ':0' }, 'linux', 1000, null],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', 1000, null],
    [{}, 'darwin', 501, null],
    [{}, 'win32', undefined, null]
  ] as const)('with %j on %s as %s: %s', (env, platform, uid, reason) => {
    // `undefined` would mean this process's own user.
    expect(reasonAgainst(env, platform, uid ?? 1000)).toBe(reason)
  })

  test('asks the host that the installer would ask', () => {
    expect(downloadHost({}).host).toBe('github.com')
    expect(downloadHost({ ELECTRON_MIRROR: 'http://127.0.0.1:81/electron/' }).host).toBe('127.0.0.1:81')
    expect(downloadHost({ ELECTRON_MIRROR: 'not a url' }).host).toBe('github.com')
  })

  test('a host answers if a connection opens', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    })
    expect(await answers(new URL(`http://127.0.0.1:${port}`))).toBe(true)
    await new Promise((resolve) => server.close(resolve))
    expect(await answers(new URL(`http://127.0.0.1:${port}`))).toBe(false)
  })
})
