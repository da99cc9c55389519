import { expect, test } from 'vitest'
import { ChangedFiles } from './changed-files.ts'

test('counts calls and lines of each file, thousands as well', () => {
  const files = new ChangedFiles(10)
  files.call(0, { file_path: '/a.ts', old_string: 'a', new_string: 'b\nc' })
  files.call(0, { file_path: '/a.ts', content: 'x\n'.repeat(1204) })
  files.call(0, { file_path: '/only-read.ts' })
  expect([...files.byPath]).toEqual([['/a.ts', { calls: 2, added: 1206, deleted: 1 }]])
})

test('of a call that changes several files it is not known which lines are whose', () => {
  const files = new ChangedFiles(10)
  files.call(0, {
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

test('lines are those recorded in a result, else those of the call', () => {
  const files = new ChangedFiles(10)
  const edit = { file_path: '/a.ts', old_string: 'a', new_string: 'b' }
  files.call('one', edit)
  files.answered('one', false, [{ path: '/a.ts', created: false, patch: '@@ -1 +1,3 @@\n-a\n+b\n+c\n+d' }])
  expect([...files.byPath]).toEqual([['/a.ts', { calls: 1, added: 3, deleted: 1 }]])
  // Counted once; another result of the call changes nothing.
  expect(files.awaits('one')).toBe(false)
  files.answered('one', false, [{ path: '/a.ts', created: false, patch: '@@\n+x' }])
  files.call('two', edit)
  files.answered('two', false, [])
  expect(files.awaits('two')).toBe(true)
  expect([...files.byPath]).toEqual([['/a.ts', { calls: 2, added: 4, deleted: 2 }]])
})

test('of more files than it tells apart the changes are counted', () => {
  const files = new ChangedFiles(1)
  for (const path of ['/a', '/b', '/b', '/a']) files.call(0, { file_path: path, content: 'x' })
  expect([...files.byPath.keys()]).toEqual(['/a'])
  expect(files.further).toBe(2)
})

test('a call that fails changes nothing, unless its result records a change', () => {
  const files = new ChangedFiles(10)
  const write = { file_path: '/a.ts', content: 'x\ny' }
  files.call('one', write)
  files.answered('one', true, [])
  expect([...files.byPath]).toEqual([])
  // Its first result decides.
  files.call('two', write)
  files.answered('two', false, [])
  files.answered('two', true, [])
  expect([...files.byPath]).toEqual([['/a.ts', { calls: 1, added: 2, deleted: 0 }]])
  files.call('three', { file_path: '/b.ts', old_string: 'a', new_string: 'b' })
  files.answered('three', true, [{ path: '/b.ts', created: false, patch: '@@ -1 +1,2 @@\n-a\n+b\n+c' }])
  expect(files.byPath.get('/b.ts')).toEqual({ calls: 1, added: 2, deleted: 1 })
  files.call('four', {
    changes: [
      { path: '/c', kind: 'update', diff: '+x' },
      { path: '/d', kind: 'update', diff: '-y' }
    ]
  })
  files.answered('four', true, [])
  expect([...files.byPath.keys()]).toEqual(['/a.ts', '/b.ts'])
})

test('a failed call beyond the limit of files is taken back as well', () => {
  const files = new ChangedFiles(1)
  files.call('a', { file_path: '/a', content: 'x' })
  files.call('b', { file_path: '/b', content: 'x' })
  files.answered('a', true, [])
  files.answered('b', true, [])
  expect([[...files.byPath], files.further]).toEqual([[], 0])
})
