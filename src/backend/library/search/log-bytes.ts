import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { sessionIn } from '#core/formats/session-database.ts'
import type { Bytes } from '#queries/find/search.ts'
import { OpenFile } from '../../find/open-file.ts'
import { factsOf, type FileFacts } from '../../sources/file-facts.ts'
import { fileError } from '../../sources/log-file.ts'
import { openLog } from '../../sources/open-log.ts'
import { isZstd } from '../../sources/zstd-frames.ts'

/** The content of a log, for synchronous reads. */
export interface LogBytes extends Bytes {
  readonly size: number
  /** The file's metadata. */
  readonly facts: FileFacts
  /** It could not be unpacked to its end. */
  readonly isCut: boolean
  close(): void
}

/** In a name that is not UTF-8; the bytes of the name are looked up in its folder. */
const replacement = '\ufffd'
const first = Buffer.alloc(4)

/** Opens a log, synchronously if it is stored plain. Throws or rejects on errors. */
export function openLogBytes(path: string): LogBytes | Promise<LogBytes> {
  if (path.includes(replacement) || sessionIn(path) !== null) return openAsSource(path)
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const facts = factsOf(fstatSync(descriptor, { bigint: true }))
    if (!facts.regular) throw fileError(path, Object.assign(new Error('no file'), { code: 'EISDIR' }))
    const length = readSync(descriptor, first, 0, first.length, 0)
    if (!isZstd(first.subarray(0, length))) return new PlainBytes(descriptor, facts)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  closeSync(descriptor)
  return openAsSource(path)
}

class PlainBytes extends OpenFile implements LogBytes {
  readonly isCut = false
  readonly facts: FileFacts
  readonly #own: number

  constructor(descriptor: number, facts: FileFacts) {
    super({ descriptor })
    this.#own = descriptor
    this.facts = facts
  }

  get size(): number {
    return this.facts.bytes
  }

  override close(): void {
    closeSync(this.#own)
  }
}

/** Uses the same source as an open log, with the same limits of unpacking. */
async function openAsSource(path: string): Promise<LogBytes> {
  const source = await openLog(path)
  try {
    const facts = await source.facts()
    let isCut = false
    if (source.packed) isCut = await unpackFails(source.chunks())
    const size = await source.size()
    const shared = source.shared()
    const bytes = shared === null ? null : new OpenFile(shared)
    return {
      facts,
      isCut,
      size: bytes === null ? 0 : size,
      read: (target, offset) => bytes?.read(target, offset) ?? 0,
      close: () => {
        bytes?.close()
        void source.close()
      }
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

async function unpackFails(chunks: AsyncGenerator<Uint8Array>): Promise<boolean> {
  try {
    for await (const _ of chunks);
    return false
  } catch {
    return true
  }
}
