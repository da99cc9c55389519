import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FilePatch, readPatch } from './patch-text.ts'
import { lineRange } from './diff-side.ts'
import { wholeDiffText } from './diff-text.ts'

const textOf = ({ parts, before, after }: FilePatch) => wholeDiffText(parts, before, after)
const numbersOf = ({ before, after }: FilePatch) =>
  [before, after].map(({ starts, numberOf }) => starts.slice(1).map((_, line) => numberOf(line)))

describe('readPatch', () => {
  it('reads a unified diff with its line numbers', () => {
    const patch = `--- a/src/x.ts\t2026-01-01\n+++ b/src/x.ts\n@@ -3,3 +3,4 @@ function f()\n one\n-two\n+TWO\n+new\n three\n\\ No newline at end of file\n`
    const [file, ...rest] = readPatch(patch)
    expect(rest).toEqual([])
    if (file === undefined) throw new Error('no file')
    expect(file).toMatchObject({ path: 'src/x.ts', movedTo: null, kind: 'updated' })
    expect(textOf(file)).toBe('line 3 · function f()\n one\n-two\n+TWO\n+new\n three\nNo newline at end of file')
    expect(numbersOf(file)).toEqual([
      [3, 4, 5],
      [3, 4, 5, 6]
    ])
  })

  it('reads the output of git: new, deleted and renamed files', () => {
    const files = readPatch(
      `diff --git a/new.txt b/new.txt\nnew file mode 100644\nindex 0000000..e69de29\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\n` +
        `diff --git a/old.txt b/old.txt\ndeleted file mode 100644\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n` +
        `diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n`
    )
    expect(files.map(({ path, movedTo, kind }) => ({ path, movedTo, kind }))).toEqual([
      { path: 'new.txt', movedTo: null, kind: 'added' },
      { path: 'old.txt', movedTo: null, kind: 'deleted' },
      { path: 'a.txt', movedTo: 'b.txt', kind: 'updated' }
    ])
  })

  it('reads names that git quotes, and names with spaces', () => {
    const files = readPatch(
      [
        'diff --git "a/w\\303\\266rd \\"new\\".ts" "b/w\\303\\266rd \\"new\\".ts"',
        '--- "a/w\\303\\266rd \\"new\\".ts"',
        '+++ "b/w\\303\\266rd \\"new\\".ts"',
        ...['@@ -1 +1 @@', '-a', '+b'],
        ...['diff --git a/a b/c d b/a b/c d', 'old mode 100644', 'new mode 100755'],
        ...['diff --git "a/tab\\there" b/plain b/x', 'similarity index 100%'],
        ...['rename from "tab\\there"', 'rename to plain b/x'],
        ...['diff --git a/one b/x b/two b/y', 'similarity index 100%', 'rename from one b/x', 'rename to two b/y']
      ].join('\n')
    )
    expect(files.map(({ path, movedTo }) => [path, movedTo])).toEqual([
      ['wörd "new".ts', null],
      ['a b/c d', null],
      ['tab\there', 'plain b/x'],
      ['one b/x', 'two b/y']
    ])
  })

  it('shows no bytes of a binary file', () => {
    const files = readPatch(
      [
        ...['diff --git a/a.png b/a.png', 'new file mode 100644', 'index 0000000..1234567', 'GIT binary patch'],
        ...['literal 3', 'Kc${NkU|;|M00aO5', '', 'literal 0', 'HcmV?d00001', ''],
        ...['diff --git a/b.txt b/b.txt', '--- a/b.txt', '+++ b/b.txt', '@@ -1 +1 @@', '-a', '+b']
      ].join('\n')
    )
    expect(files.map((file) => [file.path, file.kind, textOf(file)])).toEqual([
      ['a.png', 'added', 'Binary file'],
      ['b.txt', 'updated', 'line 1\n-a\n+b']
    ])
  })

  it('reads a deleted line that looks like a file header', () => {
    const [file] = readPatch('--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- a comment\n select 1\n')
    if (file === undefined) throw new Error('no file')
    expect(textOf(file)).toBe('line 1\n--- a comment\n select 1')
  })

  it('reads patches of Codex: files, moves, context and hunks without numbers', () => {
    const files = readPatch(
      `*** Begin Patch\n*** Add File: src/new.ts\n+one\n+two\n*** Update File: src/old.ts\n*** Move to: src/moved.ts\n@@ class A\n context\n-gone\n+here\n\n*** End of File\n*** Delete File: src/dead.ts\n*** End Patch\n`
    )
    expect(files.map(({ path, movedTo, kind }) => [path, movedTo, kind])).toEqual([
      ['src/new.ts', null, 'added'],
      ['src/old.ts', 'src/moved.ts', 'updated'],
      ['src/dead.ts', null, 'deleted']
    ])
    const [added, updated, deleted] = files
    if (added === undefined || updated === undefined || deleted === undefined) throw new Error('a file is missing')
    expect(textOf(added)).toBe('+one\n+two')
    expect(numbersOf(added)).toEqual([[], [1, 2]])
    expect(textOf(updated)).toBe('class A\n context\n-gone\n+here\n ')
    expect(numbersOf(updated)).toEqual([
      [null, null, null],
      [null, null, null]
    ])
    expect(textOf(deleted)).toBe('')
  })

  it('keeps lines outside hunks as notes', () => {
    const [file] = readPatch("apply_patch <<'EOF'\nBinary files a/x and b/x differ")
    if (file === undefined) throw new Error('no file')
    expect(textOf(file)).toBe("apply_patch <<'EOF'\nBinary files a/x and b/x differ")
  })

  it('never throws and loses no line', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '@@ -1,2 +1,2 @@',
        '@@',
        '--- a/x',
        '+++ b/x',
        '*** Update File: y',
        ' ctx1',
        '+add1',
        '-del1',
        '\\ No',
        ''
      ),
      fc.stringMatching(/^[ +-][a-z]{1,8}$/),
      fc.stringMatching(/^[a-z@* ]{0,12}$/)
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const files = readPatch(lines.join('\n'))
        const shown = files.map((file) => `${file.path} ${file.movedTo} ${textOf(file)}`).join('\n')
        for (const own of lines) {
          const words = own.replace(/^@@ -.*@@|^[\\+ -]|^(---|\+\+\+) [ab]\/|^\*\*\* Update File: |^@@ ?/, '').trim()
          if (words !== '' && !/^(--|\+\+) /.test(words)) expect(shown).toContain(words)
        }
        for (const { before, after } of files) {
          for (const side of [before, after]) {
            const texts = side.starts.slice(1).map((_, at) => {
              const { from, to } = lineRange(side, at)
              return side.text.slice(from, to)
            })
            expect(texts.join('\n')).toBe(side.text)
          }
        }
      })
    )
  })
})
