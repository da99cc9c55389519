import type { Result } from '#contract/methods.ts'
import { runGit } from './run-git.ts'

/** A changed file between two trees. */
type ChangedFile = Result<'run.changes'>['files'][number]

export interface TreeChanges {
  readonly files: ChangedFile[]
  /** For `git apply`. Only ASCII and whole characters: a file that is not UTF-8 is in it as a binary one. */
  readonly patch: string
  /** Files are missing in the patch, which is too long with them. */
  readonly isCut: boolean
}

interface Trees {
  /** The repository that took them. */
  readonly git: string
  /** The folder with the objects of the other repository. */
  readonly objects: string
  readonly from: string
  readonly to: string
}

const maxPatchBytes = 4_000_000
/** Renames with changes are looked for among so many files. */
const mostRenamed = 400

/** What differs between two trees. Null: they cannot be read any more. */
export async function treeChanges({ git, objects, from, to }: Trees): Promise<TreeChanges | null> {
  // The folder may be gone, as a worktree of a run that is over.
  const variables = { GIT_DIR: git, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }
  const how = [
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--find-renames',
    '--no-rename-empty',
    `-l${mostRenamed}`
  ]
  const diff = (...more: string[]): string[] => ['diff', ...how, ...more, from, to, '--']
  const list = async (what: string): Promise<string[] | null> => {
    const { code, output } = await runGit(git, variables, diff(what, '-z'))
    // Names are bytes.
    return code === 0 ? output.toString('latin1').split('\0') : null
  }
  const [names, counts] = [await list('--name-status'), await list('--numstat')]
  if (names === null || counts === null) return null
  const files = changedFiles(names, counts)
  const patchOf = async (more: readonly string[], settings: readonly string[] = []): Promise<PatchFiles | null> => {
    const parts = new PatchFiles()
    // Names that are not ASCII are quoted.
    const args = ['-c', 'core.quotePath=true', ...settings, ...diff(...more)]
    const { code } = await runGit(git, variables, args, { printed: (chunk) => parts.push(chunk) })
    parts.end()
    return code === 0 ? parts : null
  }
  // To pack much of what is binary takes too long.
  const patch = (await patchOf(['--binary'])) ?? (await patchOf([])) ?? new PatchFiles()
  // A text in another encoding would not survive as a string. As a binary file it does.
  const binary = patch.parts.some(isOther) ? await patchOf(['--binary'], ['-c', 'diff.default.binary=true']) : null
  let left = maxPatchBytes
  const parts: string[] = []
  for (const [at, text] of patch.parts.entries()) {
    const part = isOther(text) ? (binary?.parts[at] ?? null) : text
    if (part === null || part.length > left || part.includes(unpacked)) continue
    left -= part.length
    parts.push(part.toString())
  }
  return { files, patch: parts.join(''), isCut: parts.length === 0 || parts.length < patch.parts.length }
}

/** A binary file without its content. Lines of a text begin with another character. */
const unpacked = '\nBinary files '
const utf8 = new TextDecoder('utf-8', { fatal: true })

function isOther(part: Buffer | null): boolean {
  if (part === null) return false
  try {
    utf8.decode(part)
    return false
  } catch {
    return true
  }
}

const fileHead = Buffer.from('\ndiff --git ')

/** Cuts a patch of git into its files. */
class PatchFiles {
  /** Null: it is too long. */
  readonly parts: (Buffer | null)[] = []
  #chunks: Buffer[] = []
  #length = 0
  /** The end of what was read, which may be the beginning of a head. */
  #rest = Buffer.alloc(0)

  push(chunk: Buffer): void {
    let bytes = Buffer.concat([this.#rest, chunk])
    for (let at = bytes.indexOf(fileHead); at >= 0; at = bytes.indexOf(fileHead)) {
      this.#add(bytes.subarray(0, at + 1))
      this.#endFile()
      bytes = bytes.subarray(at + 1)
    }
    const kept = Math.max(0, bytes.length - fileHead.length)
    this.#add(bytes.subarray(0, kept))
    this.#rest = bytes.subarray(kept)
  }

  end(): void {
    this.#add(this.#rest)
    if (this.#length > 0) this.#endFile()
  }

  #add(bytes: Buffer): void {
    this.#length += bytes.length
    if (this.#length > maxPatchBytes) this.#chunks = []
    else this.#chunks.push(bytes)
  }

  #endFile(): void {
    this.parts.push(this.#length > maxPatchBytes ? null : Buffer.concat(this.#chunks))
    this.#chunks = []
    this.#length = 0
  }
}

const kinds: Readonly<Record<string, ChangedFile['kind']>> = { A: 'added', D: 'deleted', R: 'renamed' }

/** From the entries of `--name-status` and `--numstat`. */
function changedFiles(names: readonly string[], counts: readonly string[]): ChangedFile[] {
  const lines = new Map<string, readonly [added: string, removed: string]>()
  for (let at = 0; at < counts.length; at++) {
    const [added = '', removed = '', path = ''] = counts[at]?.split(/\t(.*?)\t/s) ?? []
    // Of a rename, the two paths are entries of their own.
    lines.set(path === '' ? (counts[(at += 2)] ?? '') : path, [added, removed])
  }
  const files: ChangedFile[] = []
  for (let at = 0; at + 1 < names.length;) {
    const kind = kinds[names[at++]?.charAt(0) ?? ''] ?? 'changed'
    const formerPath = kind === 'renamed' ? pathOf(names[at++]) : null
    const path = names[at++] ?? ''
    const [added, removed] = lines.get(path) ?? []
    files.push({ path: pathOf(path), kind, formerPath, addedLines: linesOf(added), removedLines: linesOf(removed) })
  }
  return files
}

function pathOf(bytes = ''): string {
  return Buffer.from(bytes, 'latin1').toString()
}

function linesOf(count: string | undefined): number | null {
  return count === undefined || !/^\d+$/.test(count) ? null : Number(count)
}
