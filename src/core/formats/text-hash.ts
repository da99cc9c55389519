/** Characters hashed at the start, at the end, and in samples between. */
const wholeLength = 1024

/**
 * A hash of a text: 52 bits, so collisions are practically impossible. FNV-1a over pairs of code units in two halves,
 * each with the other unit where changes spread furthest. Long texts are sampled, as hashing all would cost as much as
 * parsing; only repeated texts are compared.
 */
export function textHash(text: string): number {
  if (text.length <= 3 * wholeLength) return hashOf(text, text.length)
  const between = text.length - 2 * wholeLength
  let sampled = text.slice(0, wholeLength) + text.slice(-wholeLength)
  for (let sample = 0; sample < 16; sample += 1) {
    const at = wholeLength + Math.floor((between * sample) / 16)
    sampled += text.slice(at, at + wholeLength / 16)
  }
  return hashOf(sampled, text.length)
}

/** As `textHash`, of the whole text: one that differs anywhere has another hash. */
export function wholeTextHash(text: string): number {
  return hashOf(text, text.length)
}

function hashOf(text: string, seed: number): number {
  const pairs = text.length & ~1
  let low = 0x811c9dc5 ^ seed
  let high = 0x01000193
  for (let i = 0; i < pairs; i += 2) {
    const first = text.charCodeAt(i)
    const second = text.charCodeAt(i + 1)
    low = Math.imul(low ^ (first | (second << 16)), 0x01000193)
    high = Math.imul(high ^ (second | (first << 16)), 0x85ebca6b)
  }
  if (pairs < text.length) {
    const last = text.charCodeAt(pairs)
    low = Math.imul(low ^ last, 0x01000193)
    high = Math.imul(high ^ last, 0x85ebca6b)
  }
  // The lowest bits of a half mix least.
  return ((high ^ (high >>> 15)) & 0xfffff) * 0x100000000 + ((low ^ (low >>> 15)) >>> 0)
}
