import { HostError } from '#contract/host-error.ts'
import { anyDepth, isSkippedFolder, mayBeAnyLog } from '#core/library/any-log.ts'

/** A file that a person dropped, pasted or chose. */
export interface GivenFile {
  readonly file: File
  /** With the folders that were given with it, with `/`: `project/session.jsonl`. */
  readonly path: string
}

/** What was given at once. */
export interface GivenFiles {
  readonly files: readonly GivenFile[]
  /** A folder was among it: of its files only those with names of logs are here. */
  readonly hasFolder: boolean
  /** Of the first thing that was given. */
  readonly name: string
}

/** What was given at once, before it is looked through. */
export interface Given {
  /** Each file and each folder by itself. */
  readonly items: readonly File[]
  /** Looks through folders. Rejects where there is too much, and where it is cancelled. */
  read(signal: AbortSignal): Promise<GivenFiles>
}

/** More is a mistake: a disk, or all projects of years. */
const mostFiles = 5000
const mostEntries = 50_000

/** Files that were chosen, or copied. */
export function givenFiles(list: Iterable<File>): Given {
  const items = [...list]
  const files = items.map((file) => ({ file, path: file.name }))
  return { items, read: async () => ({ files, hasFolder: false, name: items[0]?.name ?? '' }) }
}

/** A folder that was chosen. */
export function givenFolder(list: Iterable<File>): Given {
  const items = [...list]
  return {
    items,
    async read() {
      const all = items.map((file) => ({ file, path: file.webkitRelativePath }))
      const files = all.filter(({ path }) => mayBeIn(path))
      if (files.length > mostFiles) throw tooMany()
      return { files, hasFolder: true, name: all[0]?.path.split('/')[0] ?? '' }
    }
  }
}

/** What was dropped or pasted. To be called in its event: later it cannot be asked any more. */
export function givenIn(transfer: DataTransfer): Given {
  const items = [...transfer.files]
  const entries = Array.from(transfer.items, (item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
  if (!entries.some((entry) => entry?.isDirectory === true)) return givenFiles(items)
  return {
    items,
    async read(signal) {
      const walk = new EntryWalk(signal)
      for (const entry of entries) if (entry !== null) await walk.take(entry, anyDepth)
      return { files: walk.files, hasFolder: true, name: items[0]?.name ?? '' }
    }
  }
}

/** Looks through the folders of a drop. */
class EntryWalk {
  readonly files: GivenFile[] = []
  readonly #signal: AbortSignal
  #entries = 0

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  async take(entry: FileSystemEntry, depth: number): Promise<void> {
    this.#signal.throwIfAborted()
    this.#entries += 1
    if (this.#entries > mostEntries || this.files.length > mostFiles) throw tooMany()
    const path = entry.fullPath.replace(/^\//, '')
    // What was given by itself may have any name.
    if (isFileEntry(entry)) {
      if (!path.includes('/') || mayBeIn(path)) this.files.push({ file: await fileOf(entry), path })
      return
    }
    if (!isFolderEntry(entry) || depth < 0 || isSkippedFolder(entry.name)) return
    const reader = entry.createReader()
    for (;;) {
      // Browsers give a hundred at a time.
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      if (some.length === 0) return
      for (const below of some) await this.take(below, depth - 1)
    }
  }
}

function isFileEntry(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolderEntry(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

function mayBeIn(path: string): boolean {
  const parts = path.split('/')
  return mayBeAnyLog(path) && parts.length <= anyDepth + 2 && !parts.some(isSkippedFolder)
}

function tooMany(): HostError {
  const most = mostFiles.toLocaleString('en-US')
  return new HostError(
    'bad-params',
    `There are more than ${most} log files in the folder. Choose the folder of one project or session.`
  )
}
