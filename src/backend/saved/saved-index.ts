import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { FoldedLines } from '#core/formats/folded-lines.ts'
import type { Decoded } from '#core/formats/log-format.ts'
import type { Interrupted } from '#core/formats/run-reader.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { indexClasses } from '#core/state/index-classes.ts'
import { forkState } from '#core/state/fork-state.ts'
import { restoreState, saveState } from '#core/state/saved-state.ts'
import type { Run, RunOptions } from '../sources/run.ts'
import type { CacheFolder } from './cache-folder.ts'
import { SavedFile, savedFiles } from './saved-files.ts'
import { readLabel, readState, stateBytes } from './state-file.ts'

/** Identifies an index. It is used only if all of this matches. */
const Label = z.object({
  /** The version of the code. */
  model: z.string(),
  format: z.string().nullable(),
  files: z.array(SavedFile)
})
type Label = z.infer<typeof Label>

/** The saved state. The checksum and the classes of the state cover what is inside `foldedLines`. */
const Saved = z.object({
  foldedLines: z.custom<FoldedLines<Decoded, RunIndex>>((value) => {
    return value instanceof FoldedLines && value.sink instanceof RunIndex
  }),
  positions: z.array(
    z.object({ line: z.int(), offset: z.int(), clock: z.number().or(z.literal(-Infinity)).nullable() })
  )
})
type Saved = Interrupted<Decoded, RunIndex>

/** Saved indexes of logs, so that an unchanged or grown log opens at once. On any error the log is read from its beginning. */
export class SavedIndexes {
  readonly #cache: CacheFolder
  readonly #model: string

  /** `model` changes with the code that makes or reads an index. */
  constructor(cache: CacheFolder, model: string) {
    this.#cache = cache
    this.#model = model
  }

  /** The saved index of the run; null: none, or it does not match. */
  async load(run: Run, options: RunOptions): Promise<Interrupted<Decoded, RunIndex> | null> {
    const file = await this.#cache.open(nameOf(run, options))
    if (file === null) return null
    try {
      const label = Label.parse(await readLabel(file))
      if (label.model !== this.#model || label.format !== run.chosen.format.id) return null
      if (!(await isOf(run, label.files))) return null
      const state = Saved.parse(restoreState(await readState(file), indexClasses(run.chosen.format)))
      const offsets = state.positions.map(({ offset }) => offset)
      return isDeepStrictEqual(
        offsets,
        label.files.map(({ indexed }) => indexed)
      )
        ? state
        : null
    } catch {
      // Another version, truncated or damaged.
      return null
    } finally {
      await file.close()
    }
  }

  /** Of a reader without a waiting line. `isUnchanged`: the files still have the bytes that were read. False: failed. */
  async save(
    run: Run,
    options: RunOptions,
    { foldedLines, positions }: Saved,
    isUnchanged: () => Promise<boolean>
  ): Promise<boolean> {
    try {
      // Before any await, as the reader continues.
      const state: Saved = { foldedLines: forkState(foldedLines), positions }
      const files = await savedFiles(run, (i) => positions[i]?.offset ?? 0)
      // After the samples: these must match the index.
      if (!(await isUnchanged())) return false
      const label: Label = { model: this.#model, format: run.chosen.format.id, files }
      const bytes = stateBytes(label, saveState(state, indexClasses(run.chosen.format)))
      return await this.#cache.write(nameOf(run, options), bytes)
    } catch {
      // The text exceeds a string, or a file is unreadable.
      return false
    }
  }
}

/** The version of a thread's code: the hash of its file, which includes the hashed names of further files. */
export function modelOf(code: Uint8Array): string {
  return createHash('sha256').update(code).digest('base64url')
}

function nameOf({ main }: Run, { format }: RunOptions): string {
  const key = JSON.stringify([main.source.path, format])
  return `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.index`
}

/** Whether the files of a run are these, and still begin with what was read. */
async function isOf(run: Run, saved: readonly SavedFile[]): Promise<boolean> {
  if (saved.length !== run.files.length) return false
  const now = await savedFiles(run, (i) => saved[i]?.indexed ?? 0)
  return now.every((file, i) => {
    const then = saved[i]
    if (then === undefined || file.bytes < then.bytes || file.indexed > file.bytes) return false
    // Modified without a change of size.
    if (file.bytes === then.bytes && file.modified !== then.modified) return false
    return isDeepStrictEqual({ ...file, bytes: 0, modified: '' }, { ...then, bytes: 0, modified: '' })
  })
}
