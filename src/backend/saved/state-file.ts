import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import * as z from 'zod'
import { arrayOf, nameOf, type SavedState } from '#core/state/saved-state.ts'
import type { StateArray } from '#core/state/fork-state.ts'

/** A saved state: the bytes of its arrays, its structure, `Contents` as JSON, and a trailer. Numbers are little-endian. */
const Contents = z.object({
  label: z.unknown(),
  /** Kind and length in bytes of each array. */
  arrays: z.array(z.tuple([z.string(), z.int().min(0)])),
  structureBytes: z.int().min(0)
})
type Contents = z.infer<typeof Contents>

const magic = 0x50_4c_48_31
/** Magic, length of the contents, checksum of all before the trailer. */
const trailerBytes = 12
/** Size of a read or write. */
const blockBytes = 4 << 20
/** The system's limit for one `readv`. */
const maxBuffers = 256

/** The bytes of a file. `label` is JSON. The state must not change meanwhile. */
export function* stateBytes(label: unknown, { structure, arrays }: SavedState): Generator<Uint8Array> {
  const text = Buffer.from(structure)
  const contents: Contents = {
    label,
    arrays: arrays.map((array) => [nameOf(array), array.byteLength]),
    structureBytes: text.length
  }
  const contentBytes = Buffer.from(JSON.stringify(contents))
  let sum = 0
  for (const bytes of blocks([...arrays.map(bytesOf), text, contentBytes])) {
    sum = crc32(bytes, sum)
    yield bytes
  }
  const trailer = Buffer.alloc(trailerBytes)
  trailer.writeUInt32LE(contentBytes.length, 0)
  trailer.writeUInt32LE(sum, 4)
  trailer.writeUInt32LE(magic, 8)
  yield trailer
}

/** The label alone. Throws if the file is no complete saved state. */
export async function readLabel(file: FileHandle): Promise<unknown> {
  return (await readContents(file)).label
}

/** Throws if the file is damaged. */
export async function readState(file: FileHandle): Promise<SavedState> {
  const { arrays: kinds, structureBytes, sum: expected, contentBytes } = await readContents(file)
  const parts = kinds.map(([, bytes]) => new Uint8Array(bytes))
  const text = new Uint8Array(structureBytes)
  let sum = 0
  let at = 0
  for (const group of groupsOf([...parts, text, new Uint8Array(contentBytes)])) {
    const wanted = group.reduce((bytes, part) => bytes + part.length, 0)
    const { bytesRead } = await file.readv(group, at)
    if (bytesRead < wanted) throw new RangeError('the file is shorter than it says')
    for (const part of group) sum = crc32(part, sum)
    at += wanted
  }
  if (sum !== expected) throw new RangeError('the file was damaged')
  const arrays = parts.map((part, i) => arrayOf(kinds[i]?.[0] ?? '', part.buffer))
  return { structure: Buffer.from(text.buffer).toString(), arrays }
}

async function readContents(file: FileHandle): Promise<Contents & { sum: number; contentBytes: number }> {
  const { size } = await file.stat()
  if (size < trailerBytes) throw new RangeError('the file is too short')
  const trailer = Buffer.alloc(trailerBytes)
  await file.read(trailer, 0, trailerBytes, size - trailerBytes)
  const contentBytes = trailer.readUInt32LE(0)
  if (trailer.readUInt32LE(8) !== magic || contentBytes > size - trailerBytes) throw new RangeError('not a saved state')
  const bytes = Buffer.alloc(contentBytes)
  await file.read(bytes, 0, contentBytes, size - trailerBytes - contentBytes)
  const contents = Contents.parse(JSON.parse(bytes.toString()))
  const length = contents.arrays.reduce((sum, [, one]) => sum + one, contents.structureBytes)
  if (length + contentBytes + trailerBytes !== size) throw new RangeError('the file is not as long as it says')
  return { ...contents, sum: trailer.readUInt32LE(4), contentBytes }
}

function bytesOf(array: StateArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

/** Joins short arrays into blocks, for fewer system calls. */
function* blocks(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  const block = Buffer.allocUnsafeSlow(blockBytes)
  let filled = 0
  for (const part of parts) {
    for (let at = 0; at < part.length;) {
      const take = Math.min(part.length - at, blockBytes - filled)
      block.set(part.subarray(at, at + take), filled)
      filled += take
      at += take
      if (filled < blockBytes) continue
      yield block
      filled = 0
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
}

function* groupsOf(parts: readonly Uint8Array[]): Generator<Uint8Array[]> {
  let group: Uint8Array[] = []
  let bytes = 0
  for (const part of parts) {
    group.push(part)
    bytes += part.length
    if (bytes < blockBytes && group.length < maxBuffers) continue
    yield group
    group = []
    bytes = 0
  }
  if (group.length > 0) yield group
}
