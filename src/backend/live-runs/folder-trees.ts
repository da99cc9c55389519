import { copyFile, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { bytesBelow, type GitEnd, maxGitBytes, runGit } from './run-git.ts'
import { type TreeChanges, treeChanges } from './tree-changes.ts'

/** `git add --ignore-errors` left something out. */
const someLeftOut = 1
const coreName = 'core.'

/**
 * Trees of a run's folder, taken with git but without touching its repository: index, objects and settings are those of a repository in the
 * run's folder, which only reads the objects of the other. So no hook, filter or file system monitor of the repository is run, which an agent
 * could have set. Files that the repository ignores are left out.
 */
export class FolderTrees {
  readonly #git: string
  readonly #variables: Readonly<Record<string, string>>
  /** The folder with the repository's objects. */
  readonly objects: string
  readonly #root: string
  /** The run's folder below the root, "" for the root itself. */
  readonly #below: string

  private constructor(git: string, root: string, cwd: string, objects: string) {
    this.#git = git
    this.#root = root
    this.#below = relative(root, cwd)
    this.objects = objects
    this.#variables = { GIT_DIR: git, GIT_WORK_TREE: root, GIT_INDEX_FILE: join(git, 'index') }
  }

  /** Prepares trees of `folder` in the folder `git`. Null: it is in no repository, or there is no git. */
  static async open(folder: string, git: string): Promise<FolderTrees | null> {
    // git states the root without symbolic links.
    const cwd = await realpath(folder).catch(() => folder)
    const asked = ['objects', 'index', 'info/exclude'].flatMap((path) => ['--git-path', path])
    const paths = await runGit(cwd, {}, ['rev-parse', '--show-toplevel', ...asked])
    const [root = '', objects = '', index = '', ignored = ''] = paths.output
      .toString()
      .split('\n')
      .map((path) => path.trim())
    if (paths.code !== 0 || root === '' || objects === '') return null
    const absolute = (path: string): string => (isAbsolute(path) ? path : join(cwd, path))
    for (const name of ['objects', 'refs', 'info']) await mkdir(join(git, name), { recursive: true, mode: 0o700 })
    await writeFile(join(git, 'HEAD'), 'ref: refs/heads/none\n')
    const setting = async (...asked: string[]): Promise<string> => {
      // The person's and the machine's too. To read a setting starts no program.
      const global = { GIT_CONFIG_GLOBAL: process.env['GIT_CONFIG_GLOBAL'], GIT_CONFIG_SYSTEM: undefined }
      const { code, output } = await runGit(cwd, global, ['config', ...asked])
      const value = output.toString().trim()
      return code === 0 && value !== '' ? `\t${asked.at(-1)?.slice(coreName.length)} = ${JSON.stringify(value)}\n` : ''
    }
    const settings = [
      // What the person ignores everywhere.
      await setting('--type=path', '--get', 'core.excludesFile'),
      // How line ends of the folder are stored. Otherwise each file that is written would differ in all of its lines.
      await setting('--get', 'core.autocrlf'),
      await setting('--get', 'core.eol')
    ]
    await writeFile(
      join(git, 'config'),
      `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n${settings.join('')}`
    )
    await copyFile(absolute(ignored), join(git, 'info', 'exclude')).catch(() => {})
    // With the index of the repository, only files that it does not know are read.
    await copyFile(absolute(index), join(git, 'index')).catch(() => {})
    return new FolderTrees(git, root, cwd, absolute(objects))
  }

  /** Goes on with trees that were taken before; `root`: of the repository. */
  static again(git: string, { root, objects }: { root: string; objects: string }): FolderTrees {
    return new FolderTrees(git, root, root, objects)
  }

  get root(): string {
    return this.#root
  }

  /** The tree of the folder as it is now. Null: it took too long, too much room, or git failed. */
  async take(): Promise<string | null> {
    let added = await this.#add()
    if (added === 'failed') {
      // An index that is split, or of a newer git, cannot be used.
      await rm(join(this.#git, 'index'), { force: true })
      added = await this.#add()
    }
    if (added !== 'added' || (await bytesBelow(join(this.#git, 'objects'))) > maxGitBytes) return null
    // The repository's objects are not at hand: git would renew the times of those that it meets.
    return (await this.#run(['write-tree', '--missing-ok']))?.trim() ?? null
  }

  /** What differs between two trees. Null: they cannot be read any more. */
  async changes(from: string, to: string): Promise<TreeChanges | null> {
    return await treeChanges({ git: this.#git, objects: this.objects, from, to })
  }

  /** A file that cannot be read, and a repository without a commit inside the folder, are left out. */
  async #add(): Promise<'added' | 'failed' | 'given up'> {
    if (!(await this.#forgetRepositories())) return 'failed'
    const path = this.#below === '' ? '.' : this.#below
    const { code } = await this.#gitDoes(['add', '-A', '--ignore-errors', '--', path])
    return code === 0 || code === someLeftOut ? 'added' : code === null ? 'given up' : 'failed'
  }

  /**
   * Takes repositories inside the folder, such as submodules, out of the index. For each that is in it, `git add` would start a git with
   * that repository's settings, which can name programs. It adds them anew without one.
   */
  async #forgetRepositories(): Promise<boolean> {
    const inner: string[] = []
    let rest = ''
    const isRead = await this.#run(['ls-files', '--stage', '-z'], (chunk) => {
      // Names are bytes.
      const entries = (rest + chunk.toString('latin1')).split('\0')
      rest = entries.pop() ?? ''
      for (const entry of entries) if (entry.startsWith('160000 ')) inner.push(entry.slice(entry.indexOf('\t') + 1))
    })
    if (isRead === null || inner.length === 0) return isRead !== null
    const names = Buffer.from(inner.map((name) => `${name}\0`).join(''), 'latin1')
    return (await this.#run(['update-index', '--force-remove', '-z', '--stdin'], undefined, names)) !== null
  }

  async #run(args: readonly string[], printed?: (chunk: Buffer) => void, input?: Buffer): Promise<string | null> {
    const { code, output } = await this.#gitDoes(args, printed, input)
    return code === 0 ? output.toString() : null
  }

  async #gitDoes(args: readonly string[], printed?: (chunk: Buffer) => void, input?: Buffer): Promise<GitEnd> {
    const growing = join(this.#git, 'objects')
    return await runGit(this.#root, this.#variables, args, { growing, printed, input })
  }
}
