import { posix, win32 } from 'node:path'
import { maxQueryLength } from '#core/query/query.ts'

/** A link to a log, and to one of its events. */
export interface DeepLink {
  /** Absolute and normalized. */
  readonly path: string
  readonly seq: number | undefined
  /** The query for its rows; it may not be valid. */
  readonly where: string | undefined
}

/** The scheme of links and of the page. */
export const scheme = 'playhead'

const maxPath = 4096
const members: ReadonlySet<string> = new Set(['path', 'seq', 'where'])
/** Control and bidirectional characters, which could make a path or a query look like another one in the question. */
const misleading = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

/**
 * Parses `playhead://open?path=…&seq=…&where=…`; null for anything else. Links are untrusted: the path is absolute, on Windows on a
 * drive, because opening a network share would send credentials.
 */
export function parseDeepLink(text: string, platform: NodeJS.Platform): DeepLink | null {
  if (!URL.canParse(text)) return null
  const { protocol, host, pathname, hash, username, searchParams } = new URL(text)
  if (protocol !== `${scheme}:` || host !== 'open' || !['', '/'].includes(pathname) || hash !== '' || username !== '')
    return null
  const names = [...searchParams.keys()]
  if (new Set(names).size !== names.length || names.some((name) => !members.has(name))) return null
  const path = pathOf(searchParams.get('path') ?? '', platform)
  const seq = searchParams.get('seq')
  if (path === null || (seq !== null && !/^\d{1,9}$/.test(seq))) return null
  const where = searchParams.get('where')
  if (where !== null && (where.length > maxQueryLength || misleading.test(where))) return null
  return { path, seq: seq === null ? undefined : Number(seq), where: where ?? undefined }
}

function pathOf(text: string, platform: NodeJS.Platform): string | null {
  if (text.length > maxPath || misleading.test(text)) return null
  if (platform === 'win32') return /^[a-z]:[\\/]/i.test(text) ? win32.normalize(text) : null
  return posix.isAbsolute(text) ? posix.normalize(text) : null
}
