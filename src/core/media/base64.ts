/** By character code: the six bits it stands for; 64 for white space and padding, which are skipped; 255 for what is no base64. */
const values = new Uint8Array(128).fill(255)
for (const [bits, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  values[char.charCodeAt(0)] = bits
}
values['-'.charCodeAt(0)] = 62
values['_'.charCodeAt(0)] = 63
for (const skipped of ' \t\r\n=') values[skipped.charCodeAt(0)] = 64

/** The bytes that `text` stands for, in the alphabet of either kind, with or without padding; null where it is no base64. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let filled = 0
  let bits = 0
  let held = 0
  for (let at = 0; at < text.length; at++) {
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
