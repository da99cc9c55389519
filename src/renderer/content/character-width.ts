/** Code points that are two terminal columns wide: East Asian scripts, full-width forms, and emoji. */
const wide = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd]
] as const

/** Columns of a tab stop, as in the style sheets. */
export const tabColumns = 4

/** Columns of the character `code` in a monospaced font: 0 for combining marks, 2 for wide characters. */
export function characterWidth(code: number): 0 | 1 | 2 {
  if (code < 0x300) return 1
  if (code <= 0x36f || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f)) return 0
  if (code < 0x1100) return 1
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1
}
