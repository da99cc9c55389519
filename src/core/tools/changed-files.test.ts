import { expect, test } from 'vitest'
import { ChangedFiles } from './changed-files.ts'

test('counts calls and lines of each file, thousands as well', () => {
  const files = new ChangedFiles(10)
  files.call({ file_path: '/a.ts', old_string: 'a', new_string: 'b\nc' })
  files.call({ file_path: '/a.ts', content: 'x\n'.repeat(1204) })
  files.call({ file_path: '/only-read.ts' })
  expect([...files.byPath]).toEqual([['/a.ts', { calls: 2, added: 1206, deleted: 1 }]])
})

test('of a call that changes several files it is not known which lines are whose', () => {
  const files = new ChangedFiles(10)
  files.call({
    changes: [
      { path: '/a', kind: 'update', diff: '+x' },
      { path: '/b', kind: 'update', diff: '-y' }
    ]
  })
  expect([...files.byPath.values()]).toEqual([
    { calls: 1, added: 0, deleted: 0 },
    { calls: 1, added: 0, deleted: 0 }
  ])
})

test('of more files than it tells apart the changes are counted', () => {
  const files = new ChangedFiles(1)
  for (const path of ['/a', '/b', '/b', '/a']) files.call({ file_path: path, content: 'x' })
  expect([...files.byPath.keys()]).toEqual(['/a'])
  expect(files.further).toBe(2)
})
