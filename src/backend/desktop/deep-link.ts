import { posix, win32 } from 'node:path'

/** What a link asks for: a log, and an event of it to show. */
export interface DeepLink {
  /** Absolute and normalized. */
  readonly path: string
  readonly seq: number | undefined
}

/** The scheme of links and of the page. */
export const scheme = 'playhead'

const maxPath = 4096
/** Signs that would make a path look like another one in a question, or that no path has. */
const misleading = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

/**
 * Reads `playhead://open?path=…&seq=…`; null for anything else. Anybody can make such a link, so it names a file of this machine by its
 * whole path (on Windows one on a drive: asking for a share would send credentials to it), and nothing else stands in it.
 */
export function parseDeepLink(text: string, platform: NodeJS.Platform): DeepLink | null {
  if (!URL.canParse(text)) return null
  const { protocol, host, pathname, hash, username, searchParams } = new URL(text)
  if (protocol !== `${scheme}:` || host !== 'open' || !['', '/'].includes(pathname) || hash !== '' || username !== '')
    return null
  const names = [...searchParams.keys()]
  if (new Set(names).size !== names.length || names.some((name) => name !== 'path' && name !== 'seq')) return null
  const path = pathOf(searchParams.get('path') ?? '', platform)
  const seq = searchParams.get('seq')
  if (path === null || (seq !== null && !/^\d{1,9}$/.test(seq))) return null
  return { path, seq: seq === null ? undefined : Number(seq) }
}

function pathOf(text: string, platform: NodeJS.Platform): string | null {
  if (text.length > maxPath || misleading.test(text)) return null
  if (platform === 'win32') return /^[a-z]:[\\/]/i.test(text) ? win32.normalize(text) : null
  return posix.isAbsolute(text) ? posix.normalize(text) : null
}
