import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathCases } from '../../../test/path-cases.ts'
import { isAbsolutePath, pathIn, pathKey, pathText, placePath } from './log-path.ts'
import { nameOnDisk } from './name-on-disk.ts'
import { namesInFolder, relativePath } from './path-names.ts'

describe('a path of a session', () => {
  test.each(pathCases)('$logged in $folder', ({ folder, logged, inside, shown, onDisk }) => {
    expect(pathText(placePath(logged, folder))).toBe(shown)
    expect(namesInFolder(logged, folder)?.join('/') ?? null).toBe(inside)
    expect(nameOnDisk(shown, folder)).toBe(onDisk)
    if (isAbsolutePath(logged)) expect(relativePath(logged, folder)).toBe(inside ?? logged)
  })
})

const name = fc.constantFrom(
  '..',
  '.',
  '',
  'a',
  'A',
  'src',
  'Main.ts',
  'con',
  'aux.txt',
  'x.',
  'y ',
  'a:b',
  '?',
  '~',
  'C:',
  'c',
  'mnt',
  'ß',
  'é',
  '\ud800',
  '%',
  '.git',
  'a\\b',
  '\\\\s\\t',
  '_outside',
  'z'.repeat(300),
  'nul',
  '%2F',
  'MANIFEST.json'
)
const root = fc.constantFrom(
  '',
  '/',
  '//',
  '\\',
  '\\\\',
  '\\\\?\\',
  '\\\\.\\',
  '\\\\?\\UNC\\',
  'C:\\',
  'c:/',
  'D:\\',
  'C:',
  '~/',
  '~\\',
  '/c/',
  '/mnt/c/',
  '/cygdrive/d/',
  '../',
  '..\\',
  'file:///',
  'file://h/',
  '?/',
  '/C:/',
  'file:///C:/',
  '\\\\wsl$\\U\\',
  '\\\\wsl.localhost\\U\\'
)
const separator = fc.constantFrom('/', '\\')
const path = fc.tuple(root, fc.array(fc.tuple(name, separator), { maxLength: 6 })).map(
  ([start, names]) =>
    start +
    names
      .map(([one, between]) => one + between)
      .join('')
      .slice(0, -1)
)
const folder = fc.constantFrom(null, ...new Set(pathCases.map((each) => each.folder)), '/', 'C:\\', '~/w', 'w', '')

describe('any path', () => {
  test('that is placed stays where it is, and what is shown of it leads back to it', () => {
    fc.assert(
      fc.property(path, folder, (logged, session) => {
        const placed = placePath(logged, session)
        const again = placePath(pathText(placed), session)
        expect([pathText(again), pathKey(again)]).toEqual([pathText(placed), pathKey(placed)])
      })
    )
  })

  test('in a folder is that folder with the path', () => {
    fc.assert(
      fc.property(folder, path, folder, (one, other, session) => {
        // How `C:a` and `\\a` are read depends on the session, and `..` of a drive on what it is part of.
        if (other.includes('..')) return
        if (one === null || !isAbsolutePath(one) || isAbsolutePath(other) || /^(?:[A-Za-z]:|\\)/.test(other)) return
        // `/C:/a` is of Windows where the session, or what is in its place, is.
        if (session === null && /^\/[A-Za-z]:/.test(one)) return
        expect(pathKey(placePath(pathIn(one, other), session))).toBe(pathKey(placePath(other, session, one)))
      })
    )
  })
})

describe('on disk', () => {
  const names = (logged: string, session: string | null): readonly string[] =>
    nameOnDisk(pathText(placePath(logged, session)), session).split('/')

  test('any path has plain names of every system, below the folder', () => {
    fc.assert(
      fc.property(path, folder, (logged, session) => {
        for (const one of names(logged, session)) {
          expect(one).not.toMatch(/^\.*$|^\.git$|[. ]$|[\\/:*?"<>|]|\p{Cc}|\p{Surrogate}/iu)
          expect(one).not.toMatch(/^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i)
          expect(new TextEncoder().encode(one).length).toBeLessThanOrEqual(200)
        }
      })
    )
  })

  test('two files never have one name', () => {
    fc.assert(
      fc.property(path, path, folder, (one, other, session) => {
        const [a, b] = [placePath(one, session), placePath(other, session)]
        const isSame = pathKey(a) === pathKey(b)
        if (!isSame) expect(names(one, session)).not.toEqual(names(other, session))
      }),
      { numRuns: 500 }
    )
  })
})
