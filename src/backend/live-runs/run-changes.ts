import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Result } from '#contract/methods.ts'
import { HostError } from '#contract/host-error.ts'
import { writeWhole } from '../whole-file.ts'
import { FolderTrees } from './folder-trees.ts'

/** The content of `changes.json`: the trees of a run's folder, the first before the run. Null: it could not be taken. */
const ChangesFile = z.object({
  version: z.literal(1),
  root: z.string(),
  objects: z.string(),
  trees: z.array(
    z.object({
      at: z.number(),
      tree: z
        .string()
        // It becomes an argument of git.
        .regex(/^[0-9a-f]{40,64}$/)
        .nullable()
    })
  )
})

/** Names of a page's answer are not endless. */
const maxFiles = 2000

const fileOf = (folder: string): string => join(folder, 'changes.json')
const gitOf = (folder: string): string => join(folder, 'trees')

/** What changed in the folder of a run, turn by turn. Kept in the run's folder, and deleted with it. */
export class RunChanges {
  readonly #folder: string
  readonly #now: () => number
  readonly #trees: FolderTrees
  readonly #taken: z.infer<typeof ChangesFile>['trees'] = []
  #last: Promise<void> = Promise.resolve()

  private constructor(folder: string, now: () => number, trees: FolderTrees) {
    this.#folder = folder
    this.#now = now
    this.#trees = trees
  }

  /** Takes the tree before the run. Null: the folder `cwd` is in no git repository, or git is not installed. */
  static async begin(cwd: string, folder: string, now: () => number): Promise<RunChanges | null> {
    const trees = await FolderTrees.open(cwd, gitOf(folder))
    if (trees === null) return null
    const changes = new RunChanges(folder, now, trees)
    await changes.take()
    return changes
  }

  /**
   * Takes a tree: a turn is over, or the run is (`isEnd`), which counts only if something changed. After one that could not be taken, no
   * more are tried. Never rejects.
   */
  async take(isEnd = false): Promise<void> {
    this.#last = this.#last.then(async () => {
      if (this.#taken.some(({ tree }) => tree === null)) return
      const tree = await this.#trees.take()
      if (isEnd && tree === this.#taken.at(-1)?.tree) return
      this.#taken.push({ at: this.#now(), tree })
      const { root, objects } = this.#trees
      await writeWhole(fileOf(this.#folder), JSON.stringify({ version: 1, root, objects, trees: this.#taken }))
    })
    this.#last = this.#last.catch(() => {})
    await this.#last
  }
}

/** Handles `run.changes` for a run's folder, also one of another host. Throws 'unavailable'. */
export async function changesOf(folder: string, turn: number | null): Promise<Result<'run.changes'>> {
  const kept = await readFile(fileOf(folder), 'utf8').then(
    (text) => ChangesFile.parse(JSON.parse(text)),
    () => null
  )
  if (kept === null) {
    const message =
      'No changes of this run were kept. It was started without them, or its folder is in no git repository.'
    throw new HostError('unavailable', message)
  }
  const taken = kept.trees.flatMap(({ tree }) => (tree === null ? [] : [tree]))
  const isGivenUp = taken.length < kept.trees.length
  const turns = Math.max(0, taken.length - 1)
  const from = turn === null ? taken[0] : taken[turn - 1]
  const to = turn === null ? taken.at(-1) : taken[turn]
  const answer = { turns, isGivenUp, isCut: false }
  if (from === undefined || to === undefined || from === to) return { ...answer, files: [], patch: '' }
  const changes = await FolderTrees.again(gitOf(folder), kept).changes(from, to)
  if (changes === null) throw new HostError('unavailable', 'The changes of this run cannot be read any more.')
  const { files, patch, isCut } = changes
  return {
    ...answer,
    files: files.slice(0, maxFiles),
    patch,
    isCut: isCut || files.length > maxFiles
  }
}
