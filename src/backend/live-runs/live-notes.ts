import { type FileHandle, open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { AgentId } from '#contract/live-runs.ts'
import { agentPrograms } from '#core/formats/agent-programs.ts'
import { recordsOf } from '#core/formats/decode-parts.ts'
import type { LiveNotes } from '#core/formats/live-notes.ts'
import { type Line, LineSplitter } from '#core/lines/line-splitter.ts'
import { writeFailure } from '../write-failure.ts'
import { GrowingFile } from './growing-file.ts'
import { SessionLogFile } from './session-log-file.ts'

const maxNotes = 10_000
const chunkBytes = 1 << 18
const lineFeed = 0x0a
const none = Buffer.alloc(0)
const utf8 = new TextDecoder()

export interface LiveNotesFiles {
  readonly recording: string
  /** The folder of the program's logs. */
  readonly logs: string
  /** Reports an error, a sentence; then notes are missing. */
  readonly problem: (message: string) => void
}

/** Writes notes beside a recording, from the agent's own log (`LiveNotes`). Creates no file without notes. */
export class NoteKeeper {
  readonly #notes: LiveNotes
  readonly #search: SessionLogFile
  readonly #path: string
  readonly #problem: (message: string) => void
  readonly #splitter = new LineSplitter((line) => this.#onLine(line))
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes)
  readonly #noted = new Set<string>()
  #found: string[] = []
  #failed = false
  #log: GrowingFile | null = null
  #read = 0
  #file: FileHandle | null = null

  constructor(notes: LiveNotes, { recording, logs, problem }: LiveNotesFiles) {
    this.#notes = notes
    this.#search = new SessionLogFile(notes, logs)
    this.#path = join(dirname(recording), notes.fileOf(basename(recording)))
    this.#problem = problem
  }

  /** Earlier notes, whole lines only: a partial line of a killed process is truncated. Call once, before `next`. */
  async kept(): Promise<Buffer> {
    return await this.#attempt(async () => {
      const bytes = await readNotes(this.#path)
      const whole = bytes.subarray(0, bytes.lastIndexOf(lineFeed) + 1)
      for (const line of utf8.decode(whole).split('\n')) this.#noted.add(line)
      if (whole.length < bytes.length) await (await this.#opened()).truncate(whole.length)
      return whole
    })
  }

  /** New notes of the session's log as whole lines, which are also written. */
  async next(session: string): Promise<Buffer> {
    return await this.#attempt(async () => {
      const path = this.#log === null ? await this.#search.find(session) : null
      if (path !== null) this.#log = new GrowingFile(path)
      for (let isMore = this.#log !== null; isMore;) {
        const bytes = (await this.#log?.read(this.#chunk, this.#read)) ?? none
        this.#read += bytes.length
        this.#splitter.push(bytes)
        isMore = bytes.length > 0
      }
      const lines = Buffer.from(this.#found.splice(0).join(''))
      if (lines.length > 0) await (await this.#opened()).appendFile(lines)
      return lines
    })
  }

  /** After a system error no more notes are written. */
  async #attempt(work: () => Promise<Buffer>): Promise<Buffer> {
    if (this.#failed) return none
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error
      this.#failed = true
      this.#problem(`${writeFailure(this.#path, error).message} Titles of this run's tasks may be missing.`)
      return none
    }
  }

  async close(): Promise<void> {
    await this.#log?.close()
    await this.#file?.close()
    this.#file = null
  }

  async #opened(): Promise<FileHandle> {
    return (this.#file ??= await open(this.#path, 'a', 0o600))
  }

  #onLine({ bytes }: Line): void {
    if (bytes === null || this.#noted.size >= maxNotes) return
    if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(this.#notes.cue)) return
    const { records } = recordsOf(null, bytes, 'lines')
    for (const note of records.flatMap(({ value }) => this.#notes.notesOf(value))) {
      const line = JSON.stringify(note)
      if (this.#noted.has(line)) continue
      this.#noted.add(line)
      this.#found.push(`${line}\n`)
    }
  }
}

/** The notes beside a recording; may be empty. */
export async function readNotes(path: string): Promise<Buffer> {
  const file = new GrowingFile(path)
  try {
    return await file.read(Buffer.alloc(await file.size()), 0)
  } finally {
    await file.close()
  }
}

/** The folder of an agent's own logs; null: not needed. */
export function logsFolder(agent: AgentId, environment: NodeJS.ProcessEnv): string | null {
  const names = agentPrograms[agent].logs(environment, homedir())
  return names === null ? null : join(...names)
}
