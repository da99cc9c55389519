import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { sessionAddress, sessionIn } from '#core/formats/session-database.ts'
import { HostError } from '#contract/host-error.ts'
import { databaseVersion, isDatabase } from './database-file.ts'
import { factsAt, type FileFacts } from './file-facts.ts'
import { fileError } from './log-file.ts'
import type { ChunkRange, LogSource, SharedFile } from './log-source.ts'
import { OpenDatabase } from './session-databases.ts'
import { systemPath } from './system-path.ts'
import { TemporaryFile } from './temporary-file.ts'

const chunkDefault = 1 << 20
/** A database that changes all the time is read again after this many times the time of the last read. */
const restShare = 4
const maxTextBytes = 4 * 2 ** 30

/** The address of the session that a path leads to: itself, or the only one of a database. Null: it is a file. Throws a `HostError`. */
export async function storedSession(
  given: string
): Promise<{ database: string; session: string; address: string } | null> {
  const shown = resolve(given)
  const named = sessionIn(shown)
  if (isDatabase(shown)) {
    const database = await realpath(await systemPath(shown)).catch((error: unknown) =>
      Promise.reject(fileError(shown, error))
    )
    const sessions = await OpenDatabase.read(database, async (one) => one.sessions())
    const [first] = sessions
    if (first === undefined) throw new HostError('not-found', `${shown} has no session`)
    if (sessions.length === 1) return { database, session: first.id, address: sessionAddress(database, first.id) }
    throw new HostError(
      'bad-params',
      `${shown} has ${sessions.length} sessions; add one to the path, such as ${sessionAddress(basename(shown), first.id)}`
    )
  }
  if (named === null || !isDatabase(named.database)) return null
  const database = await realpath(await systemPath(named.database))
  return { ...named, database, address: sessionAddress(database, named.session) }
}

/** A session of a database as a log: a text of its records, one a line. What is added to the session is added to the text. */
export class StoredLog implements LogSource {
  readonly path: string
  readonly given: string
  readonly name: string
  readonly packed = false
  readonly opened: FileFacts
  readonly #database: string
  readonly #session: string
  readonly #text: TemporaryFile
  #bytes: number
  /** The database that the text is of. */
  #version: string
  #facts: FileFacts
  #isOutdated = false
  #againAt = -Infinity
  #work: Promise<unknown> = Promise.resolve()

  private constructor(
    where: { readonly database: string; readonly session: string; readonly address: string },
    given: string,
    written: Written,
    text: TemporaryFile
  ) {
    this.path = where.address
    this.given = given
    this.name = basename(where.address)
    this.#database = where.database
    this.#session = where.session
    this.#text = text
    this.#bytes = written.bytes
    this.#version = written.version
    this.opened = this.#facts = { ...written.facts, bytes: written.bytes }
  }

  /** Null: the path is that of a file. Throws a `HostError`. */
  static async open(given: string): Promise<StoredLog | null> {
    const where = await storedSession(given)
    if (where === null) return null
    const text = await TemporaryFile.create('session')
    try {
      const written = await write(where, text, 0)
      if (written.bytes === 0) throw new HostError('not-found', `${where.database} has no session ${where.session}`)
      return new StoredLog(where, resolve(given), written, text)
    } catch (error) {
      await text.close()
      throw error
    }
  }

  /** The database, and the log of its last changes. */
  get watched(): readonly string[] {
    return ['', '-wal'].map((suffix) => this.#database + suffix)
  }

  /** What is stored now does not begin with this text: the session must be opened again. */
  get isOutdated(): boolean {
    return this.#isOutdated
  }

  async size(): Promise<number> {
    return this.#bytes
  }

  async modified(): Promise<number> {
    return Number(this.#facts.modified / 1_000_000n)
  }

  async facts(): Promise<FileFacts> {
    return this.#facts
  }

  /** Adds what was added to the session. */
  async current(): Promise<FileFacts> {
    const work = this.#work.then(() => this.#update())
    this.#work = work.catch(() => {})
    await work
    return this.#facts
  }

  async read(offset: number, length: number): Promise<Buffer> {
    return await this.#text.read(offset, Math.max(0, Math.min(length, this.#bytes - offset)))
  }

  async *chunks({
    from = 0,
    to = Infinity,
    chunkBytes = chunkDefault,
    memory
  }: ChunkRange = {}): AsyncGenerator<Uint8Array> {
    for (let at = from; at < to;) {
      const place = await memory?.()
      if (place === null) return
      const bytes = await this.read(at, Math.min(place?.length ?? chunkBytes, to - at))
      if (bytes.length === 0) return
      at += bytes.length
      place?.set(bytes)
      yield place?.subarray(0, bytes.length) ?? bytes
    }
  }

  shared(): SharedFile {
    return { descriptor: this.#text.descriptor }
  }

  async close(): Promise<void> {
    await this.#work
    await this.#text.close()
  }

  async #update(): Promise<void> {
    if (this.#isOutdated || databaseVersion(this.#database) === this.#version) return
    if (performance.now() < this.#againAt) return
    const began = performance.now()
    const written = await write({ database: this.#database, session: this.#session }, this.#text, this.#bytes)
    if (written.bytes === 0) throw fileError(this.path, Object.assign(new Error('gone'), { code: 'ENOENT' }))
    const now = performance.now()
    this.#againAt = now + (now - began) * restShare
    this.#version = written.version
    this.#isOutdated = !written.goesOn
    const { modified, changed } = written.facts
    if (written.goesOn) this.#bytes = written.bytes
    this.#facts = { ...this.#facts, modified, changed, bytes: this.#bytes }
  }
}

interface Written {
  /** Of the whole text. */
  readonly bytes: number
  /** It begins with the text that was there. */
  readonly goesOn: boolean
  readonly version: string
  readonly facts: FileFacts
}

/** Writes the session's text after the `known` bytes, if it begins with these. */
async function write(
  { database, session }: { readonly database: string; readonly session: string },
  text: TemporaryFile,
  known: number
): Promise<Written> {
  const version = databaseVersion(database)
  const facts = await factsAt(database)
  const wal = await factsAt(`${database}-wal`).catch(() => null)
  const modified = wal !== null && wal.modified > facts.modified ? wal.modified : facts.modified
  const before = createHash('sha256')
  for (let at = 0; at < known; at += chunkDefault)
    before.update(await text.read(at, Math.min(chunkDefault, known - at)))
  const print = before.digest('hex')
  const state = await OpenDatabase.read(database, async (open) => {
    const lines = open.lines(session)
    const begin = createHash('sha256')
    let bytes = 0
    let goesOn = known === 0
    let waiting: Buffer[] = []
    let waitingBytes = 0
    const flush = async (): Promise<void> => {
      if (waitingBytes > 0) await text.write(Buffer.concat(waiting), bytes - waitingBytes)
      waiting = []
      waitingBytes = 0
    }
    for (let at = 0; at < lines.count; at++) {
      const line = lines.line(at)
      if (bytes < known) {
        begin.update(line)
        bytes += line.length
        if (bytes > known) return { bytes, goesOn: false }
        if (bytes === known) {
          goesOn = begin.digest('hex') === print
          if (!goesOn) return { bytes, goesOn }
        }
        continue
      }
      if (bytes + line.length > maxTextBytes)
        throw new HostError('unavailable', `${database} has a session of more than 4 GiB, which is not read`)
      waiting.push(line)
      waitingBytes += line.length
      bytes += line.length
      if (waitingBytes >= chunkDefault) await flush()
    }
    await flush()
    return { bytes, goesOn }
  })
  return { ...state, version, facts: { ...facts, modified } }
}
