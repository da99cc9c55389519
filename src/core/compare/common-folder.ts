import { isAbsolutePath, namesBelow, namesOfRelative, pathText, type PlacedPath, placePath } from '../paths/log-path.ts'
import { namesInFolder, slashedPath } from '../paths/path-names.ts'

/** The files that a session read or changed, and the folder that its log states; null: it states none. */
export interface TouchedFiles {
  readonly stated: string | null
  readonly paths: ReadonlySet<string>
}

/** Folders that are tried for a session. */
const maxChoices = 16

/**
 * The folders in which two sessions worked. Of a log that states none, it is the folder that makes the most of its files
 * files of the other session; of several the deepest. Null: no path is absolute. Swapping the sessions swaps the folders.
 */
export function foldersOf(a: TouchedFiles, b: TouchedFiles): { readonly a: string | null; readonly b: string | null } {
  // Ties are decided by order, so the sessions have one that does not depend on which is given first.
  const [textA, textB] = [a, b].map(({ stated, paths }) => [stated ?? '', ...[...paths].toSorted()].join('\n'))
  if ((textA ?? '') > (textB ?? '')) {
    const { a: second, b: first } = foldersOf(b, a)
    return { a: first, b: second }
  }
  const [choicesA, choicesB] = [choicesOf(a), choicesOf(b)]
  let best = { a: choicesA[0] ?? null, b: choicesB[0] ?? null, common: 0, depth: 0 }
  for (const [atA, one] of choicesA.entries()) {
    const names = new Set(Array.from(a.paths, (path) => nameIn(one, path)))
    for (const [atB, other] of choicesB.entries()) {
      let common = 0
      for (const path of b.paths) if (names.has(nameIn(other, path))) common++
      // The deepest choices come first.
      const depth = -atA - atB
      if (common > best.common || (common === best.common && depth > best.depth)) {
        best = { a: one, b: other, common, depth }
      }
    }
  }
  return { a: best.a, b: best.b }
}

/** The stated folder, else those that hold all files with an absolute path, the deepest first. */
function choicesOf({ stated, paths }: TouchedFiles): readonly (string | null)[] {
  if (stated !== null) return [stated]
  const [first, ...others] = [...paths].filter(isAbsolutePath).map((path) => folderOf(placePath(path, null)))
  if (first === undefined) return [null]
  let common = first.names.length
  for (const folder of others) while (common > 0 && namesBelow(folder, upTo(first, common)) === null) common--
  const count = Math.min(maxChoices, common)
  return count === 0 ? [null] : Array.from({ length: count }, (_, up) => pathText(upTo(first, common - up)))
}

/** The folder of a file. */
function folderOf(file: PlacedPath): PlacedPath {
  return { ...file, names: file.names.slice(0, -1) }
}

function upTo(folder: PlacedPath, names: number): PlacedPath {
  return { ...folder, names: folder.names.slice(0, names) }
}

function nameIn(folder: string | null, path: string): string {
  const names = namesInFolder(path, folder) ?? namesOfRelative(path, null)
  return names?.join('/') ?? slashedPath(path)
}
