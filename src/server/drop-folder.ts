import { createWriteStream } from 'node:fs'
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writeFailure } from '#backend/write-failure.ts'

/** A dropped file was larger than the server takes. */
export class DropTooLarge extends Error {}

/** Where files land that a person drops on the page: private, and gone when the server closes. */
export class DropFolder {
  readonly #maxBytes: number
  readonly #parent: string
  #root: Promise<string> | null = null
  #count = 0
  #closed = false

  /** `parent`: of its own folder; the system's for temporary files without it. */
  constructor(maxBytes: number, parent = tmpdir()) {
    this.#maxBytes = maxBytes
    this.#parent = parent
  }

  /** Streams a file in and gives its path. The name is kept as far as it is a safe file name. */
  async receive(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
    if (this.#closed) throw new Error('The server is closing.')
    const given = safeFileName(name)
    let folder: string | null = null
    try {
      this.#root ??= this.#made()
      folder = join(await this.#root, String(++this.#count))
      await mkdir(folder, { mode: 0o700 })
      const path = join(folder, given)
      await pipeline(bytes, limit(this.#maxBytes), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      return path
    } catch (error) {
      if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => {})
      throw error instanceof DropTooLarge ? error : writeFailure(join(folder ?? this.#parent, given), error)
    }
  }

  #made(): Promise<string> {
    return mkdtemp(join(this.#parent, 'playhead-drop-')).catch((error: unknown) => {
      // The next one may find room.
      this.#root = null
      throw error
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#root) await rm(await this.#root, { recursive: true, force: true })
  }
}

function limit(maxBytes: number): Transform {
  let received = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      received += chunk.byteLength
      if (received > maxBytes) done(new DropTooLarge())
      else done(null, chunk)
    }
  })
}

/** The last part of a name, without what a file system or a terminal could trip over. */
function safeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const plain = last.replace(/[\p{C}<>:"|?*]/gu, '_').replace(/^\.+/, '')
  const parts = [...plain]
  // 60 code points are at most 240 bytes in UTF-8, and file systems take 255. The end is kept for the extension.
  const short = parts.length > 60 ? [...parts.slice(0, 40), ...parts.slice(-20)].join('') : plain
  return short === '' ? 'dropped.jsonl' : short
}
