import { describe, expect, test } from 'vitest'
import { valueAtPath } from '../json-path.ts'
import type { JsonObject } from '../json.ts'
import { fileEdits, type FileEdit } from './file-edits.ts'

function editsOf(input: JsonObject): readonly FileEdit[] {
  return fileEdits(input) ?? []
}

describe('the files that a call changes', () => {
  test('one text put in the place of another, with where both stand in the event', () => {
    const input = { file_path: '/a.ts', old_string: 'one', new_string: 'two', replace_all: true }
    const [file] = editsOf(input)
    expect(file).toMatchObject({ path: '/a.ts', kind: 'updated' })
    const [edit] = file?.edits ?? []
    if (edit?.kind !== 'replace') throw new Error('a replacement')
    expect(edit).toMatchObject({ before: { text: 'one' }, after: { text: 'two' }, all: true })
    expect(valueAtPath({ input }, edit.after.at ?? '')).toBe('two')
  })

  test('several replacements in one file', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'd' }
    ]
    const [file] = editsOf({ file_path: '/a.ts', edits })
    expect(file?.edits).toMatchObject([{ before: { text: 'a' } }, { before: { at: '$.input.edits[1].old_string' } }])
  })

  test('what replaces nothing, and what is written, is a whole file', () => {
    const made = editsOf({ file_path: '/a.ts', old_string: '', new_string: 'text' })
    expect(made).toMatchObject([{ kind: 'written', edits: [{ kind: 'whole', text: { text: 'text' } }] }])
    expect(editsOf({ file_path: '/a.ts', content: '' })).toMatchObject([
      { kind: 'written', edits: [{ kind: 'whole' }] }
    ])
    expect(editsOf({ notebook_path: '/n.ipynb', new_source: 'x = 1', cell_id: 'c' })).toMatchObject([
      { path: '/n.ipynb', kind: 'updated', edits: [{ kind: 'whole', text: { text: 'x = 1' } }] }
    ])
  })

  const patch = [
    '*** Begin Patch',
    '*** Update File: src/a.ts',
    '*** Move to: src/b.ts',
    '@@ function a()',
    '-old',
    '+new',
    '*** Add File: c.md',
    '+# C',
    '+',
    '*** Delete File: d.md',
    '*** End Patch'
  ].join('\n')
  const patchedFiles = [
    { path: 'src/a.ts', kind: 'updated', movedTo: 'src/b.ts' },
    { path: 'c.md', kind: 'created', movedTo: null },
    { path: 'd.md', kind: 'deleted', edits: [] }
  ]

  test.each<[string, JsonObject]>([
    ['as free text', { input: patch }],
    ['as an argument', { command: ['apply_patch', patch] }],
    ['on the standard input of a command', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF`] }],
    ['in a script', { input: `await tools.apply_patch(${JSON.stringify(patch)});` }]
  ])('a patch %s', (_, input) => {
    const files = editsOf(input)
    expect(files).toMatchObject(patchedFiles)
    expect(files[0]?.edits).toMatchObject([{ kind: 'patch', patch: { text: '@@ function a()\n-old\n+new' } }])
    expect(files[1]?.edits).toMatchObject([{ kind: 'whole', text: { text: '# C\n' } }])
  })

  test('changes by path, and as a list', () => {
    const diff = '@@ -1 +1 @@\n-a\n+b\n'
    const changes = {
      '/a.ts': { type: 'update', unified_diff: diff, move_path: '/b.ts' },
      '/c': { type: 'add', content: 'c' }
    }
    expect(editsOf({ changes })).toMatchObject([
      { path: '/a.ts', kind: 'updated', movedTo: '/b.ts', edits: [{ kind: 'patch', patch: { text: diff } }] },
      {
        path: '/c',
        kind: 'created',
        edits: [{ kind: 'whole', text: { text: 'c', at: '$.input.changes["/c"].content' } }]
      }
    ])
    expect(
      editsOf({
        changes: [
          { path: '/a', kind: 'delete' },
          { path: '/b', kind: 'update' }
        ]
      })
    ).toMatchObject([
      { path: '/a', kind: 'deleted', edits: [] },
      { path: '/b', kind: 'updated', edits: [] }
    ])
  })

  test('what changes no file is none', () => {
    for (const input of [
      {},
      { file_path: '/a' },
      { command: 'ls' },
      { command: "grep '*** Begin Patch' -r ." },
      { content: 'a message' },
      { changes: 'many' },
      { input: 'text with nothing in it' }
    ] satisfies JsonObject[])
      expect(fileEdits(input)).toBeNull()
  })
})
