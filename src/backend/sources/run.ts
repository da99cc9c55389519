import { dirname, join } from 'node:path'
import { decodeLine, type DecodeLine } from '#core/formats/decode-line.ts'
import type { LineSink } from '#core/formats/line-folder.ts'
import type { Decoded, Framing, LogFormat } from '#core/formats/log-format.ts'
import { type Interrupted, RunReader, type RunSource } from '#core/formats/run-reader.ts'
import { HostError } from '#contract/host-error.ts'
import type { ChosenFormat } from './choose-format.ts'
import { FewDescriptors } from './few-descriptors.ts'
import { lineText } from './line-text.ts'
import { fileError } from './log-file.ts'
import type { LogSource } from './log-source.ts'
import { openLog } from './open-log.ts'
import { type FoundRun, severalAtOnce, summaryOf, Unreadable } from './run-files.ts'
import { RunFinder } from './run-finder.ts'
import { slicesOf } from './slices.ts'

/** One read of the main file, and of one of the many others. */
const mainChunk = 1 << 20
const otherChunk = 1 << 16

const decode: DecodeLine = (format, line, framing) => decodeLine(format, line, framing, lineText)

/** What is read as one: a log alone, or with the files of its subagents. */
export interface RunOptions {
  readonly path: string
  /** A format id that overrides detection. */
  readonly format: string | null
  /** The other files of the run are left alone. */
  readonly single: boolean
}

/** A file of an open run. */
export interface OpenFile {
  /** Relative to the main file's folder; undefined for the main file itself. */
  readonly name: string | undefined
  readonly source: LogSource
  /** Bytes given to the reader so far. */
  bytesRead: number
}

/** A run whose files are open: the main one all the time, the others while they are read. Nothing is written to any of them. */
export class Run {
  readonly chosen: ChosenFormat
  /** The main file first. */
  readonly files: readonly OpenFile[]
  /** What the run was found to consist of. A file that could not be opened after all is not among `files`. */
  readonly found: FoundRun
  /** Finds out what it consists of now. */
  readonly finder: RunFinder
  readonly #sources: readonly RunSource[]
  readonly #unread: Unreadable[]

  private constructor(
    finder: RunFinder,
    found: FoundRun,
    files: readonly OpenFile[],
    sources: readonly RunSource[],
    unread: Unreadable[]
  ) {
    this.finder = finder
    this.found = found
    this.chosen = found.chosen
    this.files = files
    this.#sources = sources
    this.#unread = unread
  }

  /** Throws a `HostError` if the main file cannot be opened or `format` is none. Another file that cannot is left out, with a note. */
  static async open(options: RunOptions): Promise<Run> {
    const main = await openLog(options.path)
    const files: OpenFile[] = [{ name: undefined, source: main, bytesRead: 0 }]
    try {
      // A run may have hundreds of files.
      const few = new FewDescriptors()
      const finder = new RunFinder(main, options, few)
      const found = await finder.find()
      const unread: Unreadable[] = []
      const sources: RunSource[] = []
      const opened = await severalAtOnce(found.files, ({ name }) => openBeside(main, name, few))
      for (const [i, source] of found.files.entries()) {
        const beside = opened[i]
        if (beside instanceof Unreadable) unread.push(beside)
        else if (beside) {
          files.push({ name: source.name, source: beside, bytesRead: 0 })
          sources.push(source)
        }
      }
      return new Run(finder, found, files, sources, unread)
    } catch (error) {
      await Promise.all(files.map(({ source }) => source.close()))
      throw error
    }
  }

  get format(): LogFormat {
    return this.chosen.format
  }

  get main(): OpenFile {
    return this.files[0] as OpenFile
  }

  /** What there is to say about files that are not shown, or not whole. */
  get notes(): readonly string[] {
    return [...this.found.notes, ...summaryOf(this.unread)]
  }

  /** The files that could not be read, or not to their ends. */
  get unread(): readonly Unreadable[] {
    return [...this.found.unread, ...this.#unread]
  }

  framingOf(file: string | undefined): Framing {
    const { framing } = this.#sources.find(({ name }) => name === file) ?? this.chosen
    return framing
  }

  /** `from`: where its lines go, or what another reader of the same files was interrupted with, which is gone on from. */
  reader<S extends LineSink>(from: S | Interrupted<Decoded, S>): RunReader<Decoded, S> {
    if ('positions' in from) {
      for (const [i, file] of this.files.entries()) file.bytesRead = from.positions[i]?.offset ?? 0
    }
    const { format, framing } = this.chosen
    return new RunReader(format, from, { framing, files: this.#sources, decode })
  }

  /**
   * Gives the reader the bytes of all files in the order it asks for them, and its end; yields after each slice. Throws where the main
   * file cannot be read on: what comes before that has been read then.
   */
  async *feed(reader: RunReader): AsyncGenerator<void> {
    try {
      yield* this.#give(reader, (file) => reader.endFile(file))
    } catch (error) {
      reader.end()
      throw error
    }
    reader.end()
  }

  /** As `feed`, but the files only pause where they end now: called again, it gives what was added since. */
  async *follow(reader: RunReader): AsyncGenerator<void> {
    for (const [file, { source, bytesRead }] of this.files.entries()) {
      if ((await source.size()) > bytesRead) reader.resumeFile(file)
      else reader.pauseFile(file)
    }
    yield* this.#give(reader, (file) => reader.pauseFile(file))
  }

  async *#give(reader: RunReader, ends: (file: number) => void): AsyncGenerator<void> {
    const slices = this.files.map(({ source, bytesRead }, file) =>
      slicesOf(source, bytesRead, file === 0 ? mainChunk : otherChunk)
    )
    try {
      for (let file = reader.wanted; file !== null; file = reader.wanted) {
        const slice = await this.#next(file, slices[file])
        if (slice === null) ends(file)
        else {
          const opened = this.files[file]
          if (opened) opened.bytesRead += slice.length
          reader.push(file, slice)
        }
        yield
      }
    } finally {
      await slices[0]?.return(undefined)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.files.map(({ source }) => source.close()))
  }

  /** The next bytes of a file, null at its end. */
  async #next(file: number, slices: AsyncGenerator<Uint8Array> | undefined): Promise<Uint8Array | null> {
    try {
      const { done, value } = (await slices?.next()) ?? { done: true, value: undefined }
      return done === true ? null : value
    } catch (error) {
      const { name, source } = this.files[file] ?? this.main
      const failure = error instanceof HostError ? error : fileError(source.path, error)
      if (name === undefined) throw failure
      this.#unread.push(new Unreadable(name, failure, true))
      return null
    }
  }
}

async function openBeside(main: LogSource, name: string, few: FewDescriptors): Promise<LogSource | Unreadable> {
  try {
    return await openLog(join(dirname(main.path), name), few)
  } catch (error) {
    return new Unreadable(name, error)
  }
}
