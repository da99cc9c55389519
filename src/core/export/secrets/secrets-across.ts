import { findSecrets, signPlaces } from './find-secrets.ts'
import { isRandom } from './secret-names.ts'
import { mergedSpans, type SecretSpan } from './secret-span.ts'

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
 * Secrets within one text are left out, unless it has a part of another. The first or last text of a secret may be only a part of it: `All done`,
 * `ghp_…`, `…`, `Next`.
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
  const borders = stretches.filter(({ at, from }) => at === 0 && from > 0).map(({ from }) => from)
  const spans = mergedSpans(
    secretsAtBorders(all, borders),
    findSecrets(all).map((span) => ({ ...span, end: wholeEnd(all, 0, span, borders) }))
  )
  let first = 0
  for (const { kind, start, end } of spans) {
    while ((stretches[first + 1]?.from ?? Infinity) <= start) first++
    const own: { stretch: Stretch; from: number; to: number }[] = []
    for (let i = first; i < stretches.length; i++) {
      const stretch = stretches[i]
      if (stretch === undefined || stretch.from >= end) break
      const from = Math.max(start, stretch.from)
      const to = Math.min(end, stretch.from + stretch.length)
      if (from < to) own.push({ stretch, from, to })
    }
    if (new Set(own.map(({ stretch }) => stretch.text)).size < 2) continue
    for (const [i, { stretch, from, to }] of own.entries()) {
      const span = { kind, start: stretch.at + from - stretch.from, end: stretch.at + to - stretch.from }
      parts[stretch.text]?.push(i === 0 ? span : { ...span, continues: true })
    }
  }
  // What announces another secret of such a text may be gone with its part.
  return parts.map((own, i) => (own.length === 0 ? own : mergedSpans(own, findSecrets(texts[i] ?? ''))))
}

/** Kinds of values that a name announces. */
const announced: ReadonlySet<string> = new Set(['password', 'access token', 'API key', 'secret'])
/** Texts of a secret after which it may end. */
const maxParts = 8

/** The end of a secret: the first border after which the next text starts with a word rather than continues it. */
function wholeEnd(all: string, from: number, { kind, start, end }: SecretSpan, borders: readonly number[]): number {
  const first = firstAfter(borders, start)
  for (let i = first; i < first + maxParts && (borders[i] ?? Infinity) < end; i++) {
    const border = borders[i] ?? end
    const before = all.slice(Math.max(from, start - edge), border)
    const whole = findSecrets(before).find((span) => span.end === before.length)
    const rest = all.slice(border, end)
    if (whole === undefined) {
      // `token: colors.blue`, `Next`: what only a name announces is not known by its shape.
      if (announced.has(kind) && /^[A-Za-z_]+[=:]?$/.test(rest)) return border
      continue
    }
    const continues = whole.lacks === undefined ? isToken(rest) : whole.lacks > 0
    // The next text may begin with another secret.
    const next = all.slice(border, Math.min(border + edge, borders[i + 1] ?? Infinity))
    if (!continues || findSecrets(next).some((span) => span.start < rest.length)) return border
  }
  return end
}

/** Whether a text is the rest of a token rather than a word. */
function isToken(rest: string): boolean {
  return rest.length >= 6 && (isRandom(rest) || /[a-z][A-Z].*[a-z][A-Z]/.test(rest))
}

/** A character that may be part of a secret. */
const inside = /[\w.~+/=-]/
/** A text in which a secret that goes on in the next may begin: one word, or a name and a value. */
const maybeSecret = /^\S{0,80}\s{0,4}(?:is\s)?\S*$/
/** Texts around a sign at whose hidden borders its secret may begin or end. */
const maxTexts = 3
/** Maximum length of a secret before its sign, or of a name. */
const maxBefore = 80
/** Text before a secret without a border, for what announces it. */
const context = 200

/** The secrets across texts that begin or end at a border which the joined text does not show: `doneghp_…`. */
function secretsAtBorders(all: string, borders: readonly number[]): SecretSpan[] {
  const isHidden = (border: number): boolean => inside.test(all.charAt(border - 1)) && inside.test(all.charAt(border))
  const textBefore = (i: number): string => all.slice(borders[i - 1] ?? 0, borders[i])
  const begins = new Set(borders.filter((border, i) => isHidden(border) && maybeSecret.test(textBefore(i + 1))))
  const ends = new Set(borders.filter((border, i) => isHidden(border) && /^\S+$/.test(textBefore(i))))
  if (begins.size + ends.size === 0) return []
  const spans: SecretSpan[] = []
  const done = new Set<string>()
  for (const place of signPlaces(all)) {
    const next = firstAfter(borders, place)
    const before = borders.slice(Math.max(0, next - maxTexts), next).filter((border) => place - border <= maxBefore)
    const after = borders.slice(next, next + maxTexts).filter((border) => border - place <= edge)
    const first = Math.max(0, place - context, borders[next - maxTexts - 1] ?? 0)
    const last = Math.min(all.length, place + edge, borders[next + maxParts] ?? all.length)
    for (const from of [...before.filter((border) => begins.has(border)), first]) {
      for (const to of [...after.filter((border) => ends.has(border)), last]) {
        const within = borders[firstAfter(borders, from)] ?? to
        if (within >= to || (from === first && to === last) || done.has(`${from} ${to}`)) continue
        done.add(`${from} ${to}`)
        for (const { start, end, ...span } of findSecrets(all.slice(from, to))) {
          // Others are found in the joined text; what is cut off at `first` may belong to them.
          const isNew =
            from === first ? from + end === to && start >= Math.min(maxBefore, place - from) : start <= maxBefore
          if (!isNew || from + end <= within) continue
          const joined = { ...span, start: from + start, end: from + end }
          spans.push({ ...joined, end: wholeEnd(all, from, joined, borders) })
        }
      }
    }
  }
  return mergedSpans(spans)
}

/** The index of the first border after a place. */
function firstAfter(borders: readonly number[], place: number): number {
  let from = 0
  let to = borders.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((borders[middle] ?? 0) <= place) from = middle + 1
    else to = middle
  }
  return from
}
