import { realpath } from 'node:fs/promises'
import { EventSet } from '#core/export/event-set.ts'
import { parseQuery, type QueryError } from '#core/query/parse-query.ts'
import type { Query } from '#core/query/query.ts'
import type { QuerySubject } from '#core/query/query-keys.ts'
import { type ReadBookmarks, QueriedLog } from '#backend/query/queried-log.ts'
import { Reviews } from '#backend/reviews.ts'
import type { RunOptions } from '#backend/sources/run.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { sayNotes } from './log-notes.ts'
import { Progress } from './progress.ts'

/** Reads a query. Throws a `UsageError` that shows the place of the error. */
export function queryOf(text: string, subject: QuerySubject = 'rows'): Query | null {
  const { query, error } = parseQuery(text, subject)
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
    const { bookmarks } = await new Reviews(stateFolder(variables, platform), (message) =>
      say(environment, message)
    ).get(await realpath(source.path))
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

/** What `--where` asks for. */
export class Where {
  readonly #query: Query | null

  /** Throws as `queryOf`. */
  constructor(text: string) {
    this.#query = queryOf(text)
  }

  /** As `withLog`. */
  async read<T>(
    source: RunOptions,
    environment: Environment,
    use: (log: QueriedLog, query: Query | null) => Promise<T>
  ): Promise<T> {
    return await withLog(source, environment, async (log) => await use(log, this.#query))
  }

  /** The events of a log that match. */
  async events(source: RunOptions, environment: Environment): Promise<EventSet> {
    return await this.read(source, environment, async (log, query) => {
      const events = new EventSet(log.index.rows.events)
      for (const seq of await log.events(query)) events.add(seq)
      return events
    })
  }
}
