/** Bytes of a segment that every file system takes. */
const maxSegment = 200
/** Segments of a path; deeper ones are joined. */
const maxSegments = 40

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Where a file of a log is written below a chosen folder: relative to the session's folder, or below `_outside`. Names that
 * a system could read as something else are written with `%`. Pure: two paths may give one, which the writer tells.
 */
export function outputPath(path: string, folder: string | null): string {
  const inside = folder !== null && folder !== '' && path.startsWith(`${folder.replace(/\/+$/, '')}/`)
  const rest = inside ? path.slice(folder.replace(/\/+$/, '').length + 1) : path.replace(/^\/+/, '')
  const segments = rest
    .split(/[/\\]/)
    .filter((segment) => segment !== '')
    .map(safeSegment)
  const kept = segments.slice(0, maxSegments)
  if (segments.length > maxSegments) kept.push(safeSegment(segments.slice(maxSegments).join('_')))
  if (kept.length === 0) kept.push('%')
  // Names of ours beside the session's files.
  const [top = ''] = kept
  if (inside && /^(?:_outside|manifest\.json)$/i.test(top)) kept[0] = encoded(top.charAt(0)) + top.slice(1)
  return (inside ? kept : ['_outside', ...kept]).join('/')
}

/** Whether a path lies in the session's folder. */
export function pathInside(path: string, folder: string | null): string | null {
  if (folder === null || folder === '') return null
  const root = folder.replace(/\/+$/, '')
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null
}

function safeSegment(segment: string): string {
  let text = segment.replace(/[\p{Cc}<>:"|?*%\p{Surrogate}\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu, encoded)
  if (/^\.+$/.test(text)) text = [...text].map(encoded).join('')
  if (/^\.git$/i.test(text)) text = encoded('.') + text.slice(1)
  text = text.replace(/[. ]$/, encoded)
  if (reserved.test(text)) text = encoded(text.charAt(0)) + text.slice(1)
  return short(text)
}

function encoded(character: string): string {
  return Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  ).join('')
}

/** At most `maxSegment` bytes; a longer one ends with a number made of all of it. */
function short(text: string): string {
  const encoder = new TextEncoder()
  if (encoder.encode(text).length <= maxSegment) return text
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  let kept = ''
  let bytes = 0
  for (const character of text) {
    bytes += encoder.encode(character).length
    if (bytes > maxSegment - 10) break
    kept += character
  }
  return `${kept.replace(/[. ]$/, '_')}~${hash.toString(16)}`
}
