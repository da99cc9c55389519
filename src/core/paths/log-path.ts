/**
 * Paths of logs. They belong to the machine on which the agent ran, so their form tells how to read them, never this
 * machine. docs/files.md has the rules as a table, test/path-cases.ts has examples of all of them.
 *
 * A drive or a share makes a path one of Windows: `/` and `\` separate, and case does not matter. In other absolute paths `\`
 * is a part of a name. What depends on the session is read by the folder of the session.
 */

/** A path with its folder, without `.`, `..` and empty names. */
export interface PlacedPath {
  /** `C:\`, `\\server\share\`, `\\?\`, `/`, `~/`, `~ada/`; `?/`: its folder is not known. */
  readonly root: string
  readonly names: readonly string[]
  readonly isWindows: boolean
}

type Kind = 'drive' | 'share' | 'device' | 'root' | 'home' | 'unplaced' | 'drive root' | 'of drive' | 'relative'

interface ReadPath {
  readonly kind: Kind
  readonly root: string
  readonly names: readonly string[]
}

/** What the folder of a session tells of its paths. */
interface SessionPlace {
  readonly system: 'windows' | 'posix' | 'unknown'
  /** Null: not absolute. */
  readonly folder: PlacedPath | null
  /** The names before the letter of a drive, such as `mnt` of `/mnt/c/work`; null: drives are not in its tree. */
  readonly drivesBelow: readonly string[] | null
}

const unplacedRoot = '?/'
const bothSeparators = /[\\/]/
const noFolder: SessionPlace = { system: 'unknown', folder: null, drivesBelow: null }

/** The last one asked for: most questions are about one session. */
let lastFolder: string | null = null
let lastSession = noFolder

function sessionIn(folder: string | null): SessionPlace {
  if (folder === null || folder === '') return noFolder
  if (folder !== lastFolder) [lastFolder, lastSession] = [folder, readSession(folder)]
  return lastSession
}

function readSession(folder: string): SessionPlace {
  // The path of a URI.
  const own = read(/^\/[A-Za-z]:[\\/]/.test(folder) ? folder.slice(1) : folder, 'unknown')
  if (own.kind === 'relative' || own.kind === 'unplaced') return noFolder
  const placed = placedAt(own)
  if (placed.isWindows) return { system: 'windows', folder: placed, drivesBelow: null }
  const [first = '', second = ''] = placed.names
  const isMount = (first === 'mnt' || first === 'cygdrive') && isLetter(second)
  const drivesBelow = placed.root !== '/' ? null : isMount ? [first] : isLetter(first) && second !== '' ? [] : null
  return { system: 'posix', folder: placed, drivesBelow }
}

function isLetter(name: string): boolean {
  return /^[A-Za-z]$/.test(name)
}

/** Reads a path by its form. Of an unknown system, `\` separates only where no `/` begins the path. */
function read(text: string, system: SessionPlace['system']): ReadPath {
  const path = pathOfUri(text)
  const inWindows = system === 'windows'
  const isOfServer = path.startsWith('\\\\') || (inWindows && path.startsWith('//'))
  if (isOfServer) return readServer(path)
  if (/^[A-Za-z]:[\\/]/.test(path)) return onDrive(path.charAt(0), path.slice(2).split(bothSeparators))
  if (inWindows) {
    if (/^[A-Za-z]:/.test(path))
      return { kind: 'of drive', root: path.slice(0, 2), names: path.slice(2).split(bothSeparators) }
    if (path.startsWith('\\')) return { kind: 'drive root', root: '', names: path.split(bothSeparators) }
  }
  if (path.startsWith(unplacedRoot)) return { kind: 'unplaced', root: unplacedRoot, names: path.slice(2).split('/') }
  if (path.startsWith('/')) return { kind: 'root', root: '/', names: path.split(inWindows ? bothSeparators : '/') }
  const home = /^~(?:$|[\w.-]*\/)/.exec(path) ?? (system === 'posix' ? null : /^~\\/.exec(path))
  const separator = system === 'posix' ? '/' : bothSeparators
  if (home !== null)
    return {
      ...{ kind: 'home', root: `${home[0].replace(/[\\/]$/, '')}/` },
      names: path.slice(home[0].length).split(separator)
    }
  return { kind: 'relative', root: '', names: path.split(separator) }
}

/** `\\server\share\a`, `\\?\C:\a`, `\\?\UNC\server\share\a`, `\\.\COM1`. */
function readServer(path: string): ReadPath {
  const device = /^[\\/]{2}([?.])[\\/]/.exec(path)
  const names = path.slice(2).split(bothSeparators)
  if (device === null) return onShare(names)
  const plain = plainNames(names.slice(1), true)
  const [first = ''] = plain
  if (/^[A-Za-z]:$/.test(first)) return onDrive(first.charAt(0), plain.slice(1))
  if (/^unc$/i.test(first)) return onShare(plain.slice(1))
  return { kind: 'device', root: `\\\\${device[1] ?? '?'}\\`, names: plain }
}

function onShare(names: readonly string[]): ReadPath {
  // None of these is a server or a share.
  const isName = (name: string): boolean => !/^(?:\.{0,2}|\?)$/.test(name)
  const [server = ''] = names.filter(isName)
  const inServer = names.slice(names.indexOf(server) + 1)
  const [share = ''] = inServer.filter(isName)
  if (share === '') return { kind: 'share', root: `\\\\${server}\\`, names: [] }
  const root = `\\\\${server}\\${share}\\`
  return { kind: 'share', root, names: inServer.slice(inServer.indexOf(share) + 1) }
}

function onDrive(letter: string, names: readonly string[]): ReadPath {
  return { kind: 'drive', root: `${letter}:\\`, names }
}

/** `file:///C:/a%20b` is `C:/a b`, `file://server/share` is `\\server\share`. What is no such URI is a path as it is. */
export function pathOfUri(text: string): string {
  const uri = /^file:\/\/([^\\/]*)(.*)$/is.exec(text)
  if (uri === null) return text
  const [, host = '', path = ''] = uri
  const decoded = decodedText(path)
  if (host !== '' && host.toLowerCase() !== 'localhost')
    return /^[A-Za-z]:$/.test(host) ? host + decoded : `\\\\${host}${decoded}`
  return /^\/[A-Za-z]:(?:[\\/]|$)/.test(decoded) ? `${decoded.slice(1)}${decoded.length === 3 ? '/' : ''}` : decoded
}

function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function placedAt({ kind, root, names }: ReadPath): PlacedPath {
  return {
    root,
    names: plainNames(names, kind !== 'home' && kind !== 'unplaced'),
    isWindows: kind === 'drive' || kind === 'share' || kind === 'device'
  }
}

/** `isTop`: nothing is above the first name. */
function plainNames(names: readonly string[], isTop: boolean): readonly string[] {
  if (!names.some((name) => name === '' || name === '.' || name === '..')) return names
  const plain: string[] = []
  for (const name of names) {
    if (name === '' || name === '.') continue
    const last = plain.at(-1)
    if (name !== '..') plain.push(name)
    else if (last !== undefined && last !== '..') plain.pop()
    else if (!isTop) plain.push(name)
  }
  return plain
}

function below(folder: PlacedPath, names: readonly string[]): PlacedPath {
  const isTop = !folder.root.startsWith('~') && folder.root !== unplacedRoot
  return { ...folder, names: plainNames([...folder.names, ...names], isTop) }
}

/** Whether a path does not depend on a folder: `/a`, `~/a`, `C:\a`, `\\server\share\a`. */
export function isAbsolutePath(path: string): boolean {
  return read(path, 'unknown').kind !== 'relative'
}

/** Whether a session in this folder is one of Windows. */
export function isOfWindows(folder: string | null): boolean {
  return sessionIn(folder).system === 'windows'
}

/** Whether its folder is not known: `?/src/a.ts`. */
export function isUnplaced(path: string): boolean {
  return path.startsWith(unplacedRoot)
}

/** The names of a path that depends on a folder, as a session in `folder` reads them; null: it does not. */
export function namesOfRelative(path: string, folder: string | null): readonly string[] | null {
  const { kind, names } = read(path, sessionIn(folder).system)
  return kind === 'relative' || kind === 'unplaced' ? plainNames(names, false) : null
}

/** A path in a folder that a command went to, as it would stand in the log; `folder`: null: where the call began. */
export function pathIn(folder: string | null, path: string): string {
  if (folder === null || folder === '' || isAbsolutePath(path)) return path
  const inWindows = sessionIn(folder).system === 'windows'
  if (inWindows && /^(?:\\|[A-Za-z]:)/.test(path)) return path
  return `${folder.replace(inWindows ? /[\\/]+$/ : /\/+$/, '')}/${path}`
}

/**
 * Where a path of a session is. `folder`: of the session; null if it states none. `base`: where relative paths begin, if that
 * is not the session's folder.
 */
export function placePath(path: string, folder: string | null, base: string | null = null): PlacedPath {
  const session = sessionIn(folder ?? base)
  const own = read(path, session.system)
  const from =
    base === null || base === folder ? session.folder : placeIn(session, read(base, session.system), session.folder)
  return placeIn(session, own, from)
}

function placeIn(session: SessionPlace, own: ReadPath, from: PlacedPath | null): PlacedPath {
  switch (own.kind) {
    case 'relative':
      if (from === null) return unplaced(own.names)
      return below(from, from.isWindows ? own.names.flatMap((name) => name.split(bothSeparators)) : own.names)
    case 'of drive':
      return from !== null && keyOfRoot(from.root) === keyOfRoot(`${own.root}\\`)
        ? below(from, own.names)
        : unplaced([own.root + (own.names[0] ?? ''), ...own.names.slice(1)])
    case 'drive root':
      return onRootOf(session, own.names)
    case 'root':
      return session.system === 'windows' ? inShell(session, placedAt(own)) : placedAt(own)
    case 'drive':
      return session.drivesBelow === null || session.folder === null
        ? placedAt(own)
        : onMount(own, session.drivesBelow, session.folder)
    default:
      return placedAt(own)
  }
}

/**
 * What a path from `/` is in a session of Windows: `/c/work`, `/cygdrive/c/work`, `/mnt/c/work` and `/C:/work` are on a drive.
 * Others are on the session's drive if they are in its folder; else a shell may have a root of its own.
 */
function inShell(session: SessionPlace, own: PlacedPath): PlacedPath {
  const [first = '', second = ''] = own.names
  const at = (first === 'mnt' || first === 'cygdrive') && isLetter(second) ? 1 : 0
  const letter = /^([A-Za-z]):?$/.exec(at === 1 ? second : first)?.[1]
  if (letter !== undefined) return placedAt(onDrive(letter.toUpperCase(), own.names.slice(at + 1)))
  const onRoot = onRootOf(session, own.names)
  return session.folder !== null && namesBelow(onRoot, session.folder) !== null ? onRoot : own
}

function unplaced(names: readonly string[]): PlacedPath {
  return { root: unplacedRoot, names: plainNames(names, false), isWindows: false }
}

function onRootOf({ folder }: SessionPlace, names: readonly string[]): PlacedPath {
  return folder === null ? unplaced(names) : below({ ...folder, names: [] }, names)
}

/** `C:\work\a` as `/mnt/c/work/a`, in a session that writes drives so. Its folder keeps its own case. */
function onMount(own: ReadPath, drivesBelow: readonly string[], folder: PlacedPath): PlacedPath {
  const names = [...drivesBelow, own.root.charAt(0).toLowerCase(), ...plainNames(own.names, true)]
  const isInside = folder.names.every((name, at) => folded(name) === folded(names[at] ?? ''))
  return {
    root: '/',
    names: isInside ? [...folder.names, ...names.slice(folder.names.length)] : names,
    isWindows: false
  }
}

/** The path in the form of its system, with the case of the log: `C:\Users\Ada\tide\src\Main.ts`. */
export function pathText({ root, names, isWindows }: PlacedPath): string {
  return root + names.join(isWindows ? '\\' : '/')
}

/** Equal for paths of one file, and with `/` between names: `c:/users/ada/tide/src/main.ts`. */
export function pathKey({ root, names, isWindows }: PlacedPath): string {
  if (!isWindows) return root + names.join('/')
  const inRoot = names.join('/')
  return keyOfRoot(root) + (tellsCase(root) ? inRoot : folded(inRoot))
}

/** The files of a Linux in Windows (WSL), which has two names for it. */
const wslRoot = /^\\\\wsl(?:\$|\.localhost)\\/i

function keyOfRoot(root: string): string {
  return folded(root.replace(wslRoot, '\\\\wsl.localhost\\').replaceAll('\\', '/'))
}

function tellsCase(root: string): boolean {
  return wslRoot.test(root)
}

/** Whether the end of a key equals these names, as the system of its path compares names. */
export function keyEnding(names: readonly string[]): (key: string) => boolean {
  const end = `/${names.join('/')}`
  const ofWindows = folded(end)
  return (key) => key.endsWith(end) || (key.endsWith(ofWindows) && isFoldedKey(key))
}

function isFoldedKey(key: string): boolean {
  return /^(?:[a-z]:|\/\/(?!wsl\.localhost\/))/.test(key)
}

/** As Windows compares names: by the upper case of each UTF-16 unit. */
function folded(text: string): string {
  return /[\u0080-\uffff]/.test(text) ? text.split('').map(foldedUnit).join('') : text.toLowerCase()
}

function foldedUnit(unit: string): string {
  if (unit < '\x80') return unit.toLowerCase()
  const upper = unit.toUpperCase()
  return upper.length === 1 && upper >= '\x80' ? upper : unit
}

/** The names of a path below a folder, none for the folder itself; null: it is not there. */
export function namesBelow(path: PlacedPath, folder: PlacedPath): readonly string[] | null {
  if (path.isWindows !== folder.isWindows || path.names.length < folder.names.length) return null
  if (path.root !== folder.root && !(path.isWindows && keyOfRoot(path.root) === keyOfRoot(folder.root))) return null
  const ignoresCase = path.isWindows && !tellsCase(path.root)
  const isSame = (a: string, b: string): boolean => a === b || (ignoresCase && folded(a) === folded(b))
  if (!folder.names.every((name, at) => isSame(name, path.names[at] ?? ''))) return null
  return path.names.slice(folder.names.length)
}
