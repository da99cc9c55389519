/** Image types to draw. Not SVG, which is a document. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

/** The type by the first bytes, whatever is declared; null: not an image to draw. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  // GIF87a, GIF89a
  if (startsWith(bytes, [0x47, 0x49, 0x46, 0x38]) && bytes[5] === 0x61) return 'image/gif'
  // RIFF….WEBP
  const riff = startsWith(bytes, [0x52, 0x49, 0x46, 0x46])
  if (riff && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50])) return 'image/webp'
  return null
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}
