import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { systemCode, writeFailure } from '#backend/write-failure.ts'

/** A refused file. `status` is that of the answer; the message is for the user. */
export class DropRefused extends Error {
  readonly status: 400 | 409 | 413

  constructor(status: DropRefused['status'], message: string) {
    super(message)
    this.status = status
  }
}

/** Limits of bytes and files in a group, and of groups. */
export interface DropLimits {
  readonly bytes: number
  readonly files: number
  readonly groups: number
}

export const dropLimits: DropLimits = { bytes: 8 * 1024 ** 3, files: 5000, groups: 1000 }

const maxParts = 24
const maxCharacters = 1000
const tooLarge = 'The files are too large to upload. Open the log by its path.'

/** Files that were dropped or chosen together. */
interface DropGroup {
  bytes: number
  files: number
  isRemoved: boolean
}

/** A private folder, removed at close. Each group keeps its folder structure, which shows the files of a session. */
export class DropFolder {
  /** Absolute and real; created on first use, with a folder for each group. */
  readonly path: string
  readonly #limits: DropLimits
  readonly #groups = new Map<string, DropGroup>()
  #made: Promise<unknown> | null = null
  #closed = false

  /** `parent`: absent: the system's temporary folder. */
  constructor(limits: DropLimits = dropLimits, parent = tmpdir()) {
    this.#limits = limits
    this.path = join(realOf(parent), `playhead-drop-${randomBytes(9).toString('hex')}`)
  }

  /** Why this many more bytes are refused, in any group; null: accepted. */
  refusal(bytes: number): DropRefused | null {
    return bytes > this.#limits.bytes ? new DropRefused(413, tooLarge) : null
  }

  /** Stores a stream and returns its path. `parts`: the path in the group, made safe. Throws a `DropRefused`. */
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

  /** Removes a group and ends its uploads. */
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

  /** The random name must not exist, so no other user can have created it. */
  async #make(): Promise<void> {
    this.#made ??= mkdir(this.path, { mode: 0o700 }).catch((error: unknown) => {
      // The next upload may succeed.
      this.#made = null
      throw error
    })
    await this.#made
  }
}

/** An error is reported by the first upload. */
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

/** Refuses paths that leave the group's folder. */
function safeParts(group: string, parts: readonly string[]): string[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const isWrong = parts.some((part) => part === '' || part === '.' || part === '..' || /[/\0]/.test(part))
  if (!/^[\w-]{1,64}$/.test(group) || parts.length === 0 || isWrong)
    throw new DropRefused(400, 'The path of the file is not valid.')
  if (parts.length > maxParts || length > maxCharacters)
    throw new DropRefused(400, 'The path of the file is too long to upload. Open the log by its path.')
  return parts.map(safeName)
}

/** Removes characters that are unsafe in file systems or terminals. */
function safeName(name: string): string {
  const plain = name.replace(/[\p{C}<>:"|?*\\]/gu, '_').replace(/^\.+/, '')
  const points = [...plain]
  // The limit is 255 bytes; 60 code points are at most 240. The extension is kept.
  const isLong = Buffer.byteLength(plain) > 240 && points.length > 60
  const short = isLong ? [...points.slice(0, 40), ...points.slice(-20)].join('') : plain
  return short === '' ? 'dropped.jsonl' : short
}
