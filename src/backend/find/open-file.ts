import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Bytes } from '#queries/find/search.ts'
import { factsOf, isStillFile } from '../sources/file-facts.ts'
import type { SharedFile } from '../sources/log-source.ts'

/** The bytes of a file that another thread has open. Throws the system's error. */
export class OpenFile implements Bytes {
  readonly #descriptor: number
  readonly #isOwn: boolean

  constructor(file: SharedFile) {
    this.#isOwn = 'path' in file
    this.#descriptor = 'path' in file ? openSame(file) : file.descriptor
  }

  read(target: Uint8Array, offset: number): number {
    let filled = 0
    while (filled < target.length) {
      const length = readSync(this.#descriptor, target, filled, target.length - filled, offset + filled)
      if (length === 0) break
      filled += length
    }
    return filled
  }

  close(): void {
    if (this.#isOwn) closeSync(this.#descriptor)
  }
}

/** Throws if another file replaced the indexed one. */
function openSame({ path, opened }: Extract<SharedFile, { path: unknown }>): number {
  const descriptor = openSync(
    typeof path === 'string' ? path : Buffer.from(path),
    constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
  )
  if (isStillFile(factsOf(fstatSync(descriptor, { bigint: true })), opened)) return descriptor
  closeSync(descriptor)
  throw Object.assign(new Error('another file replaced it'), { code: 'ESTALE' })
}
