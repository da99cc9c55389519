/** Above this product of lengths, the search of the engine could take minutes for texts that repeat themselves. */
const maxProduct = 100_000_000

/** As `text.indexOf(wanted, from)`, in linear time for any texts. */
export function textPlace(text: string, wanted: string, from = 0): number {
  if (wanted.length > text.length - from) return -1
  if (wanted.length * (text.length - from) <= maxProduct) return text.indexOf(wanted, from)
  const borders = bordersOf(wanted)
  let matched = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0
    if (wanted.charCodeAt(matched) === code) matched++
    if (matched === wanted.length) return at + 1 - matched
  }
  return -1
}

/** By length of a start of the text: how many characters of its end are also its start (Knuth, Morris, Pratt). */
function bordersOf(wanted: string): Int32Array {
  const borders = new Int32Array(wanted.length)
  for (let at = 1, length = 0; at < wanted.length; at++) {
    const code = wanted.charCodeAt(at)
    while (length > 0 && wanted.charCodeAt(length) !== code) length = borders[length - 1] ?? 0
    if (wanted.charCodeAt(length) === code) length++
    borders[at] = length
  }
  return borders
}
