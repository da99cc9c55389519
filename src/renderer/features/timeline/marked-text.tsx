/** What is searched for; an empty text is nothing. */
export interface FindMark {
  readonly text: string
  readonly caseSensitive: boolean
}

/** A text with every place marked where `find` stands in it. */
export function MarkedText({ text, find: { text: find, caseSensitive } }: { text: string; find: FindMark }) {
  if (find === '') return text
  return splitAtHits(text, find, caseSensitive).map((part, index) =>
    index % 2 === 0 ? part : <mark key={index}>{part}</mark>
  )
}

/** Text, hit, text, hit, …, text. */
export function splitAtHits(text: string, find: string, caseSensitive: boolean): string[] {
  const parts: string[] = []
  // Lower case may be longer than what it stands for ("İ"); where it is, places would not fit and nothing is marked.
  const folded = caseSensitive ? text : text.toLowerCase()
  const wanted = caseSensitive ? find : find.toLowerCase()
  let from = 0
  for (let at = folded.indexOf(wanted); at >= 0 && folded.length === text.length; at = folded.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length))
    from = at + wanted.length
  }
  parts.push(text.slice(from))
  return parts
}
