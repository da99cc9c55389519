import { formatBytes, formatPlural } from '../../ui/format.ts'

/** Longer texts get no byte count, because counting needs an encoded copy. */
const countedBytes = 1_000_000

/** "14 lines · 612 B". */
export function sizeText(text: string): string {
  if (text === '') return ''
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  const size =
    text.length > countedBytes
      ? formatPlural(text.length, 'character')
      : formatBytes(new TextEncoder().encode(text).length)
  return `${formatPlural(lines, 'line')} · ${size}`
}
