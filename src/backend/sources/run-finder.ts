import { headBytes, headOf } from '#core/formats/head.ts'
import { HostError } from '#contract/host-error.ts'
import { chooseFormat } from './choose-format.ts'
import type { FewDescriptors } from './few-descriptors.ts'
import { fileError } from './log-file.ts'
import type { LogSource } from './log-source.ts'
import { type FoundRun, RunFiles } from './run-files.ts'

/** Finds out what a run consists of, again and again: each time only what is new is looked at. */
export class RunFinder {
  readonly #main: LogSource
  readonly #wanted: string | null
  readonly #files: RunFiles | null
  /** Of the main file, when it was last looked at; only as long as its head may still change. */
  #headBytes = -1

  /** `format`: an id that overrides detection; `single`: the other files are left alone, else they are opened with `few`. */
  constructor(
    main: LogSource,
    { format, single }: { readonly format: string | null; readonly single: boolean },
    few: FewDescriptors
  ) {
    this.#main = main
    this.#wanted = format
    this.#files = single ? null : new RunFiles(main, few)
  }

  /** Absolute paths of the folders that were looked into last; some may not exist. */
  get folders(): readonly string[] {
    return this.#files?.folders ?? []
  }

  /** Throws a `HostError` if the main file cannot be read or the wanted format is none. */
  async find(): Promise<FoundRun> {
    const bytes = await firstChunk(this.#main)
    const head = headOf(this.#main.name, bytes)
    const chosen = chooseFormat(head, this.#wanted)
    this.#headBytes = bytes.length
    const beside = (await this.#files?.find(head, chosen.format)) ?? { files: [], notes: [], unread: [] }
    const { mixed } = chosen
    return { chosen, ...beside, notes: mixed === null ? beside.notes : [mixed, ...beside.notes] }
  }

  /** Whether `find` may find something else than the last time: a few questions to the file system, nothing is opened. Never rejects. */
  async mayDiffer(): Promise<boolean> {
    if (this.headMayChange) {
      const bytes = await this.#main.size().catch(() => this.#headBytes)
      if (Math.min(bytes, headBytes + 1) !== this.#headBytes) return true
    }
    return (await this.#files?.mayDiffer()) ?? false
  }

  /** As `RunFiles.wantedOf`, once `find` was called. */
  async wantedOf(paths: readonly string[]): Promise<string[]> {
    return (await this.#files?.wantedOf(paths)) ?? []
  }

  /** Something of the run has not said yet what it is. */
  get waits(): boolean {
    return this.headMayChange || (this.#files?.waits ?? false)
  }

  /** The main file is still so short that what is added to it may say more about the run. */
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
    // A log that cannot be read to the end of its head is shown as far as it goes.
    if (!(error instanceof HostError)) throw fileError(source.path, error)
  }
  return Buffer.concat(chunks)
}
