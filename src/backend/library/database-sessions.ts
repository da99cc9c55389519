import { isDatabaseName, sessionAddress } from '#core/formats/session-database.ts'
import { HostError } from '#contract/host-error.ts'
import { databaseVersion, isDatabase } from '../sources/database-file.ts'
import { maxSessions, OpenDatabase } from '../sources/session-databases.ts'
import type { FoundLog, RootNotes } from './find-logs.ts'
import type { LogFacts } from './log-facts.ts'

/** A database as it was read. */
interface Read {
  readonly version: string
  readonly sessions: readonly FoundLog[]
}

/** The sessions in databases. An unchanged database is not opened again, and an unchanged session not measured again. */
export class DatabaseSessions {
  /** By path. */
  readonly #read = new Map<string, Read>()
  readonly #factsBefore: (address: string) => LogFacts | null

  /** `factsBefore`: what is known of a session, also from an earlier start. */
  constructor(factsBefore: (address: string) => LogFacts | null) {
    this.#factsBefore = factsBefore
  }

  /** The logs, with the sessions of a database in its place. A database of another program is left out. */
  async in(logs: readonly FoundLog[], notes?: RootNotes): Promise<readonly FoundLog[]> {
    if (!logs.some(({ path }) => isDatabaseName(path))) return logs
    const found: FoundLog[] = []
    for (const log of logs) {
      if (!isDatabaseName(log.path) || !isDatabase(log.path)) {
        found.push(log)
        continue
      }
      const sessions = await this.#sessionsOf(log)
      if (sessions.length > maxSessions)
        notes?.add(`Only the latest ${maxSessions} sessions of ${log.path} are listed.`)
      for (const session of sessions.slice(0, maxSessions)) found.push(session)
    }
    return found
  }

  /** One that cannot be read is a log that cannot be read, or has the sessions that it had. */
  async #sessionsOf(log: FoundLog): Promise<readonly FoundLog[]> {
    const { path } = log
    const known = this.#read.get(path)
    const version = databaseVersion(path)
    if (known?.version === version) return known.sessions
    let sessions: readonly FoundLog[]
    try {
      sessions = await OpenDatabase.read(path, async (database) => this.#logsOf(log, database))
    } catch (error) {
      const isForeign = error instanceof HostError && error.code === 'bad-params'
      sessions = isForeign ? [] : (known?.sessions ?? [log])
    }
    this.#read.set(path, { version, sessions })
    return sessions
  }

  #logsOf({ path, folder, facts }: FoundLog, database: OpenDatabase): FoundLog[] {
    return database.sessions().map(({ id, modified: stated }) => {
      const address = sessionAddress(path, id)
      const modified = stated ?? facts.modified
      const before = this.#factsBefore(address)
      const inode = `${facts.inode} ${id}`
      const isMeasured = before?.inode === inode && before.modified === modified
      const bytes = isMeasured ? before.bytes : database.bytesOf(id)
      return { path: address, folder, facts: { ...facts, inode, bytes, modified, changed: modified } }
    })
  }
}
