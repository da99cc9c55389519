import { findSecrets } from './find-secrets.ts'
import { isRandom } from './secret-names.ts'
import type { SecretSpan } from './secret-span.ts'

/** A secret that begins in one text and ends in another one is no longer before and behind the place where they meet. */
const edge = 600

/** A stretch of a text in all of them together. */
interface Stretch {
  readonly text: number
  /** Where it begins in its text. */
  readonly at: number
  /** And in all. */
  readonly from: number
  readonly length: number
}

/**
 * The secrets that stand in several of the texts, which follow each other: for each text its parts of them, ascending. Of a secret, the parts
 * behind the first one `goesOn`. Those within one text are left out.
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
    // Nothing reaches over an empty line.
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
    if (new Set(own.map(({ stretch }) => stretch.text)).size < 2 || !goesOn(all, start, own[0]?.to ?? end, end))
      continue
    for (const [i, { stretch, from, to }] of own.entries()) {
      const span = { kind, start: stretch.at + from - stretch.from, end: stretch.at + to - stretch.from }
      parts[stretch.text]?.push(i === 0 ? span : { ...span, goesOn: true })
    }
  }
  return parts
}

/** Whether a secret needs what stands behind `cut`, or that looks like more of it: the next text may just begin with a word. */
function goesOn(all: string, start: number, cut: number, end: number): boolean {
  const before = all.slice(Math.max(0, start - edge), cut)
  const isWhole = findSecrets(before).some((span) => span.end === before.length)
  return !isWhole || (end - cut >= 6 && isRandom(all.slice(cut, end)))
}
