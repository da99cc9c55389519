import { expect, test } from 'vitest'
import { commands, type KeyLine, keyGroups } from './commands.ts'

test('each command has a name and a key of its own', () => {
  for (const part of ['id', 'key', 'name'] as const) {
    const all = commands.map((command) => command[part])
    expect(new Set(all).size).toBe(all.length)
    expect(all).not.toContain('')
  }
})

test('keys are unique', () => {
  const keys = commands.flatMap(({ key, alternative }) => (alternative === undefined ? [key] : [key, alternative]))
  expect(new Set(keys).size).toBe(keys.length)
})

test('find, open and all commands have their usual keys', () => {
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

test('every view and collapsible part has a key', () => {
  const keys = new Map<string, string>(commands.map(({ id, key }) => [id, key]))
  expect(['todos', 'toggle-turn', 'toggle-turns', 'issues', 'widen-inspector'].map((id) => keys.get(id))).toEqual([
    'v',
    'z',
    'Z',
    'I',
    'w'
  ])
})
