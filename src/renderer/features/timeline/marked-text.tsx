import { type FindText, patternOf } from './find-pattern.ts'

/** A text with all matches of `find` marked. */
export function MarkedText({ text, find }: { text: string; find: FindText }) {
  const pattern = patternOf(find)
  if (pattern === null) return text
  return splitAtHits(text, pattern).map((part, index) => (index % 2 === 0 ? part : <mark key={index}>{part}</mark>))
}

/** Text, match, text, match, …, text. `pattern` has the flag `g`. Empty matches are skipped. */
export function splitAtHits(text: string, pattern: RegExp): string[] {
  const parts: string[] = []
  let from = 0
  for (const { 0: hit, index } of text.matchAll(pattern)) {
    if (hit === '') continue
    parts.push(text.slice(from, index), hit)
    from = index + hit.length
  }
  parts.push(text.slice(from))
  return parts
}
