import { isJsonObject, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { dialogueBeside, dialogueFile } from '../../dialogue/sent-note.ts'
import { sessionCopyFile } from '../session-log.ts'
import { fileNameOf, type MainFile, type RunSearch } from '../run-search.ts'

/** Null without a header: docs/formats/gemini-chat.md#subagents-lie-in-a-folder-of-the-session. */
export function geminiRunFiles(main: MainFile): RunSearch | null {
  const header = headerOf(main.records)
  const session = header && stringAt(header, 'sessionId')
  // Untrusted, and used as a folder name.
  if (session === undefined || !/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(session)) return null
  // docs/formats/gemini-chat.md#asks-stand-beside-the-chat
  const beside = main.name === sessionCopyFile ? dialogueBeside(session) : null
  return {
    key: session,
    folders: [{ path: session, depth: 0 }, ...(beside?.folders ?? [])],
    mayBelong: (path) => (path.includes('/') ? /\.jsonl?$/.test(fileNameOf(path)) : beside?.mayBelong(path) === true),
    linkOf(candidate) {
      const { path, records } = candidate
      if (path === dialogueFile) return beside?.linkOf(candidate) ?? null
      return headerOf(records) === undefined ? null : { key: path, parent: session }
    }
  }
}

function headerOf(records: readonly JsonValue[]): JsonObject | undefined {
  for (const record of records) {
    if (!isJsonObject(record)) continue
    if (stringAt(record, 'sessionId') !== undefined && stringAt(record, 'projectHash') !== undefined) return record
  }
  return undefined
}
