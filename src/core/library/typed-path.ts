import { withHome } from './home-path.ts'
import { type PathGlob, pathGlob } from './path-glob.ts'

/** The meaning of a typed log, if no file has that name. */
export type TypedPath =
  /** `id`: it may also be the start of a session id; null: it cannot. */
  | { readonly kind: 'path'; readonly path: string; readonly id: string | null }
  /** `path`: with the wildcards as ordinary characters. */
  | { readonly kind: 'glob'; readonly path: string; readonly glob: PathGlob }
  /** Invalid; `why` is a sentence that says what to write instead. */
  | { readonly kind: 'wrong'; readonly why: string }

export interface TypedWhere {
  /** The home folder, for `~`. */
  readonly home: string
  /** Whether paths are Windows paths. */
  readonly windows: boolean
}

/** Pure; never throws. */
export function typedPath(text: string, { home, windows }: TypedWhere): TypedPath {
  const typed = unquoted(text)
  if (typed === '') return wrong('give the path of a log, or the id of a session')
  if (/^file:/i.test(typed)) return fromFileUrl(typed, windows)
  const [, scheme] = /^([a-z][a-z\d+.-]+):\/\//i.exec(typed) ?? []
  if (scheme !== undefined)
    return wrong(`Playhead cannot open ${scheme}:// addresses; save the file on this machine and give its path`)
  // Elsewhere `~\` starts a name.
  const path = windows || typed[1] !== '\\' ? withHome(typed, home) : typed
  const rest = path === typed ? null : typed.slice(1)
  const glob = pathGlob(rest ?? typed, windows)
  if (glob !== null) return { kind: 'glob', path, glob: rest === null ? glob : { ...glob, folder: home + glob.folder } }
  return { kind: 'path', path, id: rest === null && /^[\w-]{1,128}$/.test(typed) ? typed : null }
}

/** Pasted text may have white space and quotes, as Windows copies paths. */
function unquoted(text: string): string {
  const typed = text.trim()
  const [, quoted] = /^"([^"]+)"$/s.exec(typed) ?? /^'([^']+)'$/s.exec(typed) ?? []
  return quoted ?? typed
}

function fromFileUrl(url: string, windows: boolean): TypedPath {
  const [rest = ''] = url.slice('file:'.length).split(/[?#]/)
  const [, host = '', path = ''] = /^\/\/([^/\\]*)(.*)$/s.exec(rest) ?? [rest, '', rest]
  // `file://C:/…` is a common, unambiguous mistake.
  const isDrive = windows && /^[a-z]:$/i.test(host)
  if (host !== '' && host.toLowerCase() !== 'localhost' && !isDrive)
    return wrong(`the file:// address names another machine, "${host}"; give a file on this one: file:///…`)
  const decoded = decodedPath(isDrive ? `/${host}${path}` : path, windows)
  return decoded.why === undefined ? pathOfUrl(decoded.text, windows) : wrong(decoded.why)
}

function pathOfUrl(path: string, windows: boolean): TypedPath {
  if (!windows) {
    if (!path.startsWith('/'))
      return wrong('the file:// address has no absolute path; write it like file:///logs/run.jsonl')
    return { kind: 'path', path, id: null }
  }
  const [, drive, rest = ''] = /^[\\/]([a-z]:)([\\/].*)?$/is.exec(path) ?? []
  if (drive === undefined) return wrong('the file:// address names no drive; write it like file:///C:/logs/run.jsonl')
  return { kind: 'path', path: drive + (rest === '' ? '\\' : rest.replaceAll('/', '\\')), id: null }
}

type DecodedText = { readonly text: string; readonly why?: undefined } | { readonly why: string }

function decodedPath(path: string, windows: boolean): DecodedText {
  if (/%(?![\da-f]{2})/i.test(path))
    return { why: 'in the file:// address a % is not followed by two hexadecimal digits; write a % itself as %25' }
  if (/%2f/i.test(path) || (windows && /%5c/i.test(path)))
    return { why: 'the file:// address has a %-escaped separator in a name; no file can have such a name' }
  if (path.includes('%00')) return { why: 'the file:// address has a %00 in it; no file can have such a name' }
  try {
    return { text: decodeURIComponent(path) }
  } catch {
    return { why: 'the %-escapes of the file:// address are not UTF-8; give the path instead' }
  }
}

function wrong(why: string): TypedPath {
  return { kind: 'wrong', why }
}
