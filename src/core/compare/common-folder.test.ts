import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldersOf } from './common-folder.ts'

const touched = (...paths: readonly string[]) => ({ stated: null, paths: new Set(paths) })

test('a stated folder is the folder', () => {
  expect(foldersOf({ stated: '/w/app', paths: new Set(['/x/a']) }, { stated: 'C:\\app', paths: new Set() })).toEqual({
    a: '/w/app',
    b: 'C:\\app'
  })
})

test('without one it is the folder in which most files are those of the other session', () => {
  const claude = { stated: '/w/app', paths: new Set(['/w/app/src/a.ts', 'src/b.ts']) }
  // All files that the other one names are in `src`.
  expect(foldersOf(claude, touched('/tmp/demo/src/a.ts', '/tmp/demo/src/b.ts')).b).toBe('/tmp/demo')
  expect(foldersOf(touched('C:\\demo\\src\\a.ts'), claude).a).toBe('C:\\demo')
})

test('two sessions without a folder get the deepest ones with the most common files', () => {
  const one = touched('/home/ada/app/src/a.ts', '/home/ada/app/src/b.ts')
  const other = touched('/srv/app/src/a.ts', '/srv/app/src/b.ts', '/srv/app/test/a.ts')
  expect(foldersOf(one, other)).toEqual({ a: '/home/ada/app', b: '/srv/app' })
})

test('with nothing in common it is the folder of all files of the session', () => {
  expect(foldersOf(touched('/w/a/x.ts', '/w/a/b/y.ts'), touched('/v/z.ts'))).toEqual({ a: '/w/a', b: '/v' })
  expect(foldersOf(touched('x.ts'), touched())).toEqual({ a: null, b: null })
})

test('swapping the sessions swaps the folders', () => {
  const part = fc.constantFrom('a', 'b', 'src')
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`)
  const session = fc.record({
    stated: fc.constantFrom(null, null, '/a', '/a/src'),
    paths: fc.array(path, { maxLength: 5 }).map((paths) => new Set(paths))
  })
  fc.assert(
    fc.property(session, session, (a, b) => {
      const { a: one, b: other } = foldersOf(a, b)
      const swapped = foldersOf(b, a)
      expect([swapped.b, swapped.a]).toEqual([one, other])
    })
  )
})
