import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { electronBinary } from './electron-binary.ts'

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

test('is found below a checkout, and below an installed package or beside it', () => {
  const checkout = join(folder, 'checkout')
  expect(electronBinary(checkout, {})).toBeNull()
  const own = install(join(checkout, 'node_modules'))
  expect(electronBinary(checkout, {})).toBe(own)

  const modules = join(folder, 'app', 'node_modules')
  const beside = install(modules)
  expect(electronBinary(join(modules, 'playhead'), {})).toBe(beside)
  const below = install(join(modules, 'playhead', 'node_modules'))
  expect(electronBinary(join(modules, 'playhead'), {})).toBe(below)
})

test('what stands beside a checkout is not its own', () => {
  install(join(folder, 'other'))
  expect(electronBinary(join(folder, 'other', 'playhead'), {})).toBeNull()
})

test('the one that is named is the one, if it is there', () => {
  const named = install(join(folder, 'named'))
  expect(electronBinary(folder, { ELECTRON_EXEC_PATH: named })).toBe(named)
  expect(electronBinary(folder, { ELECTRON_EXEC_PATH: `${named}-not` })).toBeNull()
})

test('a package whose program was never fetched has none', () => {
  const electron = join(folder, 'unfetched', 'node_modules', 'electron')
  mkdirSync(electron, { recursive: true })
  expect(electronBinary(join(folder, 'unfetched'), {})).toBeNull()
  writeFileSync(join(electron, 'path.txt'), 'electron')
  expect(electronBinary(join(folder, 'unfetched'), {})).toBeNull()
})
