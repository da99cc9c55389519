import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { git, hasGit } from '../../../test/git.ts'
import { newFolder } from '../../../test/run-processes.ts'
import { FolderTrees } from './folder-trees.ts'
import type { TreeChanges } from './tree-changes.ts'

type Path = string | Buffer

/** Latin-1: a name or a text that is not UTF-8. */
const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const lines = (count: number, end = '\n'): string =>
  Array.from({ length: count }, (_, line) => `line ${line} of this file${end}`).join('')
/** No text: it has zero bytes, and cannot be packed much. */
const noise = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, place) => (place % 31 === 0 ? 0 : ((place * 2_654_435_761) >>> 13) & 255)))

let root = ''
let folder = ''
beforeEach(() => {
  root = newFolder()
  folder = join(root, 'work')
  mkdirSync(folder)
  git(folder, ['init', '-q'])
})

const at = (path: Path): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path)])
const write = (path: Path, text: Path): void => writeFileSync(at(path), text)
const move = (from: Path, to: Path): void => renameSync(at(from), at(to))
const remove = (path: Path): void => rmSync(at(path), { recursive: true })

/** A repository inside of the folder, with one more commit. */
function commitIn(inner: string, text: string): void {
  mkdirSync(join(folder, inner), { recursive: true })
  git(join(folder, inner), ['init', '-q'])
  write(`${inner}/a.txt`, text)
  git(join(folder, inner), ['add', '.'])
  git(join(folder, inner), ['commit', '-qm', text])
}

/** Each file below a folder: its name as bytes, its mode, and its content or where it leads. */
function treeOf(cwd: string, below = Buffer.alloc(0)): string[] {
  const found: string[] = []
  const here = Buffer.concat([Buffer.from(`${cwd}/`), below])
  for (const name of readdirSync(here, { encoding: 'buffer' })) {
    if (name.toString() === '.git') continue
    const path = Buffer.concat([below, name])
    const file = Buffer.concat([Buffer.from(`${cwd}/`), path])
    const facts = lstatSync(file)
    const told = path.toString('latin1')
    if (facts.isSymbolicLink())
      found.push(`${told} -> ${readlinkSync(file, { encoding: 'buffer' }).toString('latin1')}`)
    else if (facts.isFile())
      found.push(`${told} ${(facts.mode & 0o100) !== 0 ? 'x' : '-'} ${readFileSync(file).toString('base64')}`)
    // Of a submodule, git leaves the folder alone.
    else if (!name.toString().startsWith('inner')) found.push(...treeOf(cwd, Buffer.concat([path, Buffer.from('/')])))
  }
  return found.sort()
}

/** Takes the changes that `change` makes, and checks that they turn a copy of the folder before into the folder after. */
async function checkedChanges(change: () => void): Promise<TreeChanges> {
  const trees = await FolderTrees.open(folder, join(root, 'kept'))
  const from = (await trees?.take()) ?? ''
  const [worktree, indexed] = [join(root, 'worktree'), join(root, 'indexed')]
  // Names need not be UTF-8.
  for (const copy of [worktree, indexed]) execFileSync('cp', ['-a', folder, copy])
  change()
  const to = (await trees?.take()) ?? ''
  const changes = await trees?.changes(from, to)
  if (!changes) throw new Error('no changes')
  expect(changes.isCut).toBe(false)
  // As the page copies it.
  const patch = new TextDecoder().decode(new TextEncoder().encode(changes.patch))
  expect(patch).toBe(changes.patch)
  git(worktree, ['apply', '--check'], patch)
  git(worktree, ['apply'], patch)
  expect(treeOf(worktree)).toEqual(treeOf(folder))
  git(indexed, ['add', '-A'])
  git(indexed, ['apply', '--check', '--index'], patch)
  git(indexed, ['apply', '--index'], patch)
  expect(treeOf(indexed)).toEqual(treeOf(folder))
  // Submodules and modes too.
  expect(git(indexed, ['write-tree']).trim()).toBe(to)
  return changes
}

const filesIn = ({ files }: TreeChanges): string[] =>
  files.map(({ kind, path, formerPath }) => `${kind} ${formerPath === null ? '' : `${formerPath} → `}${path}`)

interface Case {
  readonly name: string
  readonly before?: () => void
  readonly change: () => void
  readonly files: readonly string[]
}

const cases: readonly Case[] = [
  {
    name: 'a rename',
    before: () => write('a.txt', lines(20)),
    change: () => move('a.txt', 'b.txt'),
    files: ['renamed a.txt → b.txt']
  },
  {
    name: 'a rename with a change',
    before: () => write('a.txt', lines(20)),
    change: () => {
      move('a.txt', 'b.txt')
      write('b.txt', `first\n${lines(20)}`)
    },
    files: ['renamed a.txt → b.txt']
  },
  {
    name: 'a rename with another mode',
    before: () => write('a.sh', lines(20)),
    change: () => {
      move('a.sh', 'b.sh')
      chmodSync(join(folder, 'b.sh'), 0o755)
    },
    files: ['renamed a.sh → b.sh']
  },
  {
    name: 'a new binary file',
    change: () => write('a.png', noise(5000)),
    files: ['added a.png']
  },
  {
    name: 'a changed binary file',
    before: () => write('a.png', noise(5000)),
    change: () => write('a.png', Buffer.concat([noise(5000), noise(17)])),
    files: ['changed a.png']
  },
  {
    name: 'a renamed and changed binary file',
    before: () => write('a.png', noise(5000)),
    change: () => {
      move('a.png', 'b.png')
      write('b.png', Buffer.concat([noise(5000), noise(17)]))
    },
    files: ['renamed a.png → b.png']
  },
  {
    name: 'a deleted binary file',
    before: () => write('a.png', noise(5000)),
    change: () => remove('a.png'),
    files: ['deleted a.png']
  },
  {
    name: 'a text that becomes binary, and back',
    before: () => {
      write('a', lines(20))
      write('b', noise(100))
    },
    change: () => {
      write('a', noise(100))
      write('b', lines(20))
    },
    files: ['changed a', 'changed b']
  },
  {
    name: 'a mode',
    before: () => write('run.sh', 'true\n'),
    change: () => chmodSync(join(folder, 'run.sh'), 0o755),
    files: ['changed run.sh']
  },
  {
    name: 'a mode with a change',
    before: () => write('run.sh', 'true\n'),
    change: () => {
      write('run.sh', 'false\n')
      chmodSync(join(folder, 'run.sh'), 0o755)
    },
    files: ['changed run.sh']
  },
  {
    name: 'a new link, a changed one, a deleted one',
    before: () => {
      symlinkSync('nowhere', at('changed'))
      symlinkSync('nowhere', at('deleted'))
    },
    change: () => {
      symlinkSync('../a target', at('new'))
      remove('changed')
      symlinkSync('elsewhere', at('changed'))
      remove('deleted')
    },
    files: ['changed changed', 'deleted deleted', 'added new']
  },
  {
    name: 'a file that becomes a link, and a link that becomes a file',
    before: () => {
      write('file', lines(3))
      symlinkSync('file', at('link'))
    },
    change: () => {
      remove('file')
      remove('link')
      symlinkSync('link', at('file'))
      write('link', lines(4))
    },
    files: ['changed file', 'changed link']
  },
  {
    name: 'a link to a name that is not UTF-8',
    change: () => symlinkSync(latin('caf\xe9'), at('link')),
    files: ['added link']
  },
  {
    name: 'line ends of Windows',
    before: () => write('a.txt', lines(20, '\r\n')),
    change: () => write('a.txt', lines(20, '\r\n').replace('line 9', 'line nine')),
    files: ['changed a.txt']
  },
  {
    name: 'other line ends',
    before: () => write('a.txt', lines(20, '\r\n')),
    change: () => write('a.txt', lines(20)),
    files: ['changed a.txt']
  },
  {
    name: 'line ends of Windows without one at the end',
    before: () => write('a.txt', 'one\r\ntwo'),
    change: () => write('a.txt', 'one\r\nzwei\r\nthree'),
    files: ['changed a.txt']
  },
  {
    name: 'a single carriage return',
    before: () => write('a.txt', 'one\rtwo\nthree'),
    change: () => write('a.txt', 'one\rtwo\nthree\r'),
    files: ['changed a.txt']
  },
  {
    name: 'line ends that the repository converts',
    before: () => {
      write('.gitattributes', '* text=auto eol=crlf\n')
      write('a.txt', lines(20, '\r\n'))
    },
    change: () => write('a.txt', lines(20, '\r\n').replace('line 9', 'line nine')),
    files: ['changed a.txt']
  },
  {
    name: 'line ends that the settings convert',
    before: () => {
      git(folder, ['config', 'core.autocrlf', 'true'])
      write('a.txt', lines(20, '\r\n'))
      git(folder, ['add', '.'])
    },
    change: () => write('a.txt', lines(20, '\r\n').replace('line 9', 'line nine')),
    files: ['changed a.txt']
  },
  {
    name: 'an empty file: new, deleted, filled and emptied',
    before: () => {
      for (const name of ['deleted', 'filled']) write(name, '')
      write('emptied', 'x\n')
    },
    change: () => {
      write('new', '')
      remove('deleted')
      write('filled', 'y\n')
      write('emptied', '')
    },
    files: ['deleted deleted', 'changed emptied', 'changed filled', 'added new']
  },
  {
    name: 'a last line without an end: before, after, and both',
    before: () => {
      write('a', 'one\ntwo')
      write('b', 'one\ntwo\n')
      write('c', 'one\ntwo')
    },
    change: () => {
      write('a', 'one\ntwo\n')
      write('b', 'one\ntwo')
      write('c', 'one\nzwei')
    },
    files: ['changed a', 'changed b', 'changed c']
  },
  {
    name: 'Unicode in names and texts',
    before: () => write('żółć 日本.txt', 'Grüße\n👩‍👩‍👧\n'),
    change: () => {
      write('żółć 日本.txt', 'Grüße\u2028\ufeff\n👩‍👩‍👧 é\n')
      write('👍.txt', 'x\n')
    },
    files: ['changed żółć 日本.txt', 'added 👍.txt']
  },
  {
    name: 'names with spaces, quotes, tabs, line ends and backslashes',
    before: () => {
      mkdirSync(join(folder, 'a b'))
      write('a b/old b', lines(20))
      for (const name of ['two  words', '"quoted"', 'tab\there', 'line\nend', 'back\\slash', ' edge '])
        write(name, 'x\n')
    },
    change: () => {
      move('a b/old b', 'a b/new\t"b"')
      for (const name of ['two  words', '"quoted"', 'tab\there', 'line\nend', 'back\\slash', ' edge '])
        write(name, 'y\n')
    },
    files: [
      'changed  edge ',
      'changed "quoted"',
      'renamed a b/old b → a b/new\t"b"',
      'changed back\\slash',
      'changed line\nend',
      'changed tab\there',
      'changed two  words'
    ]
  },
  {
    name: 'names and texts that are not UTF-8',
    before: () => {
      write(latin('caf\xe9.txt'), latin('d\xe9j\xe0\nvu\n'))
      write('plain.txt', 'one\n')
      write('latin.txt', latin('\xe9\n'.repeat(30)))
    },
    change: () => {
      write(latin('caf\xe9.txt'), latin('d\xe9j\xe0\nentendu\n'))
      write('plain.txt', 'two\n')
      move('latin.txt', latin('moved\xff.txt'))
      write(latin('moved\xff.txt'), latin(`${'\xe9\n'.repeat(30)}\xfe`))
    },
    files: ['changed caf\ufffd.txt', 'renamed latin.txt → moved\ufffd.txt', 'changed plain.txt']
  },
  {
    name: 'a submodule: new, with another commit, and removed',
    before: () => {
      commitIn('inner-changed', 'one\n')
      commitIn('inner-removed', 'one\n')
    },
    change: () => {
      commitIn('inner-changed', 'two\n')
      commitIn('inner-new', 'three\n')
      remove('inner-removed')
    },
    files: ['changed inner-changed', 'added inner-new', 'deleted inner-removed']
  },
  {
    name: 'deleted files, and a folder in the place of a file',
    before: () => {
      mkdirSync(join(folder, 'src/deep'), { recursive: true })
      write('src/deep/a.txt', 'only here\n')
      write('place', 'a file\n')
    },
    change: () => {
      remove('src')
      remove('place')
      mkdirSync(join(folder, 'place'))
      write('place/b.txt', 'another text\n')
    },
    files: ['deleted place', 'added place/b.txt', 'deleted src/deep/a.txt']
  },
  {
    name: 'texts that look like parts of a patch',
    before: () => write('a.patch', 'diff --git a/x b/x\n-- \n--- a/x\n+++ b/x\n'),
    change: () => write('a.patch', 'diff --git a/x b/x\nBinary files a and b differ\n+++ b/x\n\ndiff --git a/y b/y'),
    files: ['changed a.patch']
  }
]

describe.skipIf(!hasGit)('a patch of', () => {
  test.each(cases)('$name makes the same tree', async ({ before, change, files }) => {
    before?.()
    expect(filesIn(await checkedChanges(change))).toEqual(files)
  })

  test('all of these at once makes the same tree', async () => {
    // Settings of the whole repository are left to their own cases.
    const together = cases.filter(({ name }) => !name.includes('convert'))
    const each = (step: 'before' | 'change'): void => {
      const whole = folder
      for (const [place, one] of together.entries()) {
        folder = join(whole, `part ${place}`)
        mkdirSync(folder, { recursive: true })
        one[step]?.()
      }
      folder = whole
    }
    each('before')
    const { files } = await checkedChanges(() => each('change'))
    expect(files.length).toBeGreaterThan(40)
  })
})

test.skipIf(!hasGit)('a file that is too long for the patch is missing in it, and the rest applies', async () => {
  const trees = await FolderTrees.open(folder, join(root, 'kept'))
  const from = (await trees?.take()) ?? ''
  write('a.txt', 'first\n')
  write('b.txt', lines(300_000))
  write('c.txt', 'last\n')
  const changes = await trees?.changes(from, (await trees.take()) ?? '')
  expect(changes?.files.map(({ path, addedLines }) => [path, addedLines])).toEqual([
    ['a.txt', 1],
    ['b.txt', 300_000],
    ['c.txt', 1]
  ])
  expect(changes?.isCut).toBe(true)
  for (const name of ['a.txt', 'b.txt', 'c.txt']) remove(name)
  git(folder, ['apply'], changes?.patch)
  expect(treeOf(folder).map((file) => file.slice(0, 5))).toEqual(['a.txt', 'c.txt'])
})
