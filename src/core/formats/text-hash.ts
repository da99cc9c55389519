/** Of a longer text this much of its beginning and of its end count, and as much in samples of what lies between. */
const wholeLength = 1024

/**
 * A number that stands for a long text in the fold: equal texts, equal hashes; 52 bits, so unequal texts practically never collide.
 * FNV-1a over pairs of code units in two lanes, each of which has the other unit of a pair where changes spread furthest. Long
 * texts are sampled: to hash all of one costs as much as to parse it, and what is compared here are texts said twice.
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
  // A lane's lowest bits know least of what came before.
  return ((high ^ (high >>> 15)) & 0xfffff) * 0x100000000 + ((low ^ (low >>> 15)) >>> 0)
}
