import type { LogFormat, LongTexts } from '#core/formats/log-format.ts'
import type { LogSource } from '../sources/log-source.ts'
import type { Run } from '../sources/run.ts'
import { plainSlices, type ReadSlices, type Slice, sliceBytes, type SliceStart } from '../sources/slices.ts'
import { linesOf } from './cut-batch.ts'
import { CuttingThread } from './cutting-thread.ts'
import { hasHelper } from './has-helper.ts'
import type { CreateWorker } from './log-worker.ts'
import { type PieceAhead, ReadAhead } from './read-ahead.ts'

const chunkBytes = 1 << 20
/** Enough that neither thread has to wait, and no more. */
const chunksAhead = 4
/** A smaller file is read before another thread has started. */
const bytesWorthThread = 4 << 20

interface ReadMainOptions {
  /** When the other thread is started. */
  readonly helperAfterMs?: number
  /** How many processors somebody else needs. */
  readonly taken?: number
}

/**
 * Reads the main file of a run with another thread where that is worth it; `createWorker` starts one more of the indexer's. What that thread
 * has read comes as `decodeShort` gives it.
 */
export function readMainOf(
  { chosen: { format, framing } }: Run,
  createWorker: CreateWorker,
  { helperAfterMs = 0, taken = 0 }: ReadMainOptions = {}
): ReadSlices {
  return async function* (source, start) {
    const isLarge = (await source.size()) - start.offset >= bytesWorthThread
    const { longTexts } = format
    if (framing === 'lines' && longTexts !== undefined && isLarge && hasHelper(taken))
      yield* slicesOfTwo(source, start, { format, longTexts, createWorker, helperAfterMs })
    else yield* plainSlices(source, start, chunkBytes)
  }
}

interface Cutting {
  readonly format: LogFormat
  readonly longTexts: LongTexts
  readonly createWorker: CreateWorker
  readonly helperAfterMs: number
}

/**
 * The bytes of a file from `start` on in order, most of them as lines that another thread has cut. What comes first is given as it is, so its
 * rows are there before that thread has begun. Throws where the source cannot be read on, after all that comes before.
 */
async function* slicesOfTwo(
  source: LogSource,
  start: SliceStart,
  { format, longTexts, createWorker, helperAfterMs }: Cutting
): AsyncGenerator<Slice> {
  const ahead = new ReadAhead(source, start, chunksAhead)
  const thread = new CuttingThread(createWorker, longTexts, helperAfterMs, ahead)
  try {
    for (let first = await ahead.first(); first !== null; first = await ahead.first()) {
      ahead.handOut(thread)
      if (first.away) await ahead.news()
      else {
        yield* slicesOf(first, format)
        ahead.firstIsDone()
      }
    }
  } finally {
    ahead.stop()
    await thread.close()
  }
}

function* slicesOf({ piece, cut }: PieceAhead, format: LogFormat): Generator<Slice> {
  if (cut !== null && 'bytes' in piece) yield linesOf(format, piece, cut)
  else {
    const bytes = 'bytes' in piece ? piece.bytes : piece.part
    for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
  }
}
