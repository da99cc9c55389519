import { isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { fileNameOf, type MainFile, type RunSearch } from '../run-search.ts'
import { threadSpawn } from './session.ts'

const dayMs = 86_400_000
/** Days searched after that of the session's start. */
const maxDays = 60

/**
 * How to find the rollouts of threads that a thread spawned
 * (docs/formats/codex-rollout.md#threads-have-files-of-their-own): in the parent's day folder and those up to its last
 * write, or in its own folder. Null if the main file does not start with a `session_meta`.
 */
export function codexRunFiles(main: MainFile): RunSearch | null {
  const meta = firstMeta(main.records)
  const key = meta && stringAt(meta, 'id')
  if (key === undefined) return null
  return {
    key,
    folders: dayFolders(main).map((path) => ({ path, depth: 0 })),
    mayBelong: (path) => /^rollout-.+\.jsonl(\.zst)?$/s.test(fileNameOf(path)),
    // The parent may be another thread of this run.
    mayHaveParent: (_, parent) => parent !== null,
    linkOf({ records }) {
      const own = firstMeta(records)
      const id = own && stringAt(own, 'id')
      const parent = own && parentOf(own)
      return id === undefined || parent === undefined ? null : { key: id, parent }
    }
  }
}

/** Later ones are of other threads, repeated by forks and resumed threads. */
function firstMeta(records: readonly JsonValue[]): JsonObject | undefined {
  for (const record of records) {
    if (isJsonObject(record) && record['type'] === 'session_meta') return objectAt(record, 'payload')
  }
  return undefined
}

function parentOf(meta: JsonObject): string | undefined {
  return stringAt(meta, 'parent_thread_id') ?? stringAt(threadSpawn(meta), 'parent_thread_id')
}

/** The main file's folder, then those of later days, relative to it. */
function dayFolders({ folders, modified }: MainFile): string[] {
  const [year = '', month = '', day = ''] = folders.slice(-3)
  if (!/^\d{4}$/.test(year) || !/^\d\d$/.test(month) || !/^\d\d$/.test(day)) return ['']
  const paths = ['']
  const began = Date.UTC(Number(year), Number(month) - 1, Number(day))
  // Folders are named by local time, so one more day.
  const last = Math.min(modified + dayMs, began + maxDays * dayMs)
  for (let time = began + dayMs; time <= last; time += dayMs) {
    const [y = '', m = '', d = ''] = new Date(time).toISOString().slice(0, 10).split('-')
    paths.push(y !== year ? `../../../${y}/${m}/${d}` : m !== month ? `../../${m}/${d}` : `../${d}`)
  }
  return paths
}
