import { isJsonObject } from '../../json.ts'
import type { SessionLog } from '../session-log.ts'

/** Only chats of lines (since 0.39), which grow at their end. */
export const geminiSessionLog: SessionLog = {
  subfolder: 'chats',
  mayBeOf: (name, session) => name.startsWith('session-') && name.endsWith(`-${session.slice(0, 8)}.jsonl`),
  isOf: (record, session) => isJsonObject(record) && record['sessionId'] === session
}
