import type { LogFormat } from '#core/formats/log-format.ts'
import type { LogSource } from '../sources/log-source.ts'
import type { Run } from '../sources/run.ts'
import { plainSlices, type ReadSlices, type Slice, sliceBytes, type SliceStart } from '../sources/slices.ts'
import { outlinesHere, readOutlines } from './decode-batch.ts'
import { DecodeCrew } from './decode-crew.ts'
import type { DecodeTask } from './decode-helper.ts'
import { indexThreads } from './index-threads.ts'
import type { CreateWorker } from './log-worker.ts'
import { type PieceAhead, ReadAhead } from './read-ahead.ts'

const chunkBytes = 1 << 20
/** Enough that no thread has to wait, and no more. */
const chunksOfThread = 2

/**
 * Reads the main file of a run on as many threads as are worth it; `createWorker` starts one more of the indexer's.
 */
export function readMainOf(
  { chosen: { format, framing } }: Run,
  createWorker: CreateWorker,
  { helpersAfterMs = 0, taken = 0 }: ReadMainOptions = {}
): ReadSlices {
  return async function* (source, start) {
    const threads = framing === 'lines' ? indexThreads((await source.size()) - start.offset, taken) : 1
    const helpers = threads - 1
    if (helpers > 0) yield* parallelSlices(source, start, { format, createWorker, helpers, helpersAfterMs })
    else yield* plainSlices(source, start, chunkBytes)
  }
}

interface ReadMainOptions {
  /** When the other threads are started. */
  readonly helpersAfterMs?: number
  /** How many processors somebody else needs. */
  readonly taken?: number
}

/** Who decodes, and what. */
interface Decoding {
  readonly format: LogFormat
  readonly createWorker: CreateWorker
  /** How many threads beside this one. */
  readonly helpers: number
  readonly helpersAfterMs: number
}

/**
 * The bytes of a file from `start` on in order, most of them as outlines of their lines (`outline.ts`): other threads decode, and so
 * does this one where it would wait for them. What comes first is given as it is, so its rows are there before another thread has
 * begun. Throws where the source cannot be read on, after all that comes before.
 */
async function* parallelSlices(
  source: LogSource,
  start: SliceStart,
  { format, createWorker, helpers, helpersAfterMs }: Decoding
): AsyncGenerator<Slice> {
  const ahead = new ReadAhead(source, start, chunksOfThread * (helpers + 1))
  const task: DecodeTask = { role: 'decode', format: format.id }
  const crew = new DecodeCrew(createWorker, { count: helpers, task, afterMs: helpersAfterMs }, ahead)
  try {
    for (let first = await ahead.first(); first !== null; first = await ahead.first()) {
      ahead.handOut(crew)
      if (!first.away) {
        yield* slicesOf(first, format)
        ahead.firstIsDone()
        continue
      }
      const other = ahead.waiting()
      if (other === undefined) await ahead.news()
      else {
        other.lines = outlinesHere(format, other.piece)
        await breath()
      }
    }
  } finally {
    ahead.stop()
    await crew.close()
  }
}

function* slicesOf(ahead: PieceAhead, format: LogFormat): Generator<Slice> {
  const { piece, lines, outlines } = ahead
  if (lines !== null) yield lines
  else if (outlines !== null && 'bytes' in piece) yield readOutlines(format, piece, outlines)
  else {
    const bytes = 'bytes' in piece ? piece.bytes : piece.part
    for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
  }
}

/** Whoever waits is answered. */
async function breath(): Promise<void> {
  await new Promise((resume) => setImmediate(resume))
}
