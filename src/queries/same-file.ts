import type { EventIndex } from '#core/index/event-index.ts'
import { filesOfCall, mentionsFile } from '#core/index/tool-files.ts'
import type { JsonObject } from '#core/json.ts'
import { isSameFile, lastName } from '#core/paths/path-names.ts'
import type { Result } from '#contract/methods.ts'
import type { RunBytes } from './block-cache.ts'

/** Limits of one answer; the caller may continue with the next one. */
const maxBytes = 16 << 20
const maxRows = 100_000
const pieceBytes = 1 << 20

/** A log to search for calls about a file. */
export interface CallsOfLog {
  readonly rows: EventIndex
  readonly bytes: RunBytes
  /** Of the session; null: not stated. */
  readonly folder: string | null
  /** The input of the call at a row; null if its line no longer has a call. */
  inputOf(row: number): Promise<JsonObject | null>
}

/** The next call after (-1: before) `from` about a file of the call at `row`. Decodes only lines with the file's name. */
export async function sameFile(
  log: CallsOfLog,
  { row, from, direction }: { row: number; from: number; direction: 1 | -1 }
): Promise<Result<'log.sameFile'>> {
  const { rows: index } = log
  const call = index.isCall(row) ? row : index.callOf(row)
  const input = call < 0 ? null : await log.inputOf(call)
  const files = input === null ? [] : filesOfCall(input)
  if (files.length === 0) return { row: null, goOnFrom: null, files: [] }
  const needles = files.map(needleOf)
  let bytes = 0
  for (let at = from + direction, looked = 0; at >= 0 && at < index.rows; at += direction, looked++) {
    if (bytes >= maxBytes || looked >= maxRows) return { row: null, goOnFrom: at - direction, files: [...files] }
    if (!index.isCall(at)) continue
    const { file, offset, length } = index.place(at)
    bytes += length
    if (!(await holdsAny(log.bytes, file, offset, length, needles))) continue
    const other = await log.inputOf(at)
    if (other !== null && isAbout(other, files, log.folder)) return { row: at, goOnFrom: at, files: [...files] }
  }
  return { row: null, goOnFrom: null, files: [...files] }
}

function isAbout(input: JsonObject, files: readonly string[], folder: string | null): boolean {
  const named = filesOfCall(input)
  return files.some(
    (file) => named.some((other) => isSameFile(file, other, folder)) || mentionsFile(input, file, folder)
  )
}

/** The longest part of a file's name with a single JSON form, as bytes in lower case; empty: any line may contain the name. */
function needleOf(path: string): Uint8Array {
  const parts = lastName(path).match(/[\w .@#~-]+/g) ?? []
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '')
  return Uint8Array.from(longest.toLowerCase(), (character) => character.charCodeAt(0))
}

async function holdsAny(
  bytes: RunBytes,
  file: string | undefined,
  offset: number,
  length: number,
  needles: readonly Uint8Array[]
): Promise<boolean> {
  const overlap = Math.max(...needles.map((needle) => needle.length)) - 1
  for (let from = 0; from < length; from += pieceBytes) {
    const piece = await bytes.read(file, offset + from, Math.min(pieceBytes + overlap, length - from))
    if (needles.some((needle) => holds(piece, needle))) return true
  }
  return false
}

/** In any case: that of a path of Windows does not matter. */
function holds(bytes: Uint8Array, needle: Uint8Array): boolean {
  const [first] = needle
  if (first === undefined) return true
  // Each case on its own, as the engine is fast to find one byte.
  const isLetter = first >= 0x61 && first <= 0x7a
  return beginsWith(bytes, needle, first) || (isLetter && beginsWith(bytes, needle, first - 0x20))
}

/** `first`: the first byte of a needle in the bytes. */
function beginsWith(bytes: Uint8Array, needle: Uint8Array, first: number): boolean {
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let same = 1
    while (same < needle.length && small(bytes[at + same] ?? 0) === needle[same]) same++
    if (same === needle.length) return true
  }
  return false
}

/** The small letter of an ASCII capital. */
function small(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}
