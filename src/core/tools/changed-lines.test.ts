import { expect, test } from 'vitest'
import { linesOfEdits, linesOfRecord } from './changed-lines.ts'
import { fileEdits } from './file-edits.ts'

const filesOf = (input: Parameters<typeof fileEdits>[0]) => fileEdits(input) ?? []
const recorded = (path: string, patch: string) => ({ path, created: false, patch })

test('lines between two changed ones that stayed are not counted', () => {
  const files = filesOf({
    file_path: '/w/mod.go',
    old_string: 'require (\n\ta v1\n\tb v2\n\tc v3\n)',
    new_string: 'require (\n\tz v0\n\ta v1\n\tb v9\n\tc v3\n\td v4\n)'
  })
  expect(linesOfEdits(files)).toEqual({ added: 3, deleted: 1 })
})

test('texts are counted under any of the names that tools have for them', () => {
  expect(linesOfEdits(filesOf({ path: 'a', old_str: 'a\nb', new_str: 'a\nc' }))).toEqual({ added: 1, deleted: 1 })
  expect(linesOfEdits(filesOf({ file_path: 'a', content: 'one\ntwo\n' }))).toEqual({ added: 2, deleted: 0 })
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: '', new_string: 'c\nd' }
  ]
  expect(linesOfEdits(filesOf({ file_path: 'a', edits }))).toEqual({ added: 3, deleted: 1 })
})

test('what the agent recorded counts where it did so for each file', () => {
  const [files] = [filesOf({ file_path: '/w/a.ts', old_string: 'a', new_string: 'b', replace_all: true })]
  const patch = '@@ -1,2 +1,2 @@\n-a\n+b\n same\n@@ -9 +9 @@\n-a\n+b'
  expect(linesOfRecord(files, [recorded('/w/a.ts', patch)])).toEqual({ added: 2, deleted: 2 })
  expect(linesOfRecord(files, [])).toBeNull()
  const two = filesOf({ changes: { '/w/a.ts': { type: 'update' }, '/w/b.ts': { type: 'update' } } })
  expect(two).toHaveLength(2)
  expect(linesOfRecord(two, [recorded('/w/a.ts', patch)])).toBeNull()
  expect(linesOfRecord([], [recorded('/w/a.ts', patch)])).toBeNull()
})
