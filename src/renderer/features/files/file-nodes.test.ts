import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileNodes } from './file-nodes.ts'

const all = { folder: '/w', closed: new Set<string>(), filter: '' }
const shown = (paths: readonly string[], more: Partial<typeof all> = {}) =>
  fileNodes(paths, { ...all, ...more }).map((node) => `${'  '.repeat(node.depth)}${node.name}`)

const paths = ['/w/src/b/two.ts', '/w/src/a10.ts', '/w/src/a9.ts', '/w/README.md', '/etc/deep/er/x.conf', '?/loose.ts']

test('folders come first, chains of folders are one line, names are sorted as people do', () => {
  expect(shown(paths)).toEqual([
    ...['src', '  b', '    two.ts', '  a9.ts', '  a10.ts', '/etc/deep/er', '  x.conf', '?', '  loose.ts', 'README.md']
  ])
})

test('a folded folder hides what is in it, and a filter opens it', () => {
  expect(shown(paths, { closed: new Set(['src']) })).not.toContain('  a9.ts')
  expect(shown(paths, { closed: new Set(['src']), filter: 'A9' })).toEqual(['src', '  a9.ts'])
  expect(shown(paths, { filter: 'nothing' })).toEqual([])
})

test('a folder of Windows is one folder in any case, and other drives come after it', () => {
  const windows = ['D:\\x\\log.txt', 'C:\\w\\Src\\a.ts', 'c:\\W\\src\\b.ts', '\\\\nas\\share\\c.ts', '?/loose.ts']
  expect(shown(windows, { folder: 'c:\\w' })).toEqual([
    ...['Src', '  a.ts', '  b.ts', '\\\\nas\\share', '  c.ts', 'D:/x', '  log.txt', '?', '  loose.ts']
  ])
  expect(shown(windows, { folder: 'c:\\w', filter: 'src\\b' })).toEqual(['src', '  b.ts'])
})

test('any paths give each file once, and end', () => {
  const part = fc.constantFrom('', '.', '..', 'a', 'B', '__proto__', 'x y', '\u202egnp.exe', '<b>', '/', '\u001b[31m')
  fc.assert(
    fc.property(
      fc.array(
        fc.array(part, { maxLength: 300 }).map((parts) => parts.join('/')),
        { maxLength: 20 }
      ),
      (some) => {
        const nodes = fileNodes(some, all)
        const files = nodes.flatMap((node) => (node.kind === 'file' ? [node.file] : []))
        expect(new Set(files).size).toBe(files.length)
        expect(files.length).toBeLessThanOrEqual(some.length)
        if (some.every((path) => path.split('/').length < 100)) expect(files.length).toBe(some.length)
      }
    )
  )
})
