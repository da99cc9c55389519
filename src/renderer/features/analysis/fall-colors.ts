import { tokenColors } from '../../ui/token-colors.ts'

const tokens = {
  ground: '--bg-surface',
  band: '--bg-band',
  line: '--line',
  edge: '--line-strong',
  hatch: '--hatch',
  text: '--text-3',
  words: '--text',
  call: '--kind-tool',
  callSoft: '--span-tool',
  failed: '--kind-error',
  failedSoft: '--span-fail',
  quiet: '--text-3',
  context: '--ctx-read'
} as const

/** The colors of the waterfall. */
export type FallColors = Readonly<Record<keyof typeof tokens, string>>

/** The colors of the current theme. */
export function fallColors(element: HTMLElement): FallColors {
  return tokenColors(element, tokens)
}
