/** `path` relative to `folder` if inside it; otherwise unchanged. */
export function relativePath(path: string, folder: string | null): string {
  const root = folder?.replace(/[/\\]+$/, '') ?? ''
  if (root === '' || !path.startsWith(root)) return path
  const rest = path.slice(root.length)
  if (rest === '') return '.'
  return /^[/\\]./.test(rest) ? rest.slice(1) : path
}
