/**
 * A path pattern: `*` any part of a name, `?` one character, `[a-z]` one of these, `[!a-z]` none of these, `**` any
 * folders. As in a shell, a leading dot must be written.
 */
export interface PathGlob {
  /** The typed folders before the first wildcard; empty: the current folder. */
  readonly folder: string
  readonly segments: readonly GlobSegment[]
}

export type GlobSegment = { readonly kind: 'folders' } | { readonly kind: 'name'; readonly name: string } | NamePattern

export interface NamePattern {
  readonly kind: 'names'
  readonly parts: readonly NamePart[]
}

type NamePart =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'any' }
  | { readonly kind: 'set'; readonly ranges: readonly (readonly [string, string])[]; readonly isNegated: boolean }

/** Null if there is no wildcard. `windows`: a backslash separates; elsewhere it escapes a wildcard. */
export function pathGlob(text: string, windows: boolean): PathGlob | null {
  const separator = windows ? /[\\/]/ : /\//
  // `\\?\C:\…` is a prefix of Windows, not a wildcard.
  const prefix = windows ? (/^[\\/]{2}\?[\\/]/.exec(text)?.[0] ?? '') : ''
  const words = text.slice(prefix.length).split(separator)
  const segments = words.map((word) => segmentOf(word, windows))
  const first = segments.findIndex(({ kind }) => kind !== 'name')
  if (first < 0) return null
  const folder = prefix + folderOf(segments.slice(0, first), windows)
  // Double separators count as one.
  return { folder, segments: segments.slice(first).filter((each) => each.kind !== 'name' || each.name !== '') }
}

function folderOf(segments: readonly GlobSegment[], windows: boolean): string {
  const names = segments.map((segment) => (segment.kind === 'name' ? segment.name : ''))
  return names.length === 0 ? '' : `${names.join(windows ? '\\' : '/')}${windows ? '\\' : '/'}`
}

function segmentOf(word: string, windows: boolean): GlobSegment {
  if (word === '**') return { kind: 'folders' }
  const parts = partsOf(word, windows)
  if (parts.some(({ kind }) => kind !== 'character')) return { kind: 'names', parts }
  return { kind: 'name', name: parts.map((part) => (part.kind === 'character' ? part.character : '')).join('') }
}

function partsOf(word: string, windows: boolean): NamePart[] {
  const characters = Array.from(word)
  const parts: NamePart[] = []
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    const set = character === '[' ? setAt(characters, i) : null
    const next = characters[i + 1]
    if (character === '\\' && !windows && next !== undefined) {
      parts.push({ kind: 'character', character: next })
      i++
    } else if (set !== null) {
      parts.push(set.part)
      i = set.end
    } else if (character === '*') {
      // Merged, which bounds the work.
      if (parts.at(-1)?.kind !== 'any') parts.push({ kind: 'any' })
    } else parts.push(character === '?' ? { kind: 'one' } : { kind: 'character', character })
  }
  return parts
}

/** The set at `from` and the place of its `]`; null without one: the `[` is an ordinary character. */
function setAt(characters: readonly string[], from: number): { part: NamePart; end: number } | null {
  const isNegated = characters[from + 1] === '!' || characters[from + 1] === '^'
  const begin = from + (isNegated ? 2 : 1)
  // A leading `]` is a member of the set.
  const end = characters.indexOf(']', begin + 1)
  if (end < 0) return null
  const ranges: [string, string][] = []
  for (let i = begin; i < end; i++) {
    const low = characters[i] ?? ''
    const isRange = characters[i + 1] === '-' && i + 2 < end
    ranges.push([low, isRange ? (characters[i + 2] ?? low) : low])
    if (isRange) i += 2
  }
  return { part: { kind: 'set', ranges, isNegated }, end }
}

/** Whether a name matches. Time: at most the name's length times the pattern's length. */
export function matchesName(pattern: NamePattern, name: string, ignoresCase = false): boolean {
  const { parts } = pattern
  const characters = Array.from(name)
  const [first] = parts
  if (name.startsWith('.') && !(first?.kind === 'character' && first.character === '.')) return false
  let part = 0
  let at = 0
  // The last `*` and the end of its match; only the last one needs backtracking.
  let star = -1
  let reach = 0
  while (at < characters.length) {
    const wanted = parts[part]
    if (wanted?.kind === 'any') {
      star = part++
      reach = at
    } else if (wanted !== undefined && matchesOne(wanted, characters[at] ?? '', ignoresCase)) {
      part++
      at++
    } else if (star >= 0) {
      part = star + 1
      at = ++reach
    } else return false
  }
  while (parts[part]?.kind === 'any') part++
  return part === parts.length
}

function matchesOne(part: NamePart, character: string, ignoresCase: boolean): boolean {
  if (part.kind === 'one') return true
  if (part.kind === 'any') return false
  const either = ignoresCase ? [character.toLowerCase(), character.toUpperCase()] : [character]
  if (part.kind === 'character') {
    return either.includes(part.character) || (ignoresCase && either.includes(part.character.toLowerCase()))
  }
  const isIn = either.some((each) => part.ranges.some(([low, high]) => isBetween(each, low, high)))
  return isIn !== part.isNegated
}

function isBetween(character: string, low: string, high: string): boolean {
  const code = codeOf(character)
  return codeOf(low) <= code && code <= codeOf(high)
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}
