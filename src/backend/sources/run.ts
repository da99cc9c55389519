import { dirname, join } from 'node:path'
import { utf8Text } from '#core/formats/decode-line.ts'
import type { LineSink } from '#core/formats/folded-lines.ts'
import type { Decoded, Framing, LogFormat } from '#core/formats/log-format.ts'
import { type Interrupted, RunReader, type RunSource } from '#core/formats/run-reader.ts'
import { HostError } from '#contract/host-error.ts'
import type { ChosenFormat } from './choose-format.ts'
import { DescriptorPool } from './descriptor-pool.ts'
import { fileError } from './log-file.ts'
import type { LogSource } from './log-source.ts'
import { openLog } from './open-log.ts'
import { type FoundRun, mapParallel, summaryOf, Unreadable } from './run-files.ts'
import { type FinderOptions, RunFinder } from './run-finder.ts'
import { isAscii, isUtf8, transcode } from 'node:buffer'

/** Bytes of a read. */
const mainChunk = 1 << 20
const otherChunk = 1 << 16

/** A log, alone or with the files of its subagents. */
export interface RunOptions extends FinderOptions {
  readonly path: string
}

export interface OpenFile {
  /** Relative to the main file's folder; undefined: the main file. */
  readonly name: string | undefined
  readonly source: LogSource
  /** Bytes passed to the reader. */
  bytesRead: number
}

/** The open files of a session: the main one stays open, the others are open during reads. Read-only. */
export class Run {
  readonly chosen: ChosenFormat
  /** The main file first. */
  readonly files: readonly OpenFile[]
  /** The result of the search. A file that failed to open is not in `files`. */
  readonly found: FoundRun
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

  /** Throws a `HostError` if the main file fails, or for an unknown format. Other files are left out, with a note. */
  static async open(options: RunOptions): Promise<Run> {
    const main = await openLog(options.path)
    const files: OpenFile[] = [{ name: undefined, source: main, bytesRead: 0 }]
    try {
      // A session may have hundreds of files.
      const pool = new DescriptorPool()
      const finder = new RunFinder(main, options, pool)
      const found = await finder.find()
      const unread: Unreadable[] = []
      const sources: RunSource[] = []
      const opened = await mapParallel(found.files, ({ name }) => openBeside(main, name, pool))
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

  /** Notes about files that are not shown, or not completely. */
  get notes(): readonly string[] {
    return [...this.found.notes, ...summaryOf(this.unread)]
  }

  /** Files that could not be read, or not completely. */
  get unread(): readonly Unreadable[] {
    return [...this.found.unread, ...this.#unread]
  }

  framingOf(file: string | undefined): Framing {
    const { framing } = this.#sources.find(({ name }) => name === file) ?? this.chosen
    return framing
  }

  /** `from`: the sink of lines, or the state of an interrupted reader of the same files, which is continued. */
  reader<S extends LineSink>(from: S | Interrupted<Decoded, S>): RunReader<Decoded, S> {
    if ('positions' in from) {
      for (const [i, file] of this.files.entries()) file.bytesRead = from.positions[i]?.offset ?? 0
    }
    const { format, framing } = this.chosen
    return new RunReader(format, from, { framing, files: this.#sources, textOf: lineText })
  }

  /** Feeds all files to the reader in its order and ends it; yields after slices. Throws on an error of the main file. */
  async *feed(reader: RunReader): AsyncGenerator<void> {
    try {
      yield* this.#feedFiles(reader, (file) => reader.endFile(file))
    } catch (error) {
      reader.end()
      throw error
    }
    reader.end()
  }

  /** As `feed`, but the files stay open at their ends: another call continues with additions. */
  async *follow(reader: RunReader): AsyncGenerator<void> {
    for (const [file, { source, bytesRead }] of this.files.entries()) {
      if ((await source.size()) > bytesRead) reader.resumeFile(file)
      else reader.pauseFile(file)
    }
    yield* this.#feedFiles(reader, (file) => reader.pauseFile(file))
  }

  async *#feedFiles(reader: RunReader, onEnd: (file: number) => void): AsyncGenerator<void> {
    const slices = this.files.map(({ source, bytesRead }, file) =>
      slicesOf(source, bytesRead, file === 0 ? mainChunk : otherChunk)
    )
    try {
      for (let file = reader.wanted; file !== null; file = reader.wanted) {
        const slice = await this.#next(file, slices[file])
        if (slice === null) onEnd(file)
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

  /** The next bytes of a file; null: its end. */
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

async function openBeside(main: LogSource, name: string, pool: DescriptorPool): Promise<LogSource | Unreadable> {
  try {
    return await openLog(join(dirname(main.path), name), pool)
  } catch (error) {
    return new Unreadable(name, error)
  }
}

/** A longer line is decoded without a copy of it in memory. */
const mostCopied = 1 << 20

/** As `utf8Text`. For non-ASCII lines, Node's converter takes less than half the time of its decoder. */
export function lineText(bytes: Uint8Array): string {
  if (bytes.length > mostCopied || isAscii(bytes) || !isUtf8(bytes)) return utf8Text(bytes)
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
}

/** Parsed in a few milliseconds, so that the event loop is not blocked. */
const sliceBytes = 1 << 17
const shortChunk = 1 << 14

/** Reads at most `maxBytes` at a time, one slice ahead. A slice is valid until the next one. Throws on a read error. */
async function* slicesOf(source: LogSource, offset: number, maxBytes: number): AsyncGenerator<Uint8Array> {
  // Additions to a log are mostly short.
  const chunkBytes = Math.min(maxBytes, Math.max(shortChunk, (await source.size()) - offset))
  const [first, second] = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)]
  let free = first
  const memory = async (): Promise<Buffer> => (free = free === first ? second : first)
  const chunks = source.chunks({ from: offset, chunkBytes, memory })
  for (let next = chunks.next(); ;) {
    const { done, value: chunk } = await next
    if (done === true) return
    next = chunks.next()
    // `await next` throws it later.
    next.catch(() => {})
    for (let at = 0; at < chunk.length; at += sliceBytes) yield chunk.subarray(at, at + sliceBytes)
  }
}
