import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { recordsOf } from '#core/formats/decode-parts.ts'
import type { SessionLog } from '#core/formats/session-log.ts'
import { GrowingFile } from './growing-file.ts'

/** A log is searched this often at most, once after each output of the run. */
const maxSearches = 200
const headBytes = 1 << 18
const lineFeed = 0x0a

/** Finds the log that an agent keeps of a session, once it is there. */
export class SessionLogFile {
  readonly #log: SessionLog
  readonly #logs: string
  #searches = 0

  /** `logs`: the folder of the program's logs. */
  constructor(log: SessionLog, logs: string) {
    this.#log = log
    this.#logs = logs
  }

  /** Its path; null: not found yet. */
  async find(session: string): Promise<string | null> {
    if (this.#searches >= maxSearches) return null
    this.#searches += 1
    const { subfolder, mayBeOf } = this.#log
    for (const project of await entriesOf(this.#logs)) {
      const folder = join(this.#logs, project.name, subfolder)
      for (const entry of project.isDirectory() ? await entriesOf(folder) : []) {
        const path = join(folder, entry.name)
        if (entry.isFile() && mayBeOf(entry.name, session) && (await this.#isOf(path, session))) return path
      }
    }
    return null
  }

  async #isOf(path: string, session: string): Promise<boolean> {
    const file = new GrowingFile(path)
    try {
      const head = await file.read(Buffer.alloc(Math.min(headBytes, await file.size())), 0)
      const end = head.indexOf(lineFeed)
      const first = end === -1 ? [] : recordsOf(null, head.subarray(0, end), 'lines').records
      return first.some(({ value }) => this.#log.isOf(value, session))
    } finally {
      await file.close()
    }
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch(() => [])
}
