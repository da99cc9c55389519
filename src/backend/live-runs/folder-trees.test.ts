import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { git as gitIn, hasGit } from '../../../test/git.ts'
import { newFolder } from '../../../test/run-processes.ts'
import { FolderTrees } from './folder-trees.ts'

let repository = ''
let kept = ''
beforeEach(() => {
  const folder = newFolder()
  repository = join(folder, 'work')
  kept = join(folder, 'kept')
  mkdirSync(join(repository, 'src'), { recursive: true })
})
afterEach(() => vi.unstubAllEnvs())

const git = (...args: string[]): string => gitIn(repository, args)

function write(path: string, text: string): void {
  writeFileSync(join(repository, path), text)
}

/** Every file of the repository's own folder, with its bytes and time. */
function ownFiles(): string[] {
  const own = join(repository, '.git')
  return readdirSync(own, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${statSync(path).mtimeMs} ${readFileSync(path).toString('base64')}`)
    .sort()
}

test.skipIf(!hasGit)('tells what changed, untracked files included, and leaves the repository as it is', async () => {
  git('init', '-q')
  write('a.txt', 'one\ntwo\n')
  write('gone.txt', 'x\n')
  write('.gitignore', 'ignored.txt\n')
  git('add', '-A')
  git('commit', '-qm', 'first')
  write('before.txt', 'untracked before the run\n')
  const before = ownFiles()
  const trees = await FolderTrees.open(repository, kept)
  const from = await trees?.take()
  write('a.txt', 'one\n2\nthree\n')
  write('src/wörd "new".ts', 'export {}\n')
  write('ignored.txt', 'secret\n')
  writeFileSync(join(repository, 'image.bin'), Buffer.from([0, 1, 2, 0]))
  rmSync(join(repository, 'gone.txt'))
  const to = await trees?.take()
  const changes = await trees?.changes(from ?? '', to ?? '')
  expect(changes?.files).toEqual([
    { path: 'a.txt', kind: 'changed', formerPath: null, addedLines: 2, removedLines: 1 },
    { path: 'gone.txt', kind: 'deleted', formerPath: null, addedLines: 0, removedLines: 1 },
    { path: 'image.bin', kind: 'added', formerPath: null, addedLines: null, removedLines: null },
    { path: 'src/wörd "new".ts', kind: 'added', formerPath: null, addedLines: 1, removedLines: 0 }
  ])
  expect(changes?.patch).toContain('-two\n+2\n+three\n')
  expect(changes?.patch).not.toContain('secret')
  expect(ownFiles()).toEqual(before)
})

test.skipIf(!hasGit)('runs no program that the repository names', async () => {
  git('init', '-q')
  const ran = join(repository, '../ran')
  const script = join(repository, 'evil.sh')
  write('evil.sh', `#!/bin/sh\ntouch '${ran}'\ncat\n`)
  chmodSync(script, 0o755)
  write('.gitattributes', '* filter=evil diff=evil\n')
  git('config', 'filter.evil.clean', script)
  git('config', 'filter.evil.process', script)
  git('config', 'diff.evil.textconv', script)
  git('config', 'diff.external', script)
  git('config', 'core.fsmonitor', script)
  git('config', 'core.hooksPath', repository)
  const trees = await FolderTrees.open(repository, kept)
  const from = await trees?.take()
  write('b.txt', 'new\n')
  const to = await trees?.take()
  expect((await trees?.changes(from ?? '', to ?? ''))?.files.map(({ path }) => path)).toEqual(['b.txt'])
  expect(existsSync(ran)).toBe(false)
})

test.skipIf(!hasGit)('runs no program that a repository inside of it names', async () => {
  git('init', '-q')
  write('a.txt', 'x\n')
  git('add', '-A')
  git('commit', '-qm', 'first')
  const ran = join(repository, '../ran')
  const script = join(repository, '../evil.sh')
  writeFileSync(script, `#!/bin/sh\ntouch '${ran}'\ncat\n`)
  chmodSync(script, 0o755)
  const inner = join(repository, 'inner')
  git('init', '-q', 'inner')
  write('inner/.gitattributes', '* filter=evil\n')
  write('inner/b.txt', 'x\n')
  git('-C', inner, 'add', '-A')
  git('-C', inner, 'commit', '-qm', 'first')
  git('-C', inner, 'config', 'filter.evil.clean', script)
  git('-C', inner, 'config', 'core.fsmonitor', script)
  // Its state must be looked at.
  utimesSync(join(inner, 'b.txt'), 1, 1)
  const trees = await FolderTrees.open(repository, kept)
  const from = await trees?.take()
  write('a.txt', 'y\n')
  const to = await trees?.take()
  expect((await trees?.changes(from ?? '', to ?? ''))?.files.map(({ path }) => path)).toEqual(['a.txt'])
  expect(existsSync(ran)).toBe(false)
})

test.skipIf(!hasGit)('a folder that is named by a symbolic link has trees', async () => {
  git('init', '-q')
  const link = join(repository, '../link')
  symlinkSync(join(repository, 'src'), link)
  const trees = await FolderTrees.open(link, kept)
  const from = await trees?.take()
  write('src/a.txt', 'x\n')
  const to = await trees?.take()
  expect((await trees?.changes(from ?? '', to ?? ''))?.files.map(({ path }) => path)).toEqual(['src/a.txt'])
})

test.skipIf(!hasGit)('of a folder below the root, only that folder is looked at', async () => {
  git('init', '-q')
  const trees = await FolderTrees.open(join(repository, 'src'), kept)
  const from = await trees?.take()
  write('outside.txt', 'x\n')
  write('src/inside.txt', 'x\n')
  const to = await trees?.take()
  expect((await trees?.changes(from ?? '', to ?? ''))?.files.map(({ path }) => path)).toEqual(['src/inside.txt'])
})

test.skipIf(!hasGit)('trees are read again by their ids', async () => {
  git('init', '-q')
  const trees = await FolderTrees.open(repository, kept)
  const from = (await trees?.take()) ?? ''
  write('a.txt', 'x\n')
  const to = (await trees?.take()) ?? ''
  const again = FolderTrees.again(kept, { root: trees?.root ?? '', objects: trees?.objects ?? '' })
  expect((await again.changes(from, to))?.files).toHaveLength(1)
  expect(await again.changes(from, 'f'.repeat(40))).toBe(null)
})

test.skipIf(!hasGit)('a folder in no repository has no trees', async () => {
  expect(await FolderTrees.open(repository, kept)).toBe(null)
  expect(existsSync(kept)).toBe(false)
})

test.skipIf(!hasGit)('a repository without a commit inside the folder is left out, and the rest is told', async () => {
  git('init', '-q')
  git('init', '-q', 'src/inner')
  write('src/inner/a.txt', 'x\n')
  const trees = await FolderTrees.open(repository, kept)
  const from = (await trees?.take()) ?? ''
  write('b.txt', 'x\n')
  const to = (await trees?.take()) ?? ''
  expect((await trees?.changes(from, to))?.files.map(({ path }) => path)).toEqual(['b.txt'])
})

test.skipIf(!hasGit)('what the person ignores everywhere is left out', async () => {
  git('init', '-q')
  write('.git/info/exclude', 'here.txt\n')
  const personal = join(repository, '..', 'personal')
  mkdirSync(join(personal, 'git'), { recursive: true })
  writeFileSync(join(personal, 'git', 'ignore'), 'everywhere.txt\n')
  writeFileSync(join(personal, 'ignored'), 'named.txt\n')
  writeFileSync(join(personal, 'config'), `[core]\n\texcludesFile = ${join(personal, 'ignored')}\n`)
  const told = async (at: string): Promise<string[] | undefined> => {
    const trees = await FolderTrees.open(repository, join(kept, at))
    const from = (await trees?.take()) ?? ''
    for (const name of ['here', 'everywhere', 'named', at]) write(`${name}.txt`, `${at}\n`)
    const to = (await trees?.take()) ?? ''
    return (await trees?.changes(from, to))?.files.map(({ path }) => path)
  }
  vi.stubEnv('XDG_CONFIG_HOME', personal)
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(personal, 'none'))
  expect(await told('one')).toEqual(['named.txt', 'one.txt'])
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(personal, 'config'))
  expect(await told('two')).toEqual(['everywhere.txt', 'two.txt'])
})

test.skipIf(!hasGit)('is still told when the folder is gone: a worktree that was removed', async () => {
  git('init', '-q')
  write('a.txt', 'one\n')
  git('add', '.')
  git('commit', '-qm', 'one')
  const worktree = join(repository, '..', 'worktree')
  git('worktree', 'add', '-q', worktree)
  const trees = await FolderTrees.open(worktree, kept)
  const from = (await trees?.take()) ?? ''
  writeFileSync(join(worktree, 'a.txt'), 'two\n')
  const to = (await trees?.take()) ?? ''
  rmSync(worktree, { recursive: true })
  const { root = '', objects = '' } = trees ?? {}
  expect((await FolderTrees.again(kept, { root, objects }).changes(from, to))?.patch).toContain('-one\n+two\n')
})
