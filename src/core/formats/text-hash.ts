/**
 * A number that stands for a long text in the fold: equal texts, equal hashes; 52 bits, so unequal texts practically never collide.
 * FNV-1a over pairs of code units in two lanes, each of which has the other unit of a pair where changes spread furthest.
 */
export function textHash(text: string): number {
  const pairs = text.length & ~1
  let low = 0x811c9dc5 ^ text.length
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
