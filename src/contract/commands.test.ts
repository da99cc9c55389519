import { expect, test } from 'vitest'
import { commands, type KeyLine, keyGroups } from './commands.ts'

test('each command has a name and a key of its own', () => {
  for (const part of ['id', 'key', 'name'] as const) {
    const all = commands.map((command) => command[part])
    expect(new Set(all).size).toBe(all.length)
    expect(all).not.toContain('')
  }
})

test('no key means two things', () => {
  const keys = commands.flatMap(({ key, alternative }) => (alternative === undefined ? [key] : [key, alternative]))
  expect(new Set(keys).size).toBe(keys.length)
})

test('finding, opening and all commands have the keys that programs have for them', () => {
  const keysOf = (wanted: string) =>
    commands.filter(({ id }) => id === wanted).flatMap(({ key, alternative }) => [key, alternative])
  expect([keysOf('find'), keysOf('open'), keysOf('palette')]).toEqual([
    ['/', 'Mod+f'],
    ['Mod+o', undefined],
    ['Mod+k', undefined]
  ])
})

test('each line of the list of keys has keys', () => {
  const lines: readonly KeyLine[] = keyGroups.flatMap((group) => group.lines as readonly KeyLine[])
  for (const { what, commands: own = [], keys = [] } of lines)
    expect([what, own.length + keys.length > 0]).toEqual([what, true])
})

test('every view and every fold of the page is reached by a key', () => {
  const keys = new Map<string, string>(commands.map(({ id, key }) => [id, key]))
  expect(['todos', 'toggle-turn', 'toggle-turns', 'issues', 'widen-inspector'].map((id) => keys.get(id))).toEqual([
    'v',
    'z',
    'Z',
    'I',
    'w'
  ])
})
