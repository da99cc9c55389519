import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NormalText, replacements } from './normal-text.ts'

const text = new NormalText('/home/ada/work/app')

test.each([
  ['the folder of the session', 'cat /home/ada/work/app/a.ts', 'cat $CWD/a.ts'],
  ['not a folder with a longer name', 'ls /home/ada/work/app-2', 'ls ~/work/app-2'],
  ['a home folder', 'cat /Users/bob/.zshrc /home/ada/x /root/y', 'cat ~/.zshrc ~/x ~/y'],
  ['a temporary folder', 'ls /tmp/build-77/a /private/tmp/q /var/folders/ab/cd12/T/z9/b', 'ls $TMP/a $TMP $TMP/b'],
  ['ids', 'use 123e4567-e89b-12d3-a456-426614174000 of toolu_01AbCdEfGhIjKlMnOp', 'use $ID of $ID'],
  ['an identifier with a long word stays', 'get_applicationconfiguration()', 'get_applicationconfiguration()'],
  ['times', 'at 2026-01-02T03:04:05.678Z and 1767323045678', 'at $N and $N'],
  ['short numbers and dates stay', '2026-01-02, 123456789', '2026-01-02, 123456789']
])('replaces %s', (_, from, to) => {
  expect(text.of(from)).toBe(to)
})

test('Windows paths equal those of POSIX', () => {
  expect(new NormalText('C:\\Users\\bob\\app').path('C:\\Users\\bob\\app\\src\\a.ts')).toBe('src/a.ts')
  expect(text.path('/home/ada/work/app/src/a.ts')).toBe('src/a.ts')
  expect(text.path('./src/a.ts')).toBe('src/a.ts')
})

test('a command loses the change to the folder it is in', () => {
  expect(text.command('cd /home/ada/work/app && npm test')).toBe('npm test')
  expect(text.command('cd "/home/ada/work/app/" ; npm test')).toBe('npm test')
  expect(text.command('cd /home/ada/work/app/sub && npm test')).toBe('cd $CWD/sub && npm test')
})

test('without a folder nothing is taken for one', () => {
  expect(new NormalText(null).of('cat /srv/app/a.ts')).toBe('cat /srv/app/a.ts')
  expect(new NormalText('/').of('cat /srv/app/a.ts')).toBe('cat /srv/app/a.ts')
})

test('no text that is to be replaced is passed over', () => {
  const part = fc.constantFrom(
    ...[
      '/',
      'tmp',
      'var',
      'folders',
      'home',
      'users',
      'Users',
      '/root',
      'private',
      'ab',
      'T',
      'C:',
      ' ',
      '-',
      '_',
      '.'
    ],
    ...['12345678', '1a2b', '4567', '1a2b3c4d5e6f', 'call', 'AbCdEfGh12345678', '2026-01-02', '03:04', ':05', 'Z']
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
      const all = parts.join('')
      for (const { hint, pattern } of replacements) if (all.search(pattern) >= 0) expect(all).toMatch(hint)
    })
  )
})
