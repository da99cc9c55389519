/** By character code: its six bits; 64 for skipped white space and padding; 255 if invalid. */
const values = new Uint8Array(128).fill(255)
for (const [bits, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  values[char.charCodeAt(0)] = bits
}
values['-'.charCodeAt(0)] = 62
values['_'.charCodeAt(0)] = 63
for (const skipped of ' \t\r\n=') values[skipped.charCodeAt(0)] = 64

/** The bytes of `text`, in either alphabet, with or without padding; null if it is not base64. */
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
  // A single character is not a byte.
  return bits === 6 ? null : bytes.subarray(0, filled)
}
