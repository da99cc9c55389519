import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { lastOf } from '#core/library/session-card.ts'
import { systemPath } from '../sources/system-path.ts'
import { DatabaseSessions } from './database-sessions.ts'
import { findLogs, type FoundLog } from './find-logs.ts'
import { runInSlices } from './run-in-slices.ts'
import { ReadBytes } from './read-bytes.ts'
import { type LibraryLog, logId } from './library-log.ts'
import { anyRoot } from './library-roots.ts'
import { logFactsAt } from './log-facts.ts'
import { readLogHead } from './read-log-head.ts'
import { sessionCards } from './session-cards.ts'
import { groupedText } from '#core/measure-text.ts'

/** Each file is read as for a card: more would take too long. */
const maxFiles = 5000
const maxSessions = 50

/**
 * The sessions in chosen files and folders. Chosen files may have any name. `note` is told what was not looked at, in
 * sentences. Throws a `HostError` at the limit.
 */
export async function sessionsIn(
  paths: readonly string[],
  note: (sentence: string) => void
): Promise<Result<'library.sessionsIn'>> {
  const found = new Map<string, FoundLog>()
  for (const path of paths) for (const log of await logsAt(path, note)) found.set(log.path, log)
  if (found.size > maxFiles) {
    const most = groupedText(maxFiles)
    throw new HostError(
      'bad-params',
      `There are more than ${most} files that may be logs. Open the folder of one session.`
    )
  }
  const logs: LibraryLog[] = []
  const bytes = new ReadBytes()
  for (const { path, folder, facts } of found.values()) {
    const head = await readLogHead(path, facts, { bytes, format: null, likely: new Set(), before: null })
    logs.push({ id: logId(path), path, folder, root: anyRoot(folder, 'added'), facts: head.facts, head, counted: null })
  }
  const { sessions } = sessionCards(logs, new Map(), null, Date.now())
  const readable = sessions.filter(({ format }) => format !== null).toSorted((a, b) => lastOf(b) - lastOf(a))
  return {
    logs: readable.slice(0, maxSessions).map((card) => ({ path: card.path, title: card.title, at: lastOf(card) })),
    total: readable.length,
    others: othersOf(logs)
  }
}

/** Possible logs at a path; empty if it does not exist. */
async function logsAt(path: string, note: (sentence: string) => void): Promise<readonly FoundLog[]> {
  let real: string
  try {
    real = realpathSync(await systemPath(path))
  } catch {
    return []
  }
  const facts = logFactsAt(real)
  const below = facts === null ? await runInSlices(findLogs(anyRoot(real, 'added')), () => false) : null
  for (const sentence of below?.notes.all() ?? []) note(`${path}: ${sentence}`)
  const found = facts === null ? (below?.logs ?? []) : [{ path: real, folder: dirname(real), facts }]
  return await new DatabaseSessions(() => null).in(found)
}

/** Counts files that are no logs. `agent-1.meta.json` belongs to `agent-1.jsonl` and is not counted. */
function othersOf(logs: readonly LibraryLog[]): number {
  const isLog = ({ head }: LibraryLog): boolean => head?.format != null
  const stems = new Set(logs.filter(isLog).map(({ path }) => stemOf(path)))
  return logs.filter((log) => !isLog(log) && !stems.has(stemOf(log.path))).length
}

/** The path up to the first dot of the file name. */
function stemOf(path: string): string {
  const dot = path.indexOf('.', dirname(path).length + 2)
  return dot < 0 ? path : path.slice(0, dot)
}
