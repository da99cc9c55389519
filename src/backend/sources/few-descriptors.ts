import type { FileHandle } from 'node:fs/promises'

/** So many files are open at a time, whatever a run has: `ulimit -n 256` has to do for 16 logs. */
const defaultMax = 8
/** A system that has no descriptor left is asked again after so long, in ms, and each time after twice as long. */
const firstWait = 10
const lastWait = 640

interface Entry {
  readonly handle: Promise<FileHandle>
  users: number
}

/**
 * Opens files while they are read, few at a time, and keeps those open that were read last. Whoever opens one says how, and checks that it is still
 * the same one: between two reads it may have been closed.
 */
export class FewDescriptors {
  readonly #most: number
  /** By whose they are, the one used last at the end. */
  readonly #entries = new Map<object, Entry>()
  #waiting: (() => void)[] = []

  constructor(most = defaultMax) {
    this.#most = most
  }

  /** Does `work` with the file of `owner`, opened with `open` if it is not. Rejects as they do. */
  async use<T>(owner: object, open: () => Promise<FileHandle>, work: (handle: FileHandle) => Promise<T>): Promise<T> {
    const entry = await this.#entryOf(owner, open)
    try {
      return await work(await entry.handle)
    } finally {
      entry.users--
      for (const wake of this.#waiting.splice(0)) wake()
    }
  }

  /** Closes the file of `owner` if it is open. */
  async close(owner: object): Promise<void> {
    const entry = this.#entries.get(owner)
    this.#entries.delete(owner)
    await closeHandle(entry)
  }

  async #entryOf(owner: object, open: () => Promise<FileHandle>): Promise<Entry> {
    for (;;) {
      const known = this.#entries.get(owner)
      if (known !== undefined || this.#entries.size < this.#most || this.#closeOne()) {
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
    for (let wait = firstWait; ; wait *= 2) {
      try {
        return await open()
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        if ((code !== 'EMFILE' && code !== 'ENFILE') || wait > lastWait) throw error
        while (this.#closeOne());
        await new Promise((resume) => setTimeout(resume, wait))
      }
    }
  }

  /** Closes the one that was used longest ago and that nobody uses now; false: there is none. */
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
  // One that could not be opened need not be closed.
  await entry?.handle.then((handle) => handle.close()).catch(() => {})
}
