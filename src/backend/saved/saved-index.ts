import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { LineFolder } from '#core/formats/line-folder.ts'
import type { Decoded } from '#core/formats/log-format.ts'
import type { FilePosition, Interrupted } from '#core/formats/run-reader.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { indexClasses } from '#core/state/index-classes.ts'
import { forkState } from '#core/state/fork-state.ts'
import { restoreState, saveState } from '#core/state/saved-state.ts'
import type { Run, RunOptions } from '../sources/run.ts'
import type { CacheFolder } from './cache-folder.ts'
import { type SavedFile, savedFiles } from './saved-files.ts'
import { readLabel, readState, stateBytes } from './state-file.ts'

/** What an index is known by. It is used only where all of this is as it was. */
interface Label {
  /** The code that made it. */
  readonly model: string
  readonly format: string | null
  readonly files: readonly SavedFile[]
}

/** State as it is saved: a class of its own would only be in the way. */
interface Saved {
  readonly folder: LineFolder<Decoded, RunIndex>
  readonly positions: readonly FilePosition[]
}

/**
 * Indexes of logs that were read before, so that a log which is as it was, or only grew, opens at once. Whatever is wrong with one, the
 * log is read from its beginning, as if it had never been open.
 */
export class SavedIndexes {
  readonly #cache: CacheFolder
  readonly #model: string

  /** `model`: changes with any code that makes or reads an index. */
  constructor(cache: CacheFolder, model: string) {
    this.#cache = cache
    this.#model = model
  }

  /** What was kept of the run; null where there is nothing, or nothing that fits. */
  async load(run: Run, options: RunOptions): Promise<Interrupted<Decoded, RunIndex> | null> {
    const file = await this.#cache.open(nameOf(run, options))
    if (file === null) return null
    try {
      const label = (await readLabel(file)) as Label
      if (label.model !== this.#model || label.format !== run.chosen.format.id) return null
      if (!(await isOf(run, label.files))) return null
      const state = restoreState(await readState(file), indexClasses(run.chosen.format))
      return isSaved(state, label.files) ? { folder: state.folder, positions: state.positions } : null
    } catch {
      // Written by another version, cut, damaged: it is made anew.
      return null
    } finally {
      await file.close()
    }
  }

  /**
   * Keeps an index for the next time. `positions` and `folder`: a reader's, as they are now, when no line waits; `stands`: whether the
   * files still begin with what was read of them. False where it could not be kept.
   */
  async save(
    run: Run,
    options: RunOptions,
    { folder, positions }: Saved,
    stands: () => Promise<boolean>
  ): Promise<boolean> {
    try {
      // Before anything else is waited for: the reader goes on meanwhile.
      const state: Saved = { folder: forkState(folder), positions }
      const files = await savedFiles(run, (i) => positions[i]?.offset ?? 0)
      // Asked once the samples are taken: those of another content must never be kept with this index.
      if (!(await stands())) return false
      const label: Label = { model: this.#model, format: run.chosen.format.id, files }
      const bytes = stateBytes(label, saveState(state, indexClasses(run.chosen.format)))
      return await this.#cache.write(nameOf(run, options), bytes)
    } catch {
      // More text than one string holds, or a file that can no longer be read.
      return false
    }
  }
}

/** The code of a thread, by the bytes of its file: names of further files in it change with what they hold. */
export function modelOf(code: Uint8Array): string {
  return createHash('sha256').update(code).digest('base64url')
}

function nameOf({ main }: Run, { format }: RunOptions): string {
  const key = JSON.stringify([main.source.path, format])
  return `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.index`
}

/** Whether it is what `save` kept of those files. Nothing deeper is looked at: the checksum tells what was damaged. */
function isSaved(state: object, files: readonly SavedFile[]): state is Saved {
  const { folder, positions } = state as Partial<Saved>
  return (
    folder instanceof LineFolder &&
    (folder as Saved['folder']).sink instanceof RunIndex &&
    Array.isArray(positions) &&
    positions.length === files.length &&
    files.every(({ indexed }, i) => isPosition(positions[i], indexed))
  )
}

function isPosition(position: Partial<FilePosition> | null | undefined, offset: number): boolean {
  const { line, clock } = position ?? {}
  return Number.isSafeInteger(line) && position?.offset === offset && (clock === null || typeof clock === 'number')
}

/** Whether the files of a run are those, and begin with what was read of them. */
async function isOf(run: Run, saved: readonly SavedFile[]): Promise<boolean> {
  if (saved.length !== run.files.length) return false
  const now = await savedFiles(run, (i) => saved[i]?.indexed ?? 0)
  return now.every((file, i) => {
    const then = saved[i]
    if (then === undefined || file.bytes < then.bytes || file.indexed > file.bytes) return false
    // Written to and as long as before: something in it is another.
    if (file.bytes === then.bytes && file.modified !== then.modified) return false
    return isDeepStrictEqual({ ...file, bytes: 0, modified: '' }, { ...then, bytes: 0, modified: '' })
  })
}
