/** By character code: the six bits it stands for; 64 for white space, which is skipped; 255 for what is no base64. */
const values = new Uint8Array(128).fill(255)
for (const [bits, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  values[char.charCodeAt(0)] = bits
}
values['-'.charCodeAt(0)] = 62
values['_'.charCodeAt(0)] = 63
for (const space of ' \t\r\n') values[space.charCodeAt(0)] = 64

/** The bytes that `text` stands for, in the alphabet of either kind, with or without padding; null where it is no base64. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0x3d) end--
  const bytes = new Uint8Array(Math.floor((end * 3) / 4))
  let filled = 0
  let bits = 0
  let held = 0
  for (let at = 0; at < end; at++) {
    const value = values[text.charCodeAt(at)] ?? 255
    if (value === 64) continue
    if (value === 255) return null
    held = (held << 6) | value
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[filled++] = (held >> bits) & 0xff
  }
  // One character alone is no byte.
  return bits === 6 ? null : bytes.subarray(0, filled)
}
