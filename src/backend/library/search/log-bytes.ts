import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Bytes } from '#queries/find/search.ts'
import { OpenFile } from '../../find/open-file.ts'
import { factsOf, type FileFacts } from '../../sources/file-facts.ts'
import { fileError } from '../../sources/log-file.ts'
import { openLog } from '../../sources/open-log.ts'
import { isZstd } from '../../sources/zstd-frames.ts'

/** The text of a log for a thread that waits for its bytes. Closed by whoever opened it. */
export interface LogBytes extends Bytes {
  readonly size: number
  /** What the system said of the file. */
  readonly facts: FileFacts
  /** It could not be read to its end. */
  readonly isCut: boolean
  close(): void
}

/** What stands in a text for bytes that are not UTF-8: such a name is looked up in its folder. */
const replacement = '\ufffd'
const first = Buffer.alloc(4)

/** Opens a log; at once where it is stored as it is, as nearly all are. Throws, or rejects, where that is not possible. */
export function openLogBytes(path: string): LogBytes | Promise<LogBytes> {
  if (path.includes(replacement)) return openElse(path)
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
  return openElse(path)
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

/** As an open log is, so that what cannot be unpacked here cannot be there. */
async function openElse(path: string): Promise<LogBytes> {
  const source = await openLog(path)
  try {
    const facts = await source.facts()
    let isCut = false
    if (source.packed) isCut = await unpacked(source.chunks())
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

/** Whether it ends before its end. */
async function unpacked(chunks: AsyncGenerator<Uint8Array>): Promise<boolean> {
  try {
    for await (const _ of chunks);
    return false
  } catch {
    return true
  }
}
