/** The name of a path's folder, "" for none. Paths of any platform. */
export function folderOf(path: string): string {
  return path.split(/[\\/]/).at(-2) ?? ''
}

/** The path of that folder. */
export function folderPathOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), 0)) || path.slice(0, 1)
}
