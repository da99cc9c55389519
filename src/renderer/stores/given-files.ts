import { HostError } from '#contract/host-error.ts'
import { anyDepth, isSkippedFolder, mayBeAnyLog } from '#core/library/any-log.ts'

/** A file that a person dropped, pasted or chose. */
export interface GivenFile {
  readonly file: File
  /** With its folders, separated by `/`: `project/session.jsonl`. */
  readonly path: string
}

/** Files that were given together. */
export interface GivenFiles {
  readonly files: readonly GivenFile[]
  /** Whether there was a folder. Of its files only those named like logs are included. */
  readonly hasFolder: boolean
  /** The name of the first item. */
  readonly name: string
}

/** Items that were given together; their folders are not read yet. */
export interface Given {
  /** Each file and each folder. */
  readonly items: readonly File[]
  /** Reads folders. Rejects if there are too many files, or if it is cancelled. */
  read(signal: AbortSignal): Promise<GivenFiles>
}

/** More files are a mistake: a disk, or all projects of years. */
const maxFiles = 5000
const maxEntries = 50_000

/** Chosen or copied files. */
export function givenFiles(list: Iterable<File>): Given {
  const items = [...list]
  const files = items.map((file) => ({ file, path: file.name }))
  return { items, read: async () => ({ files, hasFolder: false, name: items[0]?.name ?? '' }) }
}

/** A chosen folder. */
export function givenFolder(list: Iterable<File>): Given {
  const items = [...list]
  return {
    items,
    async read() {
      const all = items.map((file) => ({ file, path: file.webkitRelativePath }))
      const files = all.filter(({ path }) => mayBeIn(path))
      if (files.length > maxFiles) throw tooMany()
      return { files, hasFolder: true, name: all[0]?.path.split('/')[0] ?? '' }
    }
  }
}

/** Dropped or pasted items. Call it in their event; later the browser does not return them. */
export function givenIn(transfer: DataTransfer): Given {
  const items = [...transfer.files]
  const entries = Array.from(transfer.items, (item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
  if (!entries.some((entry) => entry?.isDirectory === true)) return givenFiles(items)
  return {
    items,
    async read(signal) {
      const walk = new EntryWalk(signal)
      for (const entry of entries) if (entry !== null) await walk.add(entry, anyDepth)
      return { files: walk.files, hasFolder: true, name: items[0]?.name ?? '' }
    }
  }
}

/** Reads the dropped folders. */
class EntryWalk {
  readonly files: GivenFile[] = []
  readonly #signal: AbortSignal
  #entries = 0

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  async add(entry: FileSystemEntry, depth: number): Promise<void> {
    this.#signal.throwIfAborted()
    this.#entries += 1
    if (this.#entries > maxEntries || this.files.length > maxFiles) throw tooMany()
    const path = entry.fullPath.replace(/^\//, '')
    // A file that was given itself may have any name.
    if (isFileEntry(entry)) {
      if (!path.includes('/') || mayBeIn(path)) this.files.push({ file: await fileOf(entry), path })
      return
    }
    if (!isFolderEntry(entry) || depth < 0 || isSkippedFolder(entry.name)) return
    const reader = entry.createReader()
    for (;;) {
      // Browsers return up to a hundred entries per call.
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      if (some.length === 0) return
      for (const below of some) await this.add(below, depth - 1)
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
  const most = maxFiles.toLocaleString('en-US')
  return new HostError(
    'bad-params',
    `There are more than ${most} log files in the folder. Choose the folder of one project or session.`
  )
}
