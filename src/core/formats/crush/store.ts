import { arrayAt, isJsonObject, stringAt } from '../../json.ts'
import type { LogStore } from '../log-store.ts'
import { rowRecord, type SessionDatabase, storedJson } from '../session-database.ts'
import { below, folderIn } from '../store-folders.ts'

/** `.crush/crush.db` of a project: docs/formats/crush.md. */
const database: SessionDatabase = {
  tables: {
    sessions: ['id', 'parent_session_id', 'title', 'cost', 'created_at', 'updated_at'],
    messages: ['id', 'session_id', 'role', 'parts', 'model', 'created_at', 'updated_at'],
    files: ['id', 'session_id', 'path', 'version']
  },
  // Times are in seconds, and the last message grows while it is written.
  sessions: () => `
    SELECT sessions.id AS id, max(sessions.updated_at, coalesce(messages.updated_at, 0)) AS modified,
      coalesce(stored.count, 0) + coalesce(octet_length(messages.parts), 0) AS state
    FROM sessions
    LEFT JOIN (SELECT session_id, count(*) AS count, max(rowid) AS last FROM messages GROUP BY session_id) AS stored
      ON stored.session_id = sessions.id
    LEFT JOIN messages ON messages.rowid = stored.last`,
  size: 'SELECT sum(octet_length(parts)) AS bytes FROM messages WHERE session_id = ?',
  records: () => [
    {
      keys: 'SELECT id AS k FROM sessions WHERE id = ?',
      row: { table: 'sessions', columns: ['id', 'parent_session_id', 'title', 'created_at'], key: 'id' },
      record: (row) => rowRecord('sessions', row, [])
    },
    {
      // Times are in seconds: of equals, the one stored first is first.
      keys: 'SELECT rowid AS k FROM messages WHERE session_id = ? ORDER BY created_at, rowid',
      row: { table: 'messages', key: 'rowid' },
      record: (row) => rowRecord('messages', row, ['parts'])
    },
    {
      // What changes with each message is the last record.
      keys: 'SELECT id AS k FROM sessions WHERE id = ?',
      row: { table: 'sessions', key: 'id' },
      record: (row) => rowRecord('sessions', row, ['todos'])
    }
  ]
}

/** `.crush` in each project that `projects.json` names, and in the home folder. */
export const crushStore: LogStore = {
  roots: (system) => [below(system, system.home, '.crush')],
  list: {
    fileOf: (system) => {
      const data = folderIn(system, 'XDG_DATA_HOME') ?? below(system, system.home, '.local', 'share')
      return below(system, folderIn(system, 'CRUSH_GLOBAL_DATA') ?? below(system, data, 'crush'), 'projects.json')
    },
    roots: (text) => {
      const list = storedJson(text)
      const projects = isJsonObject(list) ? (arrayAt(list, 'projects') ?? []) : []
      return projects.flatMap((project) => {
        const folder = isJsonObject(project) ? stringAt(project, 'data_dir') : undefined
        return folder === undefined ? [] : [folder]
      })
    }
  },
  depth: 0,
  mayBeLog: (path) => path === 'crush.db',
  database,
  resume: (sessionId) => ['crush', '--session', sessionId]
}
