import { type PlacedPath, placePath } from './log-path.ts'
import { namesInFolder } from './path-names.ts'

/** Bytes of a name that every file system takes. */
const maxName = 200
/** Names of a path; deeper ones are joined. */
const maxNames = 40

/** Windows takes these as devices, whatever follows the dot. */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i
/** Separators, signs of shells and file systems, and characters that hide or turn what follows. */
const unsafe = /[\p{Cc}<>:"|?*%\\/\p{Surrogate}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu

/**
 * Where a file of a log is written below a chosen folder, with `/`: relative to the session's folder, or below `_outside`.
 * What a system could read as something else is written with `%`. Pure. Only names that were cut, or that differ in case alone,
 * may be those of another file on some system; the writer tells.
 */
export function nameOnDisk(path: string, folder: string | null): string {
  const inside = namesInFolder(path, folder)
  const placed = placePath(path, folder)
  const names = inside ?? [...rootNames(placed), ...placed.names]
  const kept = names.slice(0, maxNames).map(safeName)
  if (names.length > maxNames) kept.push(safeName(names.slice(maxNames).join('/')))
  if (kept.length === 0) kept.push('%')
  // Names of ours beside the session's files.
  const [top = ''] = kept
  if (inside !== null && /^(?:_outside|manifest\.json)$/i.test(top)) kept[0] = encoded(top.charAt(0)) + top.slice(1)
  return (inside !== null ? kept : ['_outside', ...kept]).join('/')
}

/** The root as a name. One of POSIX has none, unless the first name looks like another root. */
function rootNames({ root, names }: PlacedPath): readonly string[] {
  if (root !== '/') return [root.slice(0, -1)]
  return /^(?:[A-Za-z]:|~.*|\?|\\\\.*)$/s.test(names[0] ?? '') ? ['/'] : []
}

function safeName(name: string): string {
  let text = name.replace(unsafe, encoded)
  if (/^\.+$/.test(text)) text = [...text].map(encoded).join('')
  if (/^\.git$/i.test(text)) text = encoded('.') + text.slice(1)
  text = text.replace(/[. ]$/, encoded)
  if (reserved.test(text)) text = encoded(text.charAt(0)) + text.slice(1)
  return short(text)
}

function encoded(character: string): string {
  // Half of a pair has no bytes.
  if (/^\p{Surrogate}$/u.test(character)) return `%u${character.charCodeAt(0).toString(16).toUpperCase()}`
  return Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  ).join('')
}

/** At most `maxName` bytes; a longer one ends with a number made of all of it. */
function short(text: string): string {
  const encoder = new TextEncoder()
  if (encoder.encode(text).length <= maxName) return text
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  let kept = ''
  let bytes = 0
  for (const character of text) {
    bytes += encoder.encode(character).length
    if (bytes > maxName - 10) break
    kept += character
  }
  return `${kept.replace(/[. ]$/, '_')}~${hash.toString(16)}`
}
