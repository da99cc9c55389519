import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isSkippedFolder } from '#core/library/any-log.ts'
import { systemCode } from '../write-failure.ts'
import { type LogFacts, logFacts, logFactsAt } from './log-facts.ts'
import { folderProblem } from './why-unreadable.ts'
import { isWithin } from '../sources/leads-out.ts'

/** A folder to scan for logs. */
export interface SearchedRoot {
  /** Absolute. */
  readonly path: string
  /** Levels of subfolders. */
  readonly depth: number
  /** `path` is relative to the root, with `/`. */
  mayBeLog(path: string): boolean
}

/** A file that may be a log. */
export interface FoundLog {
  /** Absolute, links resolved. */
  readonly path: string
  /** Absolute, links resolved: the folder of the file. */
  readonly folder: string
  readonly facts: LogFacts
}

/** A folder relative to a root. */
export interface FolderPlace {
  /** With `/`; empty: the root itself. */
  readonly below: string
  /** Levels of subfolders to scan. */
  readonly depth: number
}

export interface FoundBelow {
  readonly logs: readonly FoundLog[]
  /** Scanned folders, by their real paths. */
  readonly folders: ReadonlyMap<string, FolderPlace>
  /** Folders that could not be scanned; the contents below them are unknown. */
  readonly unread: readonly string[]
  readonly isMissing: boolean
  readonly notes: RootNotes
}

/** More than any known library has; a disk that was added by mistake has more. */
const maxFolders = 50_000
const maxLogs = 100_000
const maxNotes = 20

/** Finds possible logs by names and `stat`. `only`: this folder, and those below it that `known` lacks. */
export function* findLogs(
  root: SearchedRoot,
  only: { readonly folder: string; readonly known: ReadonlyMap<string, FolderPlace> } | null = null
): Generator<void, FoundBelow> {
  const notes = new RootNotes()
  const logs: FoundLog[] = []
  const folders = new Map<string, FolderPlace>()
  const unread: string[] = []
  const result = (isMissing: boolean): FoundBelow => ({ logs, folders, unread, isMissing, notes })
  let real: string
  try {
    real = realpathSync(root.path)
    if (!statSync(real).isDirectory()) return result(true)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return result(true)
    notes.add(folderProblem(error))
    unread.push(root.path)
    return result(false)
  }
  const place = only?.known.get(only.folder) ?? { below: '', depth: root.depth }
  const waiting = [{ folder: only?.folder ?? real, ...place }]
  // The array grows during the loop.
  for (const { folder, below: path, depth } of waiting) {
    if (folders.has(folder)) continue
    if (folders.size >= maxFolders) {
      notes.add(`Only the first ${maxFolders} folders were scanned.`)
      break
    }
    folders.set(folder, { below: path, depth })
    yield
    let entries: Dirent[]
    try {
      entries = readdirSync(folder, { withFileTypes: true })
    } catch (error) {
      if (systemCode(error) === 'ENOENT') continue
      unread.push(folder)
      notes.add(path === '' ? folderProblem(error) : `${path}: ${folderProblem(error)}`)
      continue
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const name = path === '' ? entry.name : `${path}/${entry.name}`
      const isWanted = depth > 0 && !isSkippedFolder(entry.name)
      if (isMisread(entry, folder)) {
        if (entry.isDirectory() && isWanted) {
          unread.push(join(folder, entry.name))
          notes.count('folder was skipped: its name is not UTF-8.', 'folders were skipped: their names are not UTF-8.')
        } else if (!entry.isDirectory() && root.mayBeLog(name))
          notes.count('file was skipped: its name is not UTF-8.', 'files were skipped: their names are not UTF-8.')
        continue
      }
      const kind = kindOf(entry, folder)
      // Folders may be from others. Who wants such a link followed opens it, or adds the folder that it leads to.
      if ('path' in kind && !isWithin(real, kind.path)) {
        if (kind.is === 'folder' || root.mayBeLog(name))
          notes.count(
            'link that leads out of the folder was not followed.',
            'links that lead out of the folder were not followed.'
          )
        continue
      }
      if (kind.is === 'folder') {
        if (isWanted && only?.known.has(kind.path) !== true)
          waiting.push({ folder: kind.path, below: name, depth: depth - 1 })
        continue
      }
      if (!root.mayBeLog(name)) continue
      if (kind.is === 'gone') continue
      if (kind.is === 'other') {
        notes.count('pipe, socket or device was skipped.', 'pipes, sockets and devices were skipped.')
        continue
      }
      if (kind.is === 'loop') {
        notes.count('broken link was skipped.', 'broken links were skipped.')
        continue
      }
      const facts = kind.facts ?? logFactsAt(kind.path)
      if (facts === null) continue
      if (logs.length >= maxLogs) {
        notes.add(`Only the first ${maxLogs} files were scanned.`)
        return result(false)
      }
      logs.push({ path: kind.path, folder, facts })
      yield
    }
  }
  return result(false)
}

type Kind =
  | { readonly is: 'folder'; readonly path: string }
  | { readonly is: 'file'; readonly path: string; readonly facts: LogFacts | null }
  | { readonly is: 'other' }
  | { readonly is: 'loop' }
  | { readonly is: 'gone' }

function kindOf(entry: Dirent, folder: string): Kind {
  const path = join(folder, entry.name)
  if (entry.isFile()) return { is: 'file', path, facts: null }
  if (entry.isDirectory()) return { is: 'folder', path }
  if (entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice() || entry.isBlockDevice()) return { is: 'other' }
  // A link, or a file system that reports no type.
  try {
    const stats = statSync(path, { bigint: true })
    if (stats.isDirectory()) return { is: 'folder', path: realpathSync(path) }
    return stats.isFile() ? { is: 'file', path: realpathSync(path), facts: logFacts(stats) } : { is: 'other' }
  } catch (error) {
    return { is: systemCode(error) === 'ENOENT' && !entry.isSymbolicLink() ? 'gone' : 'loop' }
  }
}

/** Whether the name is not UTF-8. Node decodes it with U+FFFD, and such a path finds nothing. */
function isMisread({ name }: Dirent, folder: string): boolean {
  if (!name.includes('\ufffd')) return false
  try {
    return lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/** Sentences about a root for the user, with counts of equal problems. */
export class RootNotes {
  readonly #sentences: string[] = []
  readonly #counts = new Map<string, { count: number; many: string }>()

  add(sentence: string): void {
    if (this.#sentences.length < maxNotes) this.#sentences.push(sentence)
  }

  /** Counts one more. `one` is the text after "1", `many` the text after larger numbers. */
  count(one: string, many: string): void {
    const known = this.#counts.get(one)
    if (known === undefined) this.#counts.set(one, { count: 1, many })
    else known.count++
  }

  all(): string[] {
    const counted = [...this.#counts].map(([one, { count, many }]) => (count === 1 ? `1 ${one}` : `${count} ${many}`))
    return [...counted, ...this.#sentences].slice(0, maxNotes)
  }
}
