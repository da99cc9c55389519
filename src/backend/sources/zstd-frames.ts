/** An error in a compressed stream; the message is for the user. */
export class ZstdError extends Error {}

/** Frames with larger windows are refused: the decoder would hold and move that much for each block. */
const maxWindowBytes = 1 << 25
const maxBlockBytes = 1 << 17
const frameMagic = 0xfd2fb528
const skippableMagic = 0x184d2a50
const blockHeaderBytes = 3
const runBlock = 1
const reservedBlock = 3

/** Whether a file begins with a Zstandard frame. */
export function isZstd(firstBytes: Uint8Array): boolean {
  return firstBytes.length >= 4 && (wordAt(firstBytes, 0) === frameMagic || isSkippable(wordAt(firstBytes, 0)))
}

/** Splits a Zstandard stream (RFC 8878), so that the output of each decoded part is bounded. Drops skippable frames. */
export class ZstdFrames {
  readonly #onPiece: (piece: Uint8Array) => void
  #rest: Uint8Array = new Uint8Array(0)
  #state: 'frame' | 'block' | 'checksum' = 'frame'
  #checksum = false
  #skip = 0

  /** `onPiece` gets views of the pushed chunk, or copies. */
  constructor(onPiece: (piece: Uint8Array) => void) {
    this.#onPiece = onPiece
  }

  /** Adds bytes, which may be reused after all pieces were used. Throws a `ZstdError`. */
  push(chunk: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk)
    let at = 0
    for (;;) {
      const skipped = Math.min(this.#skip, bytes.length - at)
      this.#skip -= skipped
      at += skipped
      const length = this.#skip > 0 ? 0 : this.#pieceAt(bytes.subarray(at))
      if (length === 0) break
      at += length
    }
    // Less than a block.
    this.#rest = Uint8Array.from(bytes.subarray(at))
  }

  /** Ends the stream. Throws a `ZstdError` within a frame. */
  end(): void {
    if (this.#state !== 'frame' || this.#rest.length > 0 || this.#skip > 0) throw new ZstdError('it ends too early')
  }

  /** Emits the piece at the start of `bytes` if it is complete. Returns its length, or 0. */
  #pieceAt(bytes: Uint8Array): number {
    switch (this.#state) {
      case 'frame':
        return this.#frameAt(bytes)
      case 'block':
        return this.#blockAt(bytes)
      case 'checksum':
        return this.#emit(bytes, 4, 'frame')
    }
  }

  #frameAt(bytes: Uint8Array): number {
    if (bytes.length < 8) return 0
    if (isSkippable(wordAt(bytes, 0))) {
      this.#skip = wordAt(bytes, 4)
      return 8
    }
    if (wordAt(bytes, 0) !== frameMagic) throw new ZstdError('a Zstandard frame was expected')
    const flags = bytes[4] ?? 0
    const single = (flags & 0x20) !== 0
    const idBytes = [0, 1, 2, 4][flags & 3] ?? 0
    const sizeBytes = [single ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0
    const length = 5 + (single ? 0 : 1) + idBytes + sizeBytes
    if (bytes.length < length) return 0
    if ((flags & 8) !== 0) throw new ZstdError('a frame has an invalid header')
    if (numberAt(bytes, single ? 5 : 6, idBytes) !== 0) throw new ZstdError('it was compressed with a dictionary')
    const window = single ? numberAt(bytes, length - sizeBytes, sizeBytes) : windowOf(bytes[5] ?? 0)
    if (window > maxWindowBytes) throw new ZstdError('its window is larger than 32 MiB')
    this.#checksum = (flags & 4) !== 0
    return this.#emit(bytes, length, 'block')
  }

  #blockAt(bytes: Uint8Array): number {
    if (bytes.length < blockHeaderBytes) return 0
    const header = numberAt(bytes, 0, blockHeaderBytes)
    const kind = (header >> 1) & 3
    const size = header >> 3
    if (kind === reservedBlock || size > maxBlockBytes) throw new ZstdError('a block is damaged')
    const last = (header & 1) === 1
    const after = this.#checksum ? 'checksum' : 'frame'
    return this.#emit(bytes, blockHeaderBytes + (kind === runBlock ? 1 : size), last ? after : 'block')
  }

  #emit(bytes: Uint8Array, length: number, next: 'frame' | 'block' | 'checksum'): number {
    if (bytes.length < length) return 0
    this.#state = next
    this.#onPiece(bytes.subarray(0, length))
    return length
  }
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + (base / 8) * (descriptor & 7)
}

function isSkippable(word: number): boolean {
  return word >= skippableMagic && word <= skippableMagic + 15
}

function wordAt(bytes: Uint8Array, at: number): number {
  return numberAt(bytes, at, 4)
}

/** Little-endian; inexact above 2^53. */
function numberAt(bytes: Uint8Array, at: number, length: number): number {
  let value = 0
  for (let i = length - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] ?? 0)
  return value
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}
