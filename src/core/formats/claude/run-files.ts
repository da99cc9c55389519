import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { type Candidate, fileNameOf, type MainFile, type RunLink, type RunSearch } from '../run-search.ts'

const warmUps = { one: 'warm-up agent', many: 'warm-up agents' }

/** docs/formats/claude-transcript.md#a-session-has-files-of-subagents. Null for a subagent's own file. */
export function claudeRunFiles(main: MainFile): RunSearch | null {
  if (firstWith(main.records, 'isSidechain')?.['isSidechain'] === true) return null
  // Untrusted, and used as a folder name: `...jsonl` would name the folder above.
  const stem = main.name.replace(/\.jsonl$/, '').replace(/^\.+$/, '')
  const own = stem === '' ? [] : [{ path: `${stem}/subagents`, depth: 4 }]
  const session = stringAt(firstWith(main.records, 'sessionId') ?? {}, 'sessionId') ?? stem
  const sessions = [session, stem]
  const isInFolder = (path: string): boolean => own.some((folder) => path.startsWith(`${folder.path}/`))
  return {
    key: session,
    folders: [
      ...own,
      { path: '', depth: 0 },
      // A copy without the folder of the session's id.
      { path: 'subagents', depth: 4 }
    ],
    mayBelong: (path) => /^agent-.+\.jsonl$/s.test(fileNameOf(path)),
    companionOf: (path) => path.replace(/\.jsonl$/, '.meta.json'),
    mayHaveParent: (path, parent) => isInFolder(path) || parent === null || sessions.includes(parent),
    linkOf(candidate) {
      return isInFolder(candidate.path) || isAgentOf(candidate, sessions) ? linkOf(candidate, session) : null
    }
  }
}

function isAgentOf({ records }: Candidate, sessions: readonly string[]): boolean {
  const first = firstWith(records, 'sessionId')
  return first?.['isSidechain'] === true && sessions.includes(stringAt(first, 'sessionId') ?? '')
}

function linkOf({ path, records, companion }: Candidate, parent: string): RunLink {
  const callId = isJsonObject(companion) ? stringAt(companion, 'toolUseId') : undefined
  if (callId !== undefined) return { key: path, parent, callId }
  // 2.0 starts warm-up agents with one word as prompt.
  return promptOf(records) === 'Warmup' ? { key: path, parent, hidden: warmUps } : { key: path, parent }
}

/** The agent's prompt, if it is one text. */
function promptOf(records: readonly JsonValue[]): string | undefined {
  const first = records.find((record) => isJsonObject(record) && record['type'] === 'user')
  const message = isJsonObject(first) ? objectAt(first, 'message') : undefined
  if (message === undefined) return undefined
  const [block, ...more] = arrayAt(message, 'content') ?? []
  return isJsonObject(block) && more.length === 0 ? stringAt(block, 'text') : stringAt(message, 'content')
}

function firstWith(records: readonly JsonValue[], member: string): JsonObject | undefined {
  for (const record of records) if (isJsonObject(record) && record[member] !== undefined) return record
  return undefined
}
