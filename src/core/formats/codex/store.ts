import { isJsonObject, stringAt } from '../../json.ts'
import { below, folderIn } from '../store-folders.ts'
import { parseJson } from '../json-text.ts'
import type { LogStore, SessionFacts } from '../log-store.ts'

const uuid = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl(?:\.zst)?$/i

/** `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, `archived_sessions` (docs/format-sources.md). */
export const codexStore: LogStore = {
  roots: (system) => {
    const home = folderIn(system, 'CODEX_HOME') ?? below(system, system.home, '.codex')
    return [below(system, home, 'sessions'), below(system, home, 'archived_sessions')]
  },
  depth: 3,
  mayBeLog: (path) => /(?:^|\/)rollout-[^/]+\.(?:jsonl(?:\.zst)?|json)$/.test(path),
  companion: {
    // One file for all sessions.
    fileOf: (path) =>
      path.replace(/\/(?:sessions\/(?:[^/]+\/){0,3}|archived_sessions\/)[^/]*$/, '/session_index.jsonl'),
    facts: indexFacts
  },
  resume: (sessionId) => ['codex', 'resume', sessionId]
}

/** `{"id":…,"thread_name":…,"updated_at":…}`, a line per rename: the last one counts. */
function indexFacts(text: string, path: string): SessionFacts {
  const id = uuid.exec(path)?.[1]
  const at = id === undefined ? -1 : text.lastIndexOf(`"${id}"`)
  if (at < 0) return {}
  const end = text.indexOf('\n', at)
  const parsed = parseJson(text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length : end))
  const entry = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
  const title = stringAt(entry, 'id') === id ? stringAt(entry, 'thread_name') : undefined
  return title === undefined ? {} : { title }
}
