import type { Framing } from '#core/formats/log-format.ts'
import type { EventIndex } from '#core/index/event-index.ts'

/** A byte that stands between any two records and is rarer than most in one. */
const separators = { lines: 0x0a, document: 0x2c } as const satisfies Record<Framing, number>
const rowsPerTurn = 50_000

/** A file that is searched. */
export interface Searched {
  /** Its bytes in order; each chunk is valid until the next one is asked for. */
  chunks(): AsyncIterable<Uint8Array>
  readonly framing: Framing
}

/**
 * Offsets at which `text` begins, ascending, about one for each line that holds it; null once `superseded` says so.
 * Looks at bytes: for the text as it is and as JSON writes it inside a string (`\n`, `\"`, `\u00e9`). Without
 * `caseSensitive` only A-Z and a-z count as the same letter; other scripts are compared exactly.
 */
export async function findOffsets(
  { chunks, framing }: Searched,
  text: string,
  caseSensitive: boolean,
  superseded: () => boolean
): Promise<Float64Array | null> {
  const needles = needlesOf(text, caseSensitive)
  const overlap = Math.max(0, ...needles.map((needle) => needle.length - 1))
  const hits: number[] = []
  let window = Buffer.alloc(0)
  let kept = 0
  let end = 0
  for await (const chunk of chunks()) {
    if (superseded()) return null
    if (window.length < kept + chunk.length) window = Buffer.concat([window.subarray(0, kept)], overlap + chunk.length)
    window.set(chunk, kept)
    const bytes = window.subarray(0, kept + chunk.length)
    if (!caseSensitive) lowerCase(bytes.subarray(kept))
    end += chunk.length
    pushHits(bytes, needles, separators[framing], end - bytes.length, hits)
    // A text may begin in one chunk and end in the next.
    kept = Math.min(overlap, bytes.length)
    window.copyWithin(0, bytes.length - kept, bytes.length)
  }
  return Float64Array.from(hits)
}

/** The rows whose line holds one of the offsets of its file, ascending; null once `superseded` says so. */
export async function rowsHolding(
  index: EventIndex,
  offsetsOf: ReadonlyMap<string | undefined, Float64Array>,
  superseded: () => boolean
): Promise<Uint32Array<ArrayBuffer> | null> {
  const rows: number[] = []
  for (let row = 0; offsetsOf.size > 0 && row < index.rows; row++) {
    const { file, offset, length } = index.place(row)
    const offsets = offsetsOf.get(file)
    const next = offsets?.[lowerBound(offsets, offset)]
    if (next !== undefined && next < offset + length) rows.push(row)
    if (row % rowsPerTurn === rowsPerTurn - 1) {
      await new Promise((resume) => setImmediate(resume))
      if (superseded()) return null
    }
  }
  return Uint32Array.from(rows)
}

function needlesOf(text: string, caseSensitive: boolean): Buffer[] {
  const escaped = JSON.stringify(text).slice(1, -1)
  const ascii = escaped.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const needles = [...new Set([text, escaped, ascii])]
    .filter((form) => !form.includes('\n'))
    .map((form) => Buffer.from(form))
  if (!caseSensitive) needles.forEach(lowerCase)
  return needles
}

function lowerCase(bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte >= 0x41 && byte <= 0x5a) bytes[i] = byte | 0x20
  }
}

/** One hit of each needle per record is enough: a search for one letter must not collect every letter of the file. */
function pushHits(bytes: Buffer, needles: readonly Buffer[], separator: number, start: number, hits: number[]): void {
  const found: number[] = []
  for (const needle of needles) {
    for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at)) {
      found.push(start + at)
      at = bytes.indexOf(separator, at)
      if (at < 0) break
    }
  }
  found.sort((a, b) => a - b)
  for (const hit of found) if (hit > (hits.at(-1) ?? -1)) hits.push(hit)
}

function lowerBound(offsets: Float64Array, value: number): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((offsets[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
