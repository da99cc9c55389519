const ESC = String.fromCharCode(0x1b)
const BEL = String.fromCharCode(0x07)
const CSI = String.fromCharCode(0x9b)

/**
 * CSI, OSC, device strings and two-character escapes; also a CSI that is cut at the end of the text. Every alternative
 * stops at the next ESC, so matching is linear.
 */
export const terminalSequence: RegExp = new RegExp(
  [
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]`,
    `${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)`,
    `${ESC}[PX^_][^${ESC}]*${ESC}\\\\`,
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*$`,
    `${ESC}[ -/]*[0-~]`
  ].join('|'),
  'g'
)

/** `text` without terminal sequences. Linear in its length. */
export function withoutTerminalSequences(text: string): string {
  return text.replace(terminalSequence, '')
}

export function hasTerminalSequences(text: string): boolean {
  return text.includes(ESC) || text.includes(CSI)
}
