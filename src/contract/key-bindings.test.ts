import { expect, test } from 'vitest'
import { bindKeys } from './key-bindings.ts'
import { commands } from './commands.ts'

test('without settings each command has its own keys, and no two share one', () => {
  const { keysOf, problems } = bindKeys({})
  expect(problems).toEqual([])
  for (const { id, key, alternative = key } of commands)
    expect(keysOf.get(id)).toEqual([...new Set([key, alternative])])
})

test('keys that were set replace those of the command', () => {
  const { keysOf, commandOf, problems } = bindKeys({ bookmark: ['Ctrl+B', 'Shift+home', 'f2'], find: [] })
  expect(problems).toEqual([
    'keys.bookmark: "Shift+home" cannot be a key of a command. Write it as b, B, Mod+b, Alt+b, F2 or Shift+Home.',
    'keys.bookmark: "f2" cannot be a key of a command. Write it as b, B, Mod+b, Alt+b, F2 or Shift+Home.'
  ])
  expect(keysOf.get('bookmark')).toEqual(['Mod+b'])
  expect(keysOf.get('find')).toEqual([])
  expect(commandOf.get('Mod+b')).toBe('bookmark')
  expect(commandOf.get('b')).toBeUndefined()
  expect(bindKeys({ play: ['Space', 'Shift+k', 'Shift+F2'] }).keysOf.get('play')).toEqual([' ', 'K', 'Shift+F2'])
})

test('a conflict is reported, with the command that has the key', () => {
  const { keysOf, problems } = bindKeys({ export: ['q'], bookmark: ['q', 'd'], 'go-to': ['p'], nothing: ['q'] })
  expect(problems).toEqual([
    'keys: There is no command "nothing".',
    'keys: q is set for "Bookmark" and "Export". "Bookmark" has it now.',
    'keys: p was the key of "Next prompt". "Go to" has it now.'
  ])
  expect(keysOf.get('next-prompt')).toEqual([])
  expect(keysOf.get('export')).toEqual([])
})

test.each(['Enter', 'Tab', 'Escape', 'Mod+c', 'Alt+Home', 'Alt+ö', '', 'ab', '\u0007'])(
  '%j is no key of a command',
  (key) => {
    expect(bindKeys({ bookmark: [key] }).problems).toHaveLength(1)
  }
)
