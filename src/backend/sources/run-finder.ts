import { headBytes, headOf } from '#core/formats/head.ts'
import { HostError } from '#contract/host-error.ts'
import { chooseFormat } from './choose-format.ts'
import type { DescriptorPool } from './descriptor-pool.ts'
import { fileError } from './log-file.ts'
import type { LogSource } from './log-source.ts'
import { type FoundRun, RunFiles, type ParentsOf } from './run-files.ts'

export interface FinderOptions {
  /** A format id that overrides detection. */
  readonly format: string | null
  /** Ignore the other files of the session. */
  readonly single: boolean
  /** So that files of other sessions need not be opened. */
  readonly parentsOf?: ParentsOf
}

/** Finds the files of a session, repeatedly; only changes are read again. */
export class RunFinder {
  readonly #main: LogSource
  readonly #wanted: string | null
  readonly #files: RunFiles | null
  /** Bytes of the main file's head at the last search, while more may follow. */
  #headBytes = -1

  /** Other files are opened with `pool`. */
  constructor(main: LogSource, { format, single, parentsOf }: FinderOptions, pool: DescriptorPool) {
    this.#main = main
    this.#wanted = format
    this.#files = single ? null : new RunFiles(main, pool, parentsOf)
  }

  /** Absolute paths of the folders of the last search; some may not exist. */
  get folders(): readonly string[] {
    return this.#files?.folders ?? []
  }

  /** Throws a `HostError` if the main file is unreadable, or for an unknown format. */
  async find(): Promise<FoundRun> {
    const bytes = await firstChunk(this.#main)
    const head = headOf(this.#main.name, bytes)
    const chosen = chooseFormat(head, this.#wanted)
    this.#headBytes = bytes.length
    const beside = (await this.#files?.find(head, chosen.format)) ?? { files: [], notes: [], unread: [] }
    const { mixed } = chosen
    return { chosen, ...beside, notes: mixed === null ? beside.notes : [mixed, ...beside.notes] }
  }

  /** Whether `find` may have another result. Opens no file, never rejects. */
  async mayDiffer(): Promise<boolean> {
    if (this.headMayChange) {
      const bytes = await this.#main.size().catch(() => this.#headBytes)
      if (Math.min(bytes, headBytes + 1) !== this.#headBytes) return true
    }
    return (await this.#files?.mayDiffer()) ?? false
  }

  /** See `RunFiles.wantedOf`; after `find`. */
  async wantedOf(paths: readonly string[]): Promise<string[]> {
    return (await this.#files?.wantedOf(paths)) ?? []
  }

  /** A file's identity is not known yet. */
  get hasUndecided(): boolean {
    return this.headMayChange || (this.#files?.hasUndecided ?? false)
  }

  /** The main file is shorter than a head, so additions may change what is known of the session. */
  get headMayChange(): boolean {
    return this.#headBytes <= headBytes && !this.#main.packed
  }
}

async function firstChunk(source: LogSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of source.chunks({ to: headBytes + 1, chunkBytes: headBytes + 1 }))
      chunks.push(Buffer.from(chunk))
  } catch (error) {
    // A log that is damaged within its head is shown up to the damage.
    if (!(error instanceof HostError)) throw fileError(source.path, error)
  }
  return Buffer.concat(chunks)
}
