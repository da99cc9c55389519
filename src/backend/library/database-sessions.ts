import { isDatabaseName, sessionAddress } from '#core/formats/session-database.ts'
import { HostError } from '#contract/host-error.ts'
import { databaseVersion, isDatabase, OpenDatabase } from '../sources/session-databases.ts'
import type { FoundLog } from './find-logs.ts'

/** A database as it was read. */
interface Read {
  readonly version: string
  readonly sessions: readonly FoundLog[]
}

/** The sessions in databases. An unchanged database is not opened again. */
export class DatabaseSessions {
  /** By path. */
  readonly #read = new Map<string, Read>();

  /** The logs, with the sessions of a database in its place. A database of another program is left out. */
  async in(logs: readonly FoundLog[]): Promise<readonly FoundLog[]> {
    if (!logs.some(({ path }) => isDatabaseName(path))) return logs
    const found: FoundLog[] = []
    for (const log of logs) {
      if (isDatabaseName(log.path) && isDatabase(log.path)) found.push(...(await this.#sessionsOf(log)))
      else found.push(log)
    }
    return found
  }

  /** One that cannot be read is a log that cannot be read, or has the sessions that it had. */
  async #sessionsOf(log: FoundLog): Promise<readonly FoundLog[]> {
    const { path, folder, facts } = log
    const known = this.#read.get(path)
    const version = databaseVersion(path)
    if (known?.version === version) return known.sessions
    try {
      const stored = await OpenDatabase.read(path, async (database) => database.sessions())
      const sessions = stored.map(({ id, modified: stated, bytes }) => {
        const modified = stated === 0 ? facts.modified : stated
        const address = sessionAddress(path, id)
        const own = { inode: `${facts.inode} ${id}`, bytes, modified, changed: modified }
        return { path: address, folder, facts: { ...facts, ...own } }
      })
      this.#read.set(path, { version, sessions })
      return sessions
    } catch (error) {
      if (error instanceof HostError && error.code === 'bad-params') return []
      return known?.sessions ?? [log]
    }
  }
}
