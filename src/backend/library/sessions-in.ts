import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { lastOf } from '#core/library/session-card.ts'
import { systemPath } from '../sources/system-path.ts'
import { findLogs, type FoundLog } from './find-logs.ts'
import { inTurns } from './in-turns.ts'
import { LogBytes } from './log-bytes.ts'
import { type LibraryLog, logId } from './library-log.ts'
import { anyRoot } from './library-roots.ts'
import { logFactsAt } from './log-facts.ts'
import { readToldLog } from './read-told-log.ts'
import { sessionCards } from './session-cards.ts'

/** Of each so much is read as its card takes: of more that takes too long. */
const mostFiles = 5000
const mostSessions = 50

/**
 * The sessions in files and folders that a person gave, as the library tells them: the log of a subagent is none where its session is among them.
 * A folder is looked through for files with the names of logs; a file may have any name. Throws a `HostError` where there are too many.
 */
export async function sessionsIn(paths: readonly string[]): Promise<Result<'library.sessionsIn'>> {
  const found = new Map<string, FoundLog>()
  for (const path of paths) for (const log of await logsAt(path)) found.set(log.path, log)
  if (found.size > mostFiles) {
    const most = mostFiles.toLocaleString('en-US')
    throw new HostError(
      'bad-params',
      `There are more than ${most} files that may be logs. Open the folder of one session.`
    )
  }
  const logs: LibraryLog[] = []
  const bytes = new LogBytes()
  for (const { path, folder, facts } of found.values()) {
    const told = await readToldLog(path, facts, { bytes, format: null, likely: new Set(), before: null })
    logs.push({ id: logId(path), path, folder, root: anyRoot(folder, 'added'), facts: told.facts, told, counted: null })
  }
  const { sessions } = sessionCards(logs, new Map(), Date.now())
  const readable = sessions.filter(({ format }) => format !== null).toSorted((a, b) => lastOf(b) - lastOf(a))
  return {
    logs: readable.slice(0, mostSessions).map((card) => ({ path: card.path, title: card.title, at: lastOf(card) })),
    total: readable.length,
    others: othersOf(logs)
  }
}

/** What may be a log at a path; none where nothing is there. */
async function logsAt(path: string): Promise<readonly FoundLog[]> {
  let real: string
  try {
    real = realpathSync(await systemPath(path))
  } catch {
    return []
  }
  const facts = logFactsAt(real)
  if (facts !== null) return [{ path: real, folder: dirname(real), facts }]
  return (await inTurns(findLogs(anyRoot(real, 'added')), () => false))?.logs ?? []
}

/** How many files are no logs. What is named after a log beside it belongs to it: `agent-1.meta.json` to `agent-1.jsonl`. */
function othersOf(logs: readonly LibraryLog[]): number {
  const isLog = ({ told }: LibraryLog): boolean => told?.format != null
  const stems = new Set(logs.filter(isLog).map(({ path }) => stemOf(path)))
  return logs.filter((log) => !isLog(log) && !stems.has(stemOf(log.path))).length
}

/** With its folder, up to the first dot of its name. */
function stemOf(path: string): string {
  const dot = path.indexOf('.', dirname(path).length + 2)
  return dot < 0 ? path : path.slice(0, dot)
}
