/** A line of the tree of files. */
export type FileNode =
  | {
      readonly kind: 'folder'
      /** Its path; the key of its fold. */
      readonly key: string
      readonly name: string
      readonly depth: number
      readonly isOpen: boolean
      readonly files: number
    }
  | { readonly kind: 'file'; readonly file: number; readonly name: string; readonly depth: number }

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: { readonly file: number; readonly name: string }[]
  count: number
}

const byName = new Intl.Collator('en', { numeric: true })

/** The path as it is shown: within the folder of the session without it. */
export function pathInFolder(path: string, folder: string | null): string {
  const base = folder?.replaceAll('\\', '/').replace(/\/+$/, '') ?? ''
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path
}

/**
 * The visible lines of the tree of `paths`: folders first, by name. Folders with one folder and nothing else are one line.
 * `closed`: keys of folded folders. `filter`: only paths that hold this text; all folders are open then.
 */
export function fileNodes(
  paths: readonly string[],
  {
    folder,
    closed,
    filter
  }: { readonly folder: string | null; readonly closed: ReadonlySet<string>; readonly filter: string }
): readonly FileNode[] {
  const wanted = filter.toLowerCase()
  const root = emptyFolder()
  for (const [file, path] of paths.entries()) {
    const shown = pathInFolder(path, folder)
    if (wanted !== '' && !shown.toLowerCase().includes(wanted)) continue
    const parts = shown.split('/')
    const name = parts.pop() ?? ''
    let at = root
    at.count++
    for (const part of parts) {
      let next = at.folders.get(part)
      if (next === undefined) at.folders.set(part, (next = emptyFolder()))
      next.count++
      at = next
    }
    at.files.push({ file, name })
  }
  const nodes: FileNode[] = []
  addFolder(nodes, root, '', 0, (key) => wanted !== '' || !closed.has(key))
  return nodes
}

function emptyFolder(): Folder {
  return { folders: new Map(), files: [], count: 0 }
}

/** Files outside of the session's folder, and of unknown folders, come last. */
function rankOf(name: string): number {
  return name === '' ? 1 : name === '?' ? 2 : 0
}

/** Deeper folders of a path, which may come from anyone, are indented no further. */
const maxDepth = 200

function addFolder(
  nodes: FileNode[],
  folder: Folder,
  path: string,
  depth: number,
  isOpen: (key: string) => boolean
): void {
  const folders = [...folder.folders].sort(
    ([one], [other]) => rankOf(one) - rankOf(other) || byName.compare(one, other)
  )
  for (const [first, child] of folders) {
    let [name, only] = [first, child]
    while (only.files.length === 0 && only.folders.size === 1) {
      const [next] = only.folders
      if (next === undefined) break
      name += `/${next[0]}`
      only = next[1]
    }
    const key = path + name
    const open = isOpen(key)
    nodes.push({ kind: 'folder', key, name: name === '' ? '/' : name, depth, isOpen: open, files: only.count })
    if (open && depth < maxDepth) addFolder(nodes, only, `${key}/`, depth + 1, isOpen)
  }
  for (const { file, name } of folder.files.sort((one, other) => byName.compare(one.name, other.name)))
    nodes.push({ kind: 'file', file, name, depth })
}
