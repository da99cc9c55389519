import { isJsonObject, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { fileNameOf, type MainFile, type RunSearch } from '../run-search.ts'

/** Null without a header: docs/formats/gemini-chat.md#subagents-lie-in-a-folder-of-the-session. */
export function geminiRunFiles(main: MainFile): RunSearch | null {
  const header = headerOf(main.records)
  const session = header && stringAt(header, 'sessionId')
  // Untrusted, and used as a folder name.
  if (session === undefined || !/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(session)) return null
  return {
    key: session,
    folders: [{ path: session, depth: 0 }],
    mayBelong: (path) => /\.jsonl?$/.test(fileNameOf(path)),
    linkOf({ path, records }) {
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
