import type { FileHandle } from 'node:fs/promises'

/** Open files at a time: `ulimit -n 256` must suffice for 16 logs. */
const defaultMax = 8
/** Waits after EMFILE or ENFILE double from the first to the last. */
const firstWaitMs = 10
const lastWaitMs = 640

interface Entry {
  readonly handle: Promise<FileHandle>
  users: number
}

/** Opens files on demand and closes the least recently used. `open` must check that it is the same file. */
export class DescriptorPool {
  readonly #max: number
  /** By owner, least recently used first. */
  readonly #entries = new Map<object, Entry>()
  #waiting: (() => void)[] = []

  constructor(max = defaultMax) {
    this.#max = max
  }

  /** Calls `work` with the owner's file, opened by `open` if needed. Rejects as they do. */
  async use<T>(owner: object, open: () => Promise<FileHandle>, work: (handle: FileHandle) => Promise<T>): Promise<T> {
    const entry = await this.#entryOf(owner, open)
    try {
      return await work(await entry.handle)
    } finally {
      entry.users--
      for (const wake of this.#waiting.splice(0)) wake()
    }
  }

  /** Closes the owner's file if it is open. */
  async close(owner: object): Promise<void> {
    const entry = this.#entries.get(owner)
    this.#entries.delete(owner)
    await closeHandle(entry)
  }

  async #entryOf(owner: object, open: () => Promise<FileHandle>): Promise<Entry> {
    for (;;) {
      const known = this.#entries.get(owner)
      if (known !== undefined || this.#entries.size < this.#max || this.#closeOne()) {
        const entry = known ?? { handle: this.#open(open), users: 0 }
        entry.users++
        this.#entries.delete(owner)
        this.#entries.set(owner, entry)
        if (known === undefined) entry.handle.catch(() => this.#forget(owner, entry))
        return entry
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  async #open(open: () => Promise<FileHandle>): Promise<FileHandle> {
    for (let waitMs = firstWaitMs; ; waitMs *= 2) {
      try {
        return await open()
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        if ((code !== 'EMFILE' && code !== 'ENFILE') || waitMs > lastWaitMs) throw error
        while (this.#closeOne());
        await new Promise((resume) => setTimeout(resume, waitMs))
      }
    }
  }

  /** Closes the least recently used idle file; false: there is none. */
  #closeOne(): boolean {
    for (const [owner, entry] of this.#entries) {
      if (entry.users > 0) continue
      this.#entries.delete(owner)
      void closeHandle(entry)
      return true
    }
    return false
  }

  #forget(owner: object, entry: Entry): void {
    if (this.#entries.get(owner) === entry) this.#entries.delete(owner)
  }
}

async function closeHandle(entry: Entry | undefined): Promise<void> {
  // A failed open needs no close.
  await entry?.handle.then((handle) => handle.close()).catch(() => {})
}
