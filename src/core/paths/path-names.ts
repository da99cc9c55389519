import {
  isAbsolutePath,
  isUnplaced,
  keyEnding,
  namesBelow,
  namesOfRelative,
  pathKey,
  placePath,
  type PlacedPath
} from './log-path.ts'

/** The names of a path within the folder of its session, none for the folder itself. Null: it is not in it, or not known. */
export function namesInFolder(path: string, folder: string | null): readonly string[] | null {
  if (folder === null) return null
  const whole = placePath('', folder)
  return isUnplaced(whole.root) ? null : namesBelow(placePath(path, folder), whole)
}

/** Whether an absolute path is a folder or inside it, by names only. */
export function isInFolder(path: string, folder: string): boolean {
  return isAbsolutePath(path) && namesInFolder(path, folder) !== null
}

/** An absolute path within the folder of its session, with `/`: `src/Main.ts`, `.` for the folder itself. Others as they are. */
export function relativePath(path: string, folder: string | null): string {
  if (folder === null || !isAbsolutePath(path)) return path
  const names = namesInFolder(path, folder)
  return names === null ? path : names.join('/') || '.'
}

/** Whether two paths of a session are of one file, or the relative one is the end of the absolute one, which may be in another folder. */
export function isSameFile(a: string, b: string, folder: string | null = null): boolean {
  if (a === '' || b === '') return false
  const [one, other] = [placePath(a, folder), placePath(b, folder)]
  if (pathKey(one) === pathKey(other)) return true
  const [endOfOther, endOfOne] = [namesOfRelative(a, folder), namesOfRelative(b, folder)]
  if (endOfOne !== null) return endOfOther === null && endsWith(one, endOfOne)
  return endOfOther !== null && endsWith(other, endOfOther)
}

function endsWith(path: PlacedPath, names: readonly string[]): boolean {
  return names.length > 0 && names[0] !== '..' && keyEnding(names)(pathKey(path))
}

/** The last name of a path of any system; of a root, the root. */
export function lastName(path: string): string {
  return lastNames(path, 1)
}

/** The last names of a path of any system, with `/` between them. */
export function lastNames(path: string, count: number): string {
  const { root, names } = placePath(path, null)
  if (names.length > 0 || isUnplaced(root)) return names.slice(-count).join('/')
  return /[^\\/]+(?=[\\/]$)/.exec(root)?.[0] ?? root
}

/** The folder of a path of any system, as written, with the separator at its end; empty without one. */
export function folderPart(path: string): string {
  return path.slice(0, nameAt(path))
}

/** As `folderPart`, without the separator at its end, unless it is the root. */
export function folderPath(path: string): string {
  const part = folderPart(path)
  return part.slice(0, -1) || part
}

/** Where the last name of a path begins. */
export function nameAt(path: string): number {
  const slash = path.lastIndexOf('/')
  return (isOfSlashes(path) ? slash : Math.max(slash, path.lastIndexOf('\\'))) + 1
}

/** A path as people write it in a query: with `/`, also one of Windows. */
export function slashedPath(path: string): string {
  return isOfSlashes(path) ? path : path.replaceAll('\\', '/')
}

/** In these, `\` is a part of a name. */
function isOfSlashes(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~/')
}

/** A name of a tree of files. */
export interface TreeName {
  readonly name: string
  /** Equal for names of one folder. */
  readonly key: string
}

/** The names under which a tree shows a file of a session: within its folder, else from its root, which is empty for `/`. */
export function treeNames(path: string, folder: string | null): readonly TreeName[] {
  const placed = placePath(path, folder)
  const inside = namesInFolder(path, folder)
  const names = inside ?? placed.names
  const keys = pathKey(placed).split('/').slice(-names.length)
  const own = names.map((name, at): TreeName => ({ name, key: keys[at] ?? name }))
  if (inside !== null) return own
  const root = placed.root.slice(0, -1)
  return [{ name: /^[a-z]:$/.test(root) ? root.toUpperCase() : root, key: root.toLowerCase() }, ...own]
}

/** Where people have their files, on all systems. Of Windows also as its shells and its Linux write it. */
const home =
  /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|(?:[A-Za-z]:|\/(?:(?:mnt|cygdrive)\/)?[A-Za-z](?=\/))[\\/][Uu]sers[\\/][^\\/]+)(?=[\\/]|$)/

/** With `~` for the home folder, by its usual place. */
export function pathFromHome(path: string): string {
  return path.replace(home, '~')
}
