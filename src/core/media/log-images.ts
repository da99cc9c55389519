import { callOf, imageOf } from '../formats/agents.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../json.ts'
import { memberPath } from '../json-path.ts'
import { bytesOfBase64 } from './base64.ts'
import { imageTypeOf, type ImageType } from './image-type.ts'

/** An image as written in a record. */
interface PlacedImage {
  readonly path: string
  readonly declared: string
  readonly data: string
}

/** An image of a record. */
export interface LogImage {
  /** JSON path of its value. */
  readonly path: string
  readonly declared: string
  /** Null: see `problem`. */
  readonly type: ImageType | null
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Why it is not shown: a sentence for the user. */
  readonly problem: string | null
}

const maxDepth = 12
const maxValues = 20_000
/** Limits for one record: images, bytes of one, bytes of all. */
const maxImages = 20
const maxBytes = 16 << 20
const maxBytesTogether = 32 << 20

/** The number of images of the call or result `toolId`; null: of none. */
export function countImages(record: JsonValue, toolId: string | null): number {
  return writtenImages(record, toolId).length
}

/**
 * The images of the call `toolId` in a record; null: of no call. The bytes determine the type; an image that is too
 * large or invalid has no bytes.
 */
export function logImages(record: JsonValue, toolId: string | null): readonly LogImage[] {
  let room = maxBytesTogether
  return writtenImages(record, toolId).map(({ path, declared, data }) => {
    const absent = (problem: string): LogImage => ({ path, declared, type: null, bytes: new Uint8Array(), problem })
    const size = (data.length * 3) / 4
    if (size > maxBytes) return absent(`The image has ${megabytes(size)} MB. The limit is ${megabytes(maxBytes)} MB.`)
    if (size > room) return absent('The record holds more images than are shown at once.')
    const bytes = bytesOfBase64(data)
    if (bytes === null) return absent('Its data is not base64.')
    const type = imageTypeOf(bytes)
    if (type === null) return absent(`It is not a PNG, JPEG, GIF or WebP image.`)
    room -= bytes.length
    return { path, declared, type, bytes, problem: null }
  })
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / (1 << 20))
}

/** In record order, without duplicates: agents write some twice. */
function writtenImages(record: JsonValue, toolId: string | null): readonly PlacedImage[] {
  const found: PlacedImage[] = []
  let values = maxValues
  const visit = (value: JsonValue, path: string, owner: string | null, depth: number) => {
    if (typeof value !== 'object' || value === null || depth > maxDepth || found.length >= maxImages) return
    if (values-- <= 0) return
    if (Array.isArray(value)) {
      for (const [index, member] of (value as readonly JsonValue[]).entries())
        visit(member, memberPath(path, index), owner, depth + 1)
      return
    }
    if (!isJsonObject(value)) return
    const image = writtenImage(value)
    if (image !== null) {
      const known = found.some(({ data }) => data === image.data)
      if (owner === toolId && !known) found.push({ path, ...image })
      return
    }
    const inner = callOf(value) ?? owner
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === 'object' && member !== null) visit(member, memberPath(path, key), inner, depth + 1)
    }
  }
  visit(record, '$', null, 0)
  return found
}

function writtenImage(value: JsonObject): { declared: string; data: string } | null {
  // MCP servers.
  const data = value['type'] === 'image' ? stringAt(value, 'data') : undefined
  const image = data === undefined ? imageOf(value) : { declared: stringAt(value, 'mimeType'), data }
  // Other media use the same members.
  if (image?.data === undefined || image.data === '' || image.declared?.startsWith('image/') === false) return null
  return { declared: image.declared ?? 'image', data: image.data }
}
