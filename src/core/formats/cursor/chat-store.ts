import { isJsonObject, type JsonObject } from '../../json.ts'
import type { LogStore } from '../log-store.ts'
import { rowRecord, type SessionDatabase, storedJson, type StoredRow } from '../session-database.ts'
import { below } from '../store-folders.ts'
import { cursorHomes } from './store.ts'

/** A member of the chat's metadata, which are JSON in hexadecimal digits. */
const meta = (member: string): string => `json_extract(CAST(unhex(value) AS TEXT), '$.${member}')`

/** `store.db` of one chat: docs/formats/cursor-chat.md. */
const database: SessionDatabase = {
  tables: { meta: ['key', 'value'], blobs: ['id', 'data'] },
  // A database has one chat, and states no time of a change.
  sessions: () => `SELECT ${meta('agentId')} AS id, 0 AS modified, 0 AS state FROM meta WHERE key = '0'`,
  size: 'SELECT sum(octet_length(data)) AS bytes FROM blobs',
  records: () => [
    {
      keys: `SELECT key AS k FROM meta WHERE key = '0' AND ${meta('agentId')} = ?`,
      row: { table: 'meta', key: 'key' },
      record: metaRecord
    },
    {
      keys: `SELECT data AS k FROM blobs WHERE id = (SELECT ${meta('latestRootBlobId')} FROM meta WHERE key = '0' AND ${meta('agentId')} = ?)`,
      keysIn: messageIds,
      row: { table: 'blobs', key: 'id' },
      record: (row) => rowRecord('blobs', row, ['data'])
    }
  ]
}

/** The metadata without the newest root, which changes with each message. */
function metaRecord({ key = null, value }: StoredRow): JsonObject {
  const digits = typeof value === 'string' && /^(?:[0-9a-f]{2})*$/i.test(value) ? value : ''
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16))
  const stated = storedJson(new TextDecoder().decode(bytes))
  if (!isJsonObject(stated)) return { table: 'meta', row: { key, value: stated } }
  const { latestRootBlobId: _, ...stays } = stated
  return { table: 'meta', row: { key, value: stays } }
}

const idBytes = 32
/** The tag of field 1 with bytes, in protocol buffers. */
const firstField = 0x0a

/** The ids of messages in a root: field 1, repeated. Other fields are passed over. */
function messageIds(bytes: Uint8Array): readonly string[] {
  const ids: string[] = []
  let at = 0
  const number = (): number => {
    let value = 0
    for (let shift = 1; at < bytes.length && shift <= 2 ** 49; shift *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 0x7f) * shift
      if (byte < 0x80) return value
    }
    at = bytes.length
    return value
  }
  while (at < bytes.length) {
    const tag = number()
    if ((tag & 7) === 2) {
      const length = number()
      if (tag === firstField && length === idBytes && at + length <= bytes.length)
        ids.push([...bytes.subarray(at, at + length)].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
      at += length
    } else if ((tag & 7) === 0) number()
    else if ((tag & 7) === 1) at += 8
    else if ((tag & 7) === 5) at += 4
    else break
  }
  return ids
}

/** `~/.cursor/chats/<folder>/<id>/store.db`. */
export const cursorChatStore: LogStore = {
  roots: (system) => cursorHomes(system).map((home) => below(system, home, 'chats')),
  depth: 2,
  mayBeLog: (path) => /(?:^|\/)store\.db$/.test(path),
  database,
  resume: (sessionId) => ['cursor-agent', '--resume', sessionId]
}
