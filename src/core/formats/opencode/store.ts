import { isJsonObject, type JsonObject } from '../../json.ts'
import type { LogStore } from '../log-store.ts'
import { type SessionDatabase, storedJson, type StoredRow } from '../session-database.ts'
import { below, folderIn } from '../store-folders.ts'

/** `opencode.db` below the data folder: docs/formats/opencode.md#the-database. */
const database: SessionDatabase = {
  tables: {
    session: ['id', 'project_id', 'parent_id', 'directory', 'title', 'version', 'time_created', 'time_updated'],
    message: ['id', 'session_id', 'time_created', 'time_updated', 'data'],
    part: ['id', 'message_id', 'session_id', 'time_updated', 'data']
  },
  // What is written last is in the last message or the last part, which indexes tell.
  sessions: () => `
    SELECT session.id AS id,
      max(session.time_updated, coalesce(message.time_updated, 0), coalesce(part.time_updated, 0)) AS modified,
      coalesce(parts.count, 0) + coalesce(octet_length(part.data), 0) AS state
    FROM session
    LEFT JOIN (SELECT session_id, max(rowid) AS last FROM message GROUP BY session_id) AS messages
      ON messages.session_id = session.id
    LEFT JOIN message ON message.rowid = messages.last
    LEFT JOIN (SELECT session_id, count(*) AS count, max(rowid) AS last FROM part GROUP BY session_id) AS parts
      ON parts.session_id = session.id
    LEFT JOIN part ON part.rowid = parts.last`,
  size: `
    SELECT sum(bytes) AS bytes FROM (
      SELECT sum(octet_length(data)) AS bytes FROM message WHERE session_id = ?1
      UNION ALL SELECT sum(octet_length(data)) FROM part WHERE session_id = ?1
    )`,
  records: () => [
    {
      keys: 'SELECT id AS k FROM session WHERE id = ?',
      row: { table: 'session', key: 'id' },
      record: sessionRecord
    },
    {
      keys: 'SELECT rowid AS k FROM message WHERE session_id = ? ORDER BY time_created, id',
      row: { table: 'message', columns: ['id', 'session_id', 'data'], key: 'rowid' },
      parts: {
        table: 'part',
        columns: ['id', 'session_id', 'message_id', 'data'],
        key: 'message_id',
        of: 'id',
        order: 'id'
      },
      record: (message, parts) => ({ info: withIds(message), parts: parts.map(withIds) })
    }
  ]
}

/** As `opencode export` writes it, without what changes with each message. */
function sessionRecord(row: StoredRow): JsonObject {
  const { id = null, project_id = null, parent_id = null, directory = null, title = null, version = null } = row
  const info = { id, projectID: project_id, directory, title, version, time: { created: row['time_created'] ?? null } }
  return { info: parent_id === null ? info : { ...info, parentID: parent_id } }
}

/** The JSON of a row, with the ids that have columns of their own. */
function withIds({ id = null, session_id = null, message_id = null, data }: StoredRow): JsonObject {
  const stored = storedJson(data)
  const ids = { id, sessionID: session_id, ...(message_id !== null && { messageID: message_id }) }
  return { ...ids, ...(isJsonObject(stored) ? stored : { data: stored }) }
}

/** `~/.local/share/opencode/opencode.db` on every system; other channels have `opencode-<channel>.db`. */
export const opencodeStore: LogStore = {
  roots: (system) => {
    const home = folderIn(system, 'XDG_DATA_HOME') ?? below(system, system.home, '.local', 'share')
    return [below(system, home, 'opencode')]
  },
  depth: 0,
  mayBeLog: (path) => /^opencode(?:-[\w.-]+)?\.db$/.test(path),
  database,
  resume: (sessionId) => ['opencode', '--session', sessionId]
}
