/** Whether a path does not depend on a folder: `/a`, `~/a`, `C:\a`. */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~') || path.startsWith('\\\\') || /^[a-z]:[/\\]/i.test(path)
}

/** A path below a folder, unless it is absolute. */
export function pathIn(folder: string | null, path: string): string {
  return folder === null || isAbsolutePath(path) ? path : `${folder.replace(/[/\\]+$/, '')}/${path}`
}

/** `/` between segments, without `.`, `..`, and empty segments. A drive and the paths of a drive are in lower case. */
export function plainPath(path: string): string {
  const text = path.replace(/^file:\/\//, '').replaceAll('\\', '/')
  const isDrive = /^[a-z]:\//i.test(text)
  const root = text.startsWith('//') ? '//' : text.startsWith('/') ? '/' : ''
  const segments: string[] = []
  for (const segment of (isDrive ? text.toLowerCase() : text).split('/')) {
    if (segment === '' || segment === '.') continue
    const last = segments.at(-1)
    if (segment !== '..') segments.push(segment)
    else if (last !== undefined && last !== '..' && last !== '~' && !(isDrive && segments.length === 1)) segments.pop()
    else if (root === '' && !isDrive) segments.push(segment)
  }
  return root + segments.join('/')
}
