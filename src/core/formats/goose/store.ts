import type { LogStore } from '../log-store.ts'
import { rowRecord, type SessionDatabase, type StoredRecords, type StoredValue } from '../session-database.ts'
import { below, folderIn } from '../store-folders.ts'

/** Columns of a session that change with each message. */
const changing = /tokens$|^updated_at$|^accumulated_|^extension_data$/

/** What requests to the model took. */
const usage: StoredRecords = {
  keys: 'SELECT rowid AS k FROM usage_ledger WHERE session_id = ? ORDER BY id',
  row: { table: 'usage_ledger', key: 'rowid' },
  record: (row) => rowRecord('usage_ledger', row, [])
}

/** `sessions.db`: docs/formats/goose.md. */
const database: SessionDatabase = {
  tables: {
    sessions: ['id', 'working_dir', 'created_at', 'updated_at'],
    messages: ['id', 'session_id', 'role', 'content_json', 'created_timestamp']
  },
  newer: ['usage_ledger'],
  sessions: () => `
    SELECT id, CAST(strftime('%s', updated_at) AS INTEGER) AS modified, coalesce(stored.count, 0) AS state
    FROM sessions
    LEFT JOIN (SELECT session_id, count(*) AS count FROM messages GROUP BY session_id) AS stored
      ON stored.session_id = sessions.id`,
  size: 'SELECT sum(octet_length(content_json)) AS bytes FROM messages WHERE session_id = ?',
  records: (has) => [
    {
      keys: 'SELECT id AS k FROM sessions WHERE id = ?',
      row: { table: 'sessions', key: 'id' },
      record: (row) => {
        const stays = Object.entries(row).filter(([name]) => !changing.test(name))
        return rowRecord('sessions', Object.fromEntries<StoredValue>(stays), ['model_config_json'])
      }
    },
    {
      keys: 'SELECT rowid AS k FROM messages WHERE session_id = ? ORDER BY id',
      row: { table: 'messages', key: 'rowid' },
      record: (row) => rowRecord('messages', row, ['content_json', 'metadata_json'])
    },
    ...(has.has('usage_ledger') ? [usage] : [])
  ]
}

/** Below the data folder of the system, or `GOOSE_PATH_ROOT`. */
export const gooseStore: LogStore = {
  roots: (system) => {
    const root = folderIn(system, 'GOOSE_PATH_ROOT')
    if (root !== null) return [below(system, root, 'data', 'sessions')]
    const { home, platform } = system
    if (platform === 'darwin')
      return [below(system, home, 'Library', 'Application Support', 'Block', 'goose', 'sessions')]
    if (platform === 'win32') {
      const roaming = folderIn(system, 'APPDATA') ?? below(system, home, 'AppData', 'Roaming')
      return [below(system, roaming, 'Block', 'goose', 'data', 'sessions')]
    }
    const data = folderIn(system, 'XDG_DATA_HOME') ?? below(system, home, '.local', 'share')
    return [below(system, data, 'goose', 'sessions')]
  },
  depth: 0,
  mayBeLog: (path) => path === 'sessions.db',
  database,
  resume: (sessionId) => ['goose', 'session', '--resume', '--session-id', sessionId]
}
