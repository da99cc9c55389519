import { describe, expect, test } from 'vitest'
import { filesOfCall, mentionsFile } from './tool-files.ts'

describe('the files that a call names', () => {
  test.each([
    [{ file_path: '/w/a.ts', old_string: 'x' }, ['/w/a.ts']],
    [{ absolute_path: '/w/a.ts' }, ['/w/a.ts']],
    [{ notebook_path: 'n.ipynb' }, ['n.ipynb']],
    [{ filename: 'n.ts' }, ['n.ts']],
    [{ pattern: 'x', path: 'src' }, ['src']],
    [{ paths: ['a.ts', 'b.ts', 7] }, ['a.ts', 'b.ts']],
    [{ edits: [{ file_path: 'a.ts' }, { file_path: 'b.ts' }, { file_path: 'a.ts' }] }, ['a.ts', 'b.ts']],
    [{ changes: [{ path: 'a.ts', kind: 'update' }] }, ['a.ts']],
    [{ changes: { '/w/b.ts': { type: 'add', content: 'x' } } }, ['/w/b.ts']],
    [{ '/w/c.ts': { type: 'update', unified_diff: '@@' } }, ['/w/c.ts']],
    [{ patch: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** End Patch' }, ['src/a.ts']],
    [{ command: ['apply_patch', '*** Begin Patch\n*** Add File: b.ts\n+y\n*** End Patch'] }, ['b.ts']],
    [{ input: 'await tools.read({file_path: "src/d.ts"})' }, ['src/d.ts']],
    [{ action: { path: 'e.ts' } }, ['e.ts']],
    [{ command: 'cat src/a.ts' }, []],
    [{ file_path: '' }, []],
    [{}, []]
  ])('%j', (input, files) => {
    expect(filesOfCall(input)).toEqual(files)
  })

  test('are no more than a hundred', () => {
    expect(filesOfCall({ paths: Array.from({ length: 1000 }, (_, at) => `${at}.ts`) })).toHaveLength(100)
  })
})

describe('a file', () => {
  test.each([
    ['sed -n 1,20p src/a.ts', true],
    ['cat xa.ts a.ts.bak src/a.ts', true],
    ['node --test=src/a.ts', true],
    ['grep \'x\' "src/a.ts"; ls', true],
    ['cat xsrc/a.ts', false],
    ['cat src/a.tsx', false],
    ['ls', false]
  ])('is named by %s: %s', (command, named) => {
    expect(mentionsFile({ command }, '/w/src/a.ts')).toBe(named)
    expect(mentionsFile({ cmd: ['bash', '-lc', command] }, '/w/src/a.ts')).toBe(named)
  })

  test('is looked for in a long command of nothing but its name at once', () => {
    expect(mentionsFile({ command: 'a.ts'.repeat(50_000) }, '/w/src/a.ts')).toBe(false)
  })
})
