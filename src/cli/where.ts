import { realpath } from 'node:fs/promises'
import { EventSet } from '#core/export/event-set.ts'
import { parseQuery, type QueryError } from '#core/query/parse-query.ts'
import type { Query } from '#core/query/query.ts'
import { type ReadBookmarks, QueriedLog } from '#backend/query/queried-log.ts'
import { Reviews } from '#backend/reviews.ts'
import type { RunOptions } from '#backend/sources/run.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { UsageError } from './command.ts'
import type { Environment } from './environment.ts'
import { sayNotes } from './log-notes.ts'
import { Progress } from './progress.ts'

/** The option of commands that take a query beside their FILE. */
export const whereOptions = { where: { type: 'string' } } as const

/** For `--help`. */
export const whereDetails = (what: string): string =>
  `--where QUERY  only ${what} that match a query, such as tool:shell (docs/query.md)`

/** What `--where` asks for; undefined without it. */
export function whereOf({ where }: { readonly where?: string | undefined }): Query | null | undefined {
  return where === undefined ? undefined : queryOf(where)
}

/** Reads a query about events. Throws a `UsageError` that shows the place of the error. */
export function queryOf(text: string): Query | null {
  const { query, error } = parseQuery(text, 'rows')
  if (error !== null) throw placedError(text, error)
  return query
}

/** `text` with a line of carets below the place. */
export function placedError(text: string, { message, from, to }: QueryError): UsageError {
  const start = Math.max(0, from - 30)
  const shown = text.slice(start, Math.max(to, from) + 30).replace(/\s/g, ' ')
  const marks = ' '.repeat(from - start) + '^'.repeat(Math.max(1, Math.min(to - from, 40)))
  return new UsageError(message, [`  ${shown}`, `  ${marks}`])
}

/** Reads a log to its end, with progress, and closes it after use. */
export async function withLog<T>(
  source: RunOptions,
  environment: Environment,
  use: (log: QueriedLog) => Promise<T>
): Promise<T> {
  const progress = new Progress(environment, 'reading', true)
  const { createWorker, variables, platform } = environment
  const onRead = (bytes: number, all: number): void => progress.at(bytes, all)
  const readBookmarks: ReadBookmarks = async () => {
    const { bookmarks } = await new Reviews(stateFolder(variables, platform)).get(await realpath(source.path))
    return bookmarks.map(({ place }) => place)
  }
  const log = await QueriedLog.open(source, createWorker, onRead, readBookmarks).finally(() => progress.end())
  try {
    return await use(log)
  } finally {
    await log.close()
  }
}

/** Reports what of a log was not read; the exit code, as of `sayNotes`. */
export function sayNotesOf({ run: { chosen, notes, unread } }: QueriedLog, environment: Environment): number {
  return sayNotes({ note: chosen.note, notes, unread }, environment)
}

/** The events of a log that match; null without `--where`: all. */
export async function eventsWhere(
  source: RunOptions,
  query: Query | null | undefined,
  environment: Environment
): Promise<EventSet | null> {
  if (query === undefined) return null
  return await withLog(source, environment, async (log) => {
    const events = new EventSet(log.index.rows.events)
    for (const seq of await log.events(query)) events.add(seq)
    return events
  })
}
