import type { LogSource } from '../sources/log-source.ts'
import type { SliceStart } from '../sources/slices.ts'
import { BatchCutter, type Piece } from './batch-cutter.ts'
import type { CutBatch, LineBatch } from './cut-batch.ts'
import type { BatchListener, CuttingThread } from './cutting-thread.ts'

const chunkBytes = 1 << 20

/** One read of the file, in memory that other threads see. It is used again once all pieces of it are done. */
interface Chunk {
  readonly memory: Buffer
  pieces: number
}

/** A piece of the file on its way. */
export interface PieceAhead {
  readonly piece: Piece
  readonly chunk: Chunk
  /** Another thread cuts it. */
  away: boolean
  /** To be read as it is: the thread died of it. */
  ours: boolean
  /** What the other thread made of it. */
  cut: CutBatch | null
}

type BatchAhead = PieceAhead & { readonly piece: LineBatch }

/** The next pieces of a file, read and cut before their turn comes: so many chunks at most. */
export class ReadAhead implements BatchListener {
  private readonly pieces: PieceAhead[] = []
  private readonly free: Chunk[] = []
  private chunksLeft: number
  private ended = false
  private stopped = false
  private failure: unknown = null
  private wake: () => void = () => {}
  private chunkFreed: () => void = () => {}

  constructor(source: LogSource, start: SliceStart, chunks: number) {
    this.chunksLeft = chunks
    void this.read(source, start)
  }

  /** The piece whose turn it is; null at the end of the file. Throws where the file could not be read on. */
  async first(): Promise<PieceAhead | null> {
    for (;;) {
      const [piece] = this.pieces
      if (piece !== undefined) return piece
      if (this.failure !== null) throw this.failure
      if (this.ended) return null
      await this.news()
    }
  }

  /** The first piece has been given on; its bytes are no longer needed. */
  firstIsDone(): void {
    const done = this.pieces.shift()
    if (done === undefined || --done.chunk.pieces > 0) return
    this.free.push(done.chunk)
    this.chunkFreed()
  }

  /** Gives batches to the other thread, as many as it has room for, but not the first: whoever asks takes that one. */
  handOut(thread: CuttingThread): void {
    for (let i = 1; i < this.pieces.length; i++) {
      const ahead = this.pieces[i]
      if (ahead === undefined || ahead.ours || !isWaiting(ahead)) continue
      if (!thread.take(ahead.piece)) return
      ahead.away = true
    }
  }

  /** Resolves when a piece was read or cut, or the thread is ready. */
  async news(): Promise<void> {
    await new Promise<void>((resolve) => (this.wake = resolve))
  }

  cut(batch: LineBatch, made: CutBatch | null): void {
    const ahead = this.pieces.find(({ piece }) => piece === batch)
    if (ahead !== undefined) {
      ahead.away = false
      ahead.cut = made
      ahead.ours = made === null
    }
    this.wake()
  }

  ready(): void {
    this.wake()
  }

  /** Reads no further. */
  stop(): void {
    this.stopped = true
    this.chunkFreed()
  }

  private async read(source: LogSource, start: SliceStart): Promise<void> {
    const cutter = new BatchCutter(start)
    // The last one is being read into, or would have been had the file gone on.
    const chunks: Chunk[] = []
    const memory = async (): Promise<Buffer | null> => {
      const chunk = await this.nextChunk()
      if (chunk !== null) chunks.push(chunk)
      return chunk?.memory ?? null
    }
    try {
      for await (const { length } of source.chunks({ from: start.offset, chunkBytes, memory })) {
        const chunk = chunks.pop()
        if (chunk === undefined || this.stopped) return
        const pieces = cutter.cut(chunk.memory.subarray(0, length))
        chunk.pieces = pieces.length
        for (const piece of pieces) this.pieces.push({ piece, chunk, away: false, ours: false, cut: null })
        this.wake()
      }
    } catch (error) {
      this.failure = error
    }
    this.ended = true
    this.wake()
  }

  /** Null once nobody wants more. */
  private async nextChunk(): Promise<Chunk | null> {
    if (this.free.length === 0 && this.chunksLeft > 0) {
      this.chunksLeft--
      return { memory: Buffer.from(new SharedArrayBuffer(chunkBytes)), pieces: 0 }
    }
    for (;;) {
      if (this.stopped) return null
      const chunk = this.free.pop()
      if (chunk !== undefined) return chunk
      await new Promise<void>((resolve) => (this.chunkFreed = resolve))
    }
  }
}

function isWaiting(ahead: PieceAhead): ahead is BatchAhead {
  return 'bytes' in ahead.piece && !ahead.away && ahead.cut === null
}
