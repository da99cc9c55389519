import { treeNames } from '#core/paths/path-names.ts'

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
  readonly name: string
  /** By key. */
  readonly folders: Map<string, Folder>
  readonly files: { readonly file: number; readonly name: string }[]
  count: number
}

const byName = new Intl.Collator('en', { numeric: true })

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
  const slashed = wanted.replaceAll('\\', '/')
  const root = newFolder('')
  for (const [file, path] of paths.entries()) {
    const parts = [...treeNames(path, folder)]
    if (wanted !== '') {
      const shown = parts.map((part) => part.name.toLowerCase()).join('/')
      if (!shown.includes(wanted) && !shown.includes(slashed)) continue
    }
    const name = parts.pop()?.name ?? ''
    let at = root
    at.count++
    for (const part of parts) {
      let next = at.folders.get(part.key)
      if (next === undefined) at.folders.set(part.key, (next = newFolder(part.name)))
      next.count++
      at = next
    }
    at.files.push({ file, name })
  }
  const nodes: FileNode[] = []
  addFolder(nodes, root, '', 0, (key) => wanted !== '' || !closed.has(key))
  return nodes
}

function newFolder(name: string): Folder {
  return { name, folders: new Map(), files: [], count: 0 }
}

/** Files outside of the session's folder, and of unknown folders, come last. */
function rankOf({ name }: Folder, depth: number): number {
  if (depth > 0) return 0
  return name === '?' ? 2 : /^(?:[A-Za-z]:|~.*|\\\\.*|)$/s.test(name) ? 1 : 0
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
  const folders = [...folder.folders.values()].sort(
    (one, other) => rankOf(one, depth) - rankOf(other, depth) || byName.compare(one.name, other.name)
  )
  for (const child of folders) {
    let [name, only] = [child.name, child]
    while (only.files.length === 0 && only.folders.size === 1) {
      const [next] = only.folders.values()
      if (next === undefined) break
      name += `/${next.name}`
      only = next
    }
    const key = path + name
    const open = isOpen(key)
    nodes.push({ kind: 'folder', key, name: name === '' ? '/' : name, depth, isOpen: open, files: only.count })
    if (open && depth < maxDepth) addFolder(nodes, only, `${key}/`, depth + 1, isOpen)
  }
  for (const { file, name } of folder.files.sort((one, other) => byName.compare(one.name, other.name)))
    nodes.push({ kind: 'file', file, name, depth })
}
