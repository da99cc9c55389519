/** The kinds of image that are drawn, by their first bytes. SVG is not among them: it is a program as much as a picture. */
const kinds: readonly { readonly type: string; readonly first: readonly (number | null)[] }[] = [
  { type: 'image/png', first: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', first: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', first: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', first: [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50] }
]

/** The media type of an image that may be drawn, told from its bytes and not from what somebody says; null: none of them. */
export function imageType(bytes: Uint8Array): string | null {
  return kinds.find(({ first }) => first.every((byte, at) => byte === null || bytes[at] === byte))?.type ?? null
}
