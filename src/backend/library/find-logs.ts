import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isSkippedFolder } from '#core/library/any-log.ts'
import { systemCode } from '../write-failure.ts'
import { type LogFacts, logFacts, logFactsAt } from './log-facts.ts'
import { RootNotes } from './root-notes.ts'
import { folderProblem } from './why-unreadable.ts'

/** A folder to look into for logs. */
export interface SearchedRoot {
  /** Absolute. */
  readonly path: string
  /** How many folders below it. */
  readonly depth: number
  /** By its path below the root, with `/`. */
  mayBeLog(path: string): boolean
}

/** A file that may be a log. */
export interface FoundLog {
  /** Absolute, links resolved. */
  readonly path: string
  /** Absolute, real: in which it stands. */
  readonly folder: string
  readonly facts: LogFacts
}

/** Where a folder stands below a root. */
export interface FolderPlace {
  /** With `/`; empty: the root itself. */
  readonly below: string
  /** How many folders below it are looked into. */
  readonly depth: number
}

/** What was found below a root. */
export interface FoundBelow {
  readonly logs: readonly FoundLog[]
  /** The folders that were looked into, by their real paths. */
  readonly folders: ReadonlyMap<string, FolderPlace>
  /** Folders, or the root itself, that could not be looked into: nothing is known of what is below them. */
  readonly unread: readonly string[]
  readonly isMissing: boolean
  readonly notes: RootNotes
}

/** More than that nobody has; a disk that is added by mistake has. */
const mostFolders = 50_000
const mostLogs = 100_000

/**
 * Finds what may be a log below a root: names and what the system says of them, nothing is opened. Yields often. Links to folders are followed, each
 * folder once. `only`: that folder of it alone, and those below it that `known` has not.
 */
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
    notes.say(folderProblem(error))
    unread.push(root.path)
    return result(false)
  }
  const place = only?.known.get(only.folder) ?? { below: '', depth: root.depth }
  const waiting = [{ folder: only?.folder ?? real, ...place }]
  // Its length grows while it is gone through.
  for (const { folder, below: path, depth } of waiting) {
    if (folders.has(folder)) continue
    if (folders.size >= mostFolders) {
      notes.say(`Only the first ${mostFolders} folders were scanned.`)
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
      notes.say(path === '' ? folderProblem(error) : `${path}: ${folderProblem(error)}`)
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
      if (logs.length >= mostLogs) {
        notes.say(`Only the first ${mostLogs} files were scanned.`)
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
  // A link, or a file system that does not say what it is.
  try {
    const stats = statSync(path, { bigint: true })
    if (stats.isDirectory()) return { is: 'folder', path: realpathSync(path) }
    return stats.isFile() ? { is: 'file', path: realpathSync(path), facts: logFacts(stats) } : { is: 'other' }
  } catch (error) {
    return { is: systemCode(error) === 'ENOENT' && !entry.isSymbolicLink() ? 'gone' : 'loop' }
  }
}

/** Whether its name is not UTF-8: Node reads it as a text with U+FFFD, by which nothing is found. */
function isMisread({ name }: Dirent, folder: string): boolean {
  if (!name.includes('\ufffd')) return false
  try {
    return lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
