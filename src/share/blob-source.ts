import type { Bytes } from '#queries/find/search.ts'
import type { ByteSource } from '#queries/readable-run.ts'

/** The bytes of a blob, in memory or on disk. */
export class BlobSource implements ByteSource {
  readonly #blob: Blob

  constructor(blob: Blob) {
    this.#blob = blob
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    return new Uint8Array(await this.#blob.slice(offset, offset + length).arrayBuffer())
  }
}

declare global {
  /** Available in workers only. */
  class FileReaderSync {
    readAsArrayBuffer(blob: Blob): ArrayBuffer
  }
}

/** As `BlobSource`, but synchronous, for workers. */
export class BlobBytes implements Bytes {
  readonly #blob: Blob

  constructor(blob: Blob) {
    this.#blob = blob
  }

  read(target: Uint8Array, offset: number): number {
    const bytes = new FileReaderSync().readAsArrayBuffer(this.#blob.slice(offset, offset + target.length))
    target.set(new Uint8Array(bytes))
    return bytes.byteLength
  }
}
