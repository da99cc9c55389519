import { expect, test } from 'vitest'
import type { QueryValue } from './query.ts'
import { pathMatch } from './value-match.ts'

const word = (text: string): QueryValue => ({ type: 'word', text })
const quoted = (text: string): QueryValue => ({ type: 'quoted', text })
const regex = (source: string): QueryValue => ({ type: 'regex', source, ignoreCase: false })
const tide = String.raw`C:\Users\Ada\tide`

test.each([
  [word('src/Main.ts'), String.raw`C:src\Main.ts`, tide, true],
  [word('src/Main.ts'), String.raw`C:src\Main.ts`, null, false],
  [word('C:/Users/Ada/tide/src/Main.ts'), '/c/Users/Ada/tide/src/Main.ts', tide, true],
  [word('C:/Users/Ada/tide/src/Main.ts'), 'src/Main.ts', tide, true],
  [word('/home/me/src/app/a.ts'), './a.ts', '/home/me/src/app', true],
  // What the folder ends with is in no path that begins there.
  [word('src/*'), 'a.ts', '/home/me/src/app', false],
  [word('src/*'), '/home/me/src/app/a.ts', '/home/me/src/app', true],
  [word('*src*'), 'a.ts', '/home/me/src/app', false],
  [quoted('src/app'), 'a.ts', '/home/me/src/app', false],
  [quoted('/home/me/my app/a.ts'), './a.ts', '/home/me/my app', true],
  [quoted(String.raw`C:\Users\Ada\tide\src\Main.ts`), 'src/Main.ts', tide, true],
  [quoted('C:/Users/Ada/tide/src'), String.raw`src\Main.ts`, tide, true],
  [regex('src'), 'a.ts', '/home/me/src/app', false],
  [regex('^/home/me/src/'), 'a.ts', '/home/me/src/app', true],
  [regex('^lib/'), '/home/me/src/app/lib/a.ts', '/home/me/src/app', true]
] as const)('file:%o, of %s in a session of %s: %s', (asked, path, folder, holds) => {
  expect(pathMatch(asked)(path, folder)).toBe(holds)
})
