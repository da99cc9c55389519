import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findElectron } from './electron-binary.ts'

let folder = ''
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'playhead-electron-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** Electron's package as its installer leaves it. */
function install(nodeModules: string): string {
  const electron = join(nodeModules, 'electron')
  mkdirSync(join(electron, 'dist'), { recursive: true })
  writeFileSync(join(electron, 'path.txt'), 'electron\n')
  writeFileSync(join(electron, 'dist', 'electron'), '')
  return join(electron, 'dist', 'electron')
}

/** `variables` without a PATH: nothing of this machine is found. */
async function electronBinary(root: string, variables: NodeJS.ProcessEnv): Promise<string | null> {
  return (await findElectron(root, variables, 'linux')).path
}

/** A program of the system, which says its version. */
function program(name: string, text: string): string {
  const bin = join(folder, name)
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'electron'), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  return bin
}

test('is found below a checkout, and below an installed package or beside it', async () => {
  const checkout = join(folder, 'checkout')
  expect(await electronBinary(checkout, {})).toBeNull()
  const own = install(join(checkout, 'node_modules'))
  expect(await electronBinary(checkout, {})).toBe(own)

  const modules = join(folder, 'app', 'node_modules')
  const beside = install(modules)
  expect(await electronBinary(join(modules, 'playhead'), {})).toBe(beside)
  const below = install(join(modules, 'playhead', 'node_modules'))
  expect(await electronBinary(join(modules, 'playhead'), {})).toBe(below)
})

test('what stands beside a checkout is not its own', async () => {
  install(join(folder, 'other'))
  expect(await electronBinary(join(folder, 'other', 'playhead'), {})).toBeNull()
})

test('the one that is named is the one, if it is there', async () => {
  const named = install(join(folder, 'named'))
  expect(await electronBinary(folder, { ELECTRON_EXEC_PATH: named })).toBe(named)
  expect(await electronBinary(folder, { ELECTRON_EXEC_PATH: `${named}-not` })).toBeNull()
})

test('a package whose program was never fetched has none', async () => {
  const electron = join(folder, 'unfetched', 'node_modules', 'electron')
  mkdirSync(electron, { recursive: true })
  expect(await electronBinary(join(folder, 'unfetched'), {})).toBeNull()
  writeFileSync(join(electron, 'path.txt'), 'electron')
  expect(await electronBinary(join(folder, 'unfetched'), {})).toBeNull()
})

test('one of the system on PATH counts where the package has none, if it is new enough', async () => {
  const root = join(folder, 'without')
  const [old, mute, first] = [program('old', 'echo v37.9.9'), program('mute', 'exit 1'), program('new', 'echo v38.0.0')]
  const second = program('newer', 'echo v99.1.2')
  const found = async (...folders: string[]) => await findElectron(root, { PATH: folders.join(delimiter) }, 'linux')
  expect(await found(old, mute, first, second)).toEqual({ path: join(first, 'electron') })
  expect(await found(old)).toEqual({
    path: null,
    reason: `${join(old, 'electron')} is Electron 37.9.9, but Playhead needs 38 or newer`
  })
  expect(await found(mute)).toMatchObject({ reason: expect.stringContaining('does not report its Electron version') })
  expect(await found(join(folder, 'nowhere'), '.')).toMatchObject({ reason: "Electron's program is not installed" })
  const own = install(join(root, 'node_modules'))
  expect(await found(first)).toEqual({ path: own })
})

test("npm's command on PATH is never run: it would start a download", async () => {
  const modules = join(folder, 'global', 'node_modules')
  const ran = join(folder, 'ran')
  mkdirSync(join(modules, 'electron'), { recursive: true })
  writeFileSync(join(modules, 'electron', 'cli.js'), `#!/bin/sh\ntouch '${ran}'\necho v99.0.0\n`, { mode: 0o755 })
  mkdirSync(join(modules, '.bin'))
  symlinkSync('../electron/cli.js', join(modules, '.bin', 'electron'))
  const variables = { PATH: join(modules, '.bin') }
  expect(await findElectron(join(folder, 'none'), variables, 'linux')).toMatchObject({ path: null })
  const binary = install(modules)
  writeFileSync(binary, '#!/bin/sh\necho v40.1.0\n')
  chmodSync(binary, 0o755)
  expect(await findElectron(join(folder, 'none'), variables, 'linux')).toEqual({ path: binary })
  expect(existsSync(ran)).toBe(false)
})
