import { spawn } from 'node:child_process'
import { copyFile, mkdir, opendir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Longer, or more bytes, and the trees of a run are given up. */
const maxMs = 5000
const maxBytes = 100_000_000
const watchMs = 200
/** Of what git prints: names of files, or a patch. */
const maxOutputBytes = 8 << 20

/** A changed file between two trees. Null: the number of lines is unknown, as for a binary file. */
interface ChangedFile {
  readonly path: string
  readonly kind: 'added' | 'deleted' | 'changed'
  readonly addedLines: number | null
  readonly removedLines: number | null
}

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
    const paths = await run(cwd, {}, ['rev-parse', '--show-toplevel', ...asked])
    const [root = '', objects = '', index = '', ignored = ''] = paths.text.split('\n').map((path) => path.trim())
    if (paths.code !== 0 || root === '' || objects === '') return null
    const absolute = (path: string): string => (path.startsWith('/') ? path : join(cwd, path))
    for (const name of ['objects', 'refs', 'info']) await mkdir(join(git, name), { recursive: true, mode: 0o700 })
    await writeFile(join(git, 'HEAD'), 'ref: refs/heads/none\n')
    // What the person ignores everywhere. To read a setting starts no program.
    const everywhere = await run(cwd, { GIT_CONFIG_GLOBAL: process.env['GIT_CONFIG_GLOBAL'] }, [
      'config',
      '--type=path',
      '--get',
      'core.excludesFile'
    ])
    const excludes = everywhere.code === 0 ? `\texcludesFile = ${JSON.stringify(everywhere.text.trim())}\n` : ''
    await writeFile(
      join(git, 'config'),
      `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n${excludes}\tquotePath = false\n`
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
    if (added !== 'added' || (await bytesBelow(join(this.#git, 'objects'))) > maxBytes) return null
    // The repository's objects are not at hand: git would renew the times of those that it meets.
    return (await this.#run(['write-tree', '--missing-ok']))?.trim() ?? null
  }

  /** What differs between two trees. Null: they cannot be read any more. */
  async changes(from: string, to: string): Promise<{ files: ChangedFile[]; patch: string; isCut: boolean } | null> {
    const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', from, to, '--']
    // The folder may be gone, as a worktree of a run that is over.
    const read = { GIT_DIR: this.#git, GIT_ALTERNATE_OBJECT_DIRECTORIES: this.objects }
    const diff = async (...how: string[]): Promise<GitEnd> => await run(this.#git, read, ['diff', ...how, ...plain])
    const names = await diff('--name-status', '-z')
    const counts = await diff('--numstat', '-z')
    const patch = await diff()
    if ([names, counts, patch].some(({ code }) => code !== 0)) return null
    const isCut = Buffer.byteLength(patch.text) >= maxOutputBytes
    return { files: changedFiles(names.text, counts.text), patch: patch.text, isCut }
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
    return (await this.#run(['update-index', '--force-remove', '-z', '--stdin'], null, names)) !== null
  }

  async #run(
    args: readonly string[],
    printed: ((chunk: Buffer) => void) | null = null,
    input: Buffer | null = null
  ): Promise<string | null> {
    const { code, text } = await this.#gitDoes(args, printed, input)
    return code === 0 ? text : null
  }

  async #gitDoes(
    args: readonly string[],
    printed: ((chunk: Buffer) => void) | null = null,
    input: Buffer | null = null
  ): Promise<GitEnd> {
    const growing = join(this.#git, 'objects')
    return await run(this.#root, this.#variables, args, { growing, printed, input })
  }
}

const kinds: Readonly<Record<string, ChangedFile['kind']>> = { A: 'added', D: 'deleted' }

function changedFiles(names: string, counts: string): ChangedFile[] {
  const lines = new Map(
    counts
      .split('\0')
      .map((line) => line.split('\t'))
      .map(([added, removed, path]) => [path ?? '', { added, removed }])
  )
  const files: ChangedFile[] = []
  const parts = names.split('\0')
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const path = parts[at + 1] ?? ''
    const { added, removed } = lines.get(path) ?? {}
    const count = (text: string | undefined): number | null =>
      text === undefined || !/^\d+$/.test(text) ? null : Number(text)
    files.push({
      path,
      kind: kinds[parts[at] ?? ''] ?? 'changed',
      addedLines: count(added),
      removedLines: count(removed)
    })
  }
  return files
}

interface GitOptions {
  /** A folder that git fills. */
  readonly growing: string | null
  /** Takes what git prints, which is not returned then. */
  readonly printed: ((chunk: Buffer) => void) | null
  readonly input: Buffer | null
}

/** How a git ended. */
interface GitEnd {
  /** Null: it could not be started, took too long, or filled the folder `growing`. */
  readonly code: number | null
  /** What it printed. Longer output is cut. */
  readonly text: string
}

/** `git add --ignore-errors` left something out. */
const someLeftOut = 1

/** Runs git without the settings of the person and the machine, unless `variables` name them. */
async function run(
  cwd: string,
  variables: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  { growing, printed, input }: GitOptions = { growing: null, printed: null, input: null }
): Promise<GitEnd> {
  // Settings of the person and the machine may name programs to run.
  const settings = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_OPTIONAL_LOCKS: '0' }
  const { PATH, HOME, XDG_CONFIG_HOME } = process.env
  const child = spawn('git', ['-c', 'core.fsmonitor=false', '-c', 'safe.directory=*', ...args], {
    cwd,
    env: { PATH, HOME, XDG_CONFIG_HOME, LC_ALL: 'C', ...settings, ...variables },
    stdio: ['pipe', 'pipe', 'ignore']
  })
  // It may end before it has read all.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? undefined)
  const chunks: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    if (printed !== null) return printed(chunk)
    if (bytes < maxOutputBytes) chunks.push(chunk)
    bytes += chunk.length
  })
  let isGivenUp = false
  const giveUp = (): void => {
    isGivenUp = true
    child.kill('SIGKILL')
  }
  const timer = setTimeout(giveUp, maxMs)
  const watch = setInterval(() => {
    if (growing !== null) void bytesBelow(growing).then((all) => all > maxBytes && giveUp())
  }, watchMs)
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', (exit) => resolve(exit))
  })
  clearTimeout(timer)
  clearInterval(watch)
  return { code: isGivenUp ? null : code, text: Buffer.concat(chunks).subarray(0, maxOutputBytes).toString() }
}

/** Bytes of the files in a folder, as far as they can be read. */
async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
      if (bytes > maxBytes) break
    }
  } catch {
    // It does not exist yet.
  }
  return bytes
}
