import { findSecrets } from './find-secrets.ts'
import { isRandom } from './secret-names.ts'
import type { SecretSpan } from './secret-span.ts'

/** Maximum length of a secret on each side of the border of two texts. */
const edge = 600

/** A part of a text in the joined text. */
interface Stretch {
  readonly text: number
  /** Its start in the text. */
  readonly at: number
  /** Its start in the joined text. */
  readonly from: number
  readonly length: number
}

/**
 * The secrets across consecutive texts: for each text its parts, ascending. Later parts of a secret have `continues`.
 * Secrets within one text are left out.
 */
export function secretsAcross(texts: readonly string[]): SecretSpan[][] {
  const parts: SecretSpan[][] = texts.map(() => [])
  const stretches: Stretch[] = []
  let all = ''
  const add = (text: number, at: number, piece: string): void => {
    stretches.push({ text, at, from: all.length, length: piece.length })
    all += piece
  }
  for (const [number, text] of texts.entries()) {
    if (text.length <= 2 * edge) {
      add(number, 0, text)
      continue
    }
    add(number, 0, text.slice(0, edge))
    // No secret spans an empty line.
    all += '\n\n'
    add(number, text.length - edge, text.slice(-edge))
  }
  let first = 0
  for (const { kind, start, end } of findSecrets(all)) {
    while ((stretches[first + 1]?.from ?? Infinity) <= start) first++
    const own: { stretch: Stretch; from: number; to: number }[] = []
    for (let i = first; i < stretches.length; i++) {
      const stretch = stretches[i]
      if (stretch === undefined || stretch.from >= end) break
      const from = Math.max(start, stretch.from)
      const to = Math.min(end, stretch.from + stretch.length)
      if (from < to) own.push({ stretch, from, to })
    }
    if (new Set(own.map(({ stretch }) => stretch.text)).size < 2 || !continues(all, start, own[0]?.to ?? end, end))
      continue
    for (const [i, { stretch, from, to }] of own.entries()) {
      const span = { kind, start: stretch.at + from - stretch.from, end: stretch.at + to - stretch.from }
      parts[stretch.text]?.push(i === 0 ? span : { ...span, continues: true })
    }
  }
  return parts
}

/** Whether a secret continues after `cut`, rather than the next text starting with a word. */
function continues(all: string, start: number, cut: number, end: number): boolean {
  const before = all.slice(Math.max(0, start - edge), cut)
  const isWhole = findSecrets(before).some((span) => span.end === before.length)
  return !isWhole || (end - cut >= 6 && isRandom(all.slice(cut, end)))
}
