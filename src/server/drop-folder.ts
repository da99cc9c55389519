import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { systemCode, writeFailure } from '#backend/write-failure.ts'

/** A file that the server does not take. `status`: of the answer; the message is for people. */
export class DropRefused extends Error {
  readonly status: 400 | 409 | 413

  constructor(status: DropRefused['status'], message: string) {
    super(message)
    this.status = status
  }
}

/** How many bytes and files one group may have, and how many groups there may be. */
export interface DropLimits {
  readonly bytes: number
  readonly files: number
  readonly groups: number
}

export const dropLimits: DropLimits = { bytes: 8 * 1024 ** 3, files: 5000, groups: 1000 }

const maxParts = 24
const maxCharacters = 1000
const tooLarge = 'The files are too large to upload. Open the log by its path.'

/** What a person drops or chooses at once. */
interface DropGroup {
  bytes: number
  files: number
  isRemoved: boolean
}

/**
 * Where files land that a person drops on the page, or chooses: private, and gone when the server closes. Files that were given at once are a
 * group. It has a folder of its own, in which they lie as they lay before: that says which are of one session.
 */
export class DropFolder {
  /** Absolute and real; made when it is first needed. Below it each group has a folder with its name. */
  readonly path: string
  readonly #limits: DropLimits
  readonly #groups = new Map<string, DropGroup>()
  #made: Promise<unknown> | null = null
  #closed = false

  /** `parent`: of its own folder; the system's for temporary files without it. */
  constructor(limits: DropLimits = dropLimits, parent = tmpdir()) {
    this.#limits = limits
    this.path = join(realOf(parent), `playhead-drop-${randomBytes(9).toString('hex')}`)
  }

  /** Why so many bytes more are not taken, whatever the group; null: they may be. */
  refusal(bytes: number): DropRefused | null {
    return bytes > this.#limits.bytes ? new DropRefused(413, tooLarge) : null
  }

  /**
   * Streams a file in and gives its path. `parts`: folders and name, as they stand in the group; names are kept as far as they are safe.
   * Throws a `DropRefused`, or an error that says why it cannot be stored.
   */
  async receive(group: string, parts: readonly string[], bytes: AsyncIterable<Uint8Array>): Promise<string> {
    if (this.#closed) throw new Error('The server is closing.')
    const path = join(this.path, group, ...safeParts(group, parts))
    const into = this.#group(group)
    let received = 0
    const count = (more: number): boolean => {
      received += more
      into.bytes += more
      return into.bytes <= this.#limits.bytes
    }
    let isOurs = false
    try {
      await this.#make()
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const file = await open(path, 'wx', 0o600)
      isOurs = true
      await pipeline(bytes, limited(count), file.createWriteStream())
      if (into.isRemoved) throw new DropRefused(409, 'The upload was cancelled.')
      return path
    } catch (error) {
      into.bytes -= received
      into.files -= 1
      if (isOurs) await rm(path, { force: true }).catch(() => {})
      if (systemCode(error) === 'EEXIST' && !isOurs) throw new DropRefused(409, 'Two files have the same name.')
      throw error instanceof DropRefused ? error : writeFailure(path, error)
    }
  }

  /** Takes a group away; nothing is added to it any more. */
  async remove(group: string): Promise<void> {
    const known = this.#groups.get(group)
    if (known === undefined) return
    known.isRemoved = true
    await rm(join(this.path, group), { recursive: true, force: true, maxRetries: 3 })
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#made) await rm(this.path, { recursive: true, force: true, maxRetries: 3 })
  }

  /** With one file more. */
  #group(name: string): DropGroup {
    const known = this.#groups.get(name)
    const group = known ?? { bytes: 0, files: 0, isRemoved: false }
    if (group.isRemoved) throw new DropRefused(409, 'The upload was cancelled.')
    if (group.files >= this.#limits.files || (known === undefined && this.#groups.size >= this.#limits.groups))
      throw new DropRefused(413, 'These are too many files to upload. Open the log by its path.')
    this.#groups.set(name, group)
    group.files += 1
    return group
  }

  /** Nobody else can have made it: its name is random, and one that is there is refused. */
  async #make(): Promise<void> {
    this.#made ??= mkdir(this.path, { mode: 0o700 }).catch((error: unknown) => {
      // The next one may find room.
      this.#made = null
      throw error
    })
    await this.#made
  }
}

/** What cannot be asked for is said when something is stored. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

function limited(count: (bytes: number) => boolean): Transform {
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      if (count(chunk.byteLength)) done(null, chunk)
      else done(new DropRefused(413, tooLarge))
    }
  })
}

/** Only what stays in the folder of the group: nothing that leads up, and no name of a folder that is none. */
function safeParts(group: string, parts: readonly string[]): string[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const isWrong = parts.some((part) => part === '' || part === '.' || part === '..' || /[/\0]/.test(part))
  if (!/^[\w-]{1,64}$/.test(group) || parts.length === 0 || isWrong)
    throw new DropRefused(400, 'The path of the file is not valid.')
  if (parts.length > maxParts || length > maxCharacters)
    throw new DropRefused(400, 'The path of the file is too long to upload. Open the log by its path.')
  return parts.map(safeName)
}

/** A name without what a file system or a terminal could trip over. */
function safeName(name: string): string {
  const plain = name.replace(/[\p{C}<>:"|?*\\]/gu, '_').replace(/^\.+/, '')
  const points = [...plain]
  // File systems take 255 bytes; 60 code points are at most 240. The end is kept for the extension.
  const isLong = Buffer.byteLength(plain) > 240 && points.length > 60
  const short = isLong ? [...points.slice(0, 40), ...points.slice(-20)].join('') : plain
  return short === '' ? 'dropped.jsonl' : short
}
