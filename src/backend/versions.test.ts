import { expect, test } from 'vitest'
import { isNewerVersion, isVersion } from './versions.ts'

test('each of these is later than the previous one', () => {
  const ascending = [
    '0.0.9',
    '0.1.0-alpha',
    '0.1.0-alpha.1',
    '0.1.0-alpha.beta',
    '0.1.0-beta',
    '0.1.0-beta.2',
    '0.1.0-beta.11',
    '0.1.0-rc.1',
    '0.1.0',
    '0.1.1',
    '0.2.0',
    '0.10.0',
    '1.0.0'
  ]
  ascending.forEach((own, i) => {
    ascending.forEach((other, j) => expect([other, own, isNewerVersion(other, own)]).toEqual([other, own, j > i]))
  })
})

test('a build does not affect the order, and a leading v is ignored', () => {
  expect(isNewerVersion('1.0.0+2', '1.0.0+1')).toBe(false)
  expect(isNewerVersion('v1.0.1', '1.0.0')).toBe(true)
})

test.each(['', '1', '1.0', '1.0.0.0', 'latest', '1.0.x', '1.0.0-', ' 1.0.0', '1.0.0\n', `1.0.${'9'.repeat(400)}`])(
  '%j is no version, and newer than none',
  (text) => {
    expect(isVersion(text)).toBe(false)
    expect(isNewerVersion(text, '0.0.0')).toBe(false)
    expect(isNewerVersion('9.0.0', text)).toBe(false)
  }
)
