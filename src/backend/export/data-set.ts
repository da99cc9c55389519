import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { HostError } from '#contract/host-error.ts'
import { SessionTables, sessionTables, type TableName } from '#core/export/session-tables.ts'
import { sessionIn } from '#core/formats/session-database.ts'
import { SessionEnd } from '#core/library/session-end.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { cardOf } from '../library/card-of.ts'
import { logFactsAt } from '../library/log-facts.ts'
import { makeFolder } from '../make-folder.ts'
import { Run, type RunOptions } from '../sources/run.ts'
import { StateFile, tableOf } from '../state-file.ts'
import { writeFailure } from '../write-failure.ts'
import type { Exported, ExportRequest } from './export-request.ts'
import { outputFile } from './output-file.ts'
import { ParquetTable } from './parquet-table.ts'
import { writeSession } from './write-session.ts'

/** In the folder of a data set, what was exported. Readers of data sets skip names that begin with `_`. */
const manifestName = '_playhead.json'
const SessionId = z.string().regex(/^[0-9a-f]{16}$/)
/** `was`: a digest of the log's files, of the options and of the version of Playhead. `place`: the folders of its files. */
const Written = z.object({ was: z.string(), place: z.string().regex(/^date=[\w-]+\/agent=[\w-]+$/) })
interface Manifest {
  /** Of the session files. */
  readonly sessions: Readonly<Partial<Record<string, z.infer<typeof Written>>>>
}

const tableNames = Object.keys(sessionTables) as TableName[]

/** Sessions after which the manifest is written, so that an interrupted export goes on where it stopped. */
const sessionsAtOnce = 50

export interface DataSetOptions {
  /** False: without the texts of the sessions. */
  readonly texts: boolean
}

/**
 * A folder of Parquet files that any query engine reads: `TABLE/date=…/agent=…/SESSION.parquet`. A session that has not
 * changed since it was written is left as it is.
 */
export class DataSet {
  readonly #folder: string
  readonly #options: DataSetOptions
  readonly #manifest: StateFile<Manifest>
  #known: Manifest['sessions']
  #changed: Record<string, z.infer<typeof Written>> = {}

  private constructor(folder: string, options: DataSetOptions, manifest: StateFile<Manifest>, known: Manifest) {
    this.#folder = folder
    this.#options = options
    this.#manifest = manifest
    this.#known = known.sessions
  }

  static async open(folder: string, options: DataSetOptions): Promise<DataSet> {
    const manifest = new StateFile<Manifest>(join(folder, manifestName), {
      members: { sessions: tableOf(SessionId, Written) },
      instead: 'all sessions are written anew'
    })
    return new DataSet(folder, options, manifest, await manifest.read())
  }

  /** Null: unchanged, nothing was written. */
  async add(request: Omit<ExportRequest, 'raw' | 'bookmarks'>): Promise<Exported | null> {
    const path = await realpath(sessionIn(request.source.path)?.database ?? request.source.path).catch(() => null)
    if (path === null) throw new HostError('not-found', `${request.source.path} does not exist`)
    const name = request.source.path
    const id = digest([path, sessionIn(name)?.session ?? null]).slice(0, 16)
    const was = await this.#stateOf(request)
    const known = this.#known[id]
    if (known?.was === was) return null
    const { place, ...exported } = await this.#write(id, path, request)
    if (known !== undefined && known.place !== place) await this.#remove(id, known.place)
    this.#known = { ...this.#known, [id]: { was, place } }
    this.#changed[id] = { was, place }
    if (Object.keys(this.#changed).length >= sessionsAtOnce) await this.finish()
    return exported
  }

  /** Writes what was exported. */
  async finish(): Promise<void> {
    const changed = this.#changed
    if (Object.keys(changed).length === 0) return
    this.#changed = {}
    await this.#manifest.change(({ sessions }) => ({ sessions: { ...sessions, ...changed } }))
  }

  /** What an export of the session depends on. */
  async #stateOf({ source, redactor, prices, events, version }: Parameters<DataSet['add']>[0]): Promise<string> {
    return digest([
      await filesOf(source),
      [redactor !== null, this.#options.texts, prices, events?.toText() ?? null, version]
    ])
  }

  async #write(
    id: string,
    path: string,
    request: Parameters<DataSet['add']>[0]
  ): Promise<Exported & { readonly place: string }> {
    const { source, prices, version } = request
    const tables = new Map<TableName, ParquetTable>()
    const card = await cardOf(source.path, source.format)
    let place = ''
    try {
      const log = await writeSession(
        { ...request, raw: false, bookmarks: [] },
        async (session) => {
          place = placeOf(session.analysis.index)
          for (const table of tableNames) tables.set(table, await this.#table(table, place, id, path, version))
          const { texts } = this.#options
          const end = new SessionEnd(session.ends)
          const add = (table: TableName, cells: Parameters<ParquetTable['add']>[0]): void =>
            tables.get(table)?.add(cells)
          return new SessionTables({ ...session, runId: id, path: source.path, card, end, prices, texts, add })
        },
        async () => {
          for (const table of tables.values()) await table.flush()
        }
      )
      // The row of the run comes last, so a reader that finds it finds the rest.
      for (const table of [...tables.values()].reverse()) await table.finish()
      return { ...log, place }
    } catch (error) {
      for (const table of tables.values()) await table.discard()
      throw error
    }
  }

  async #table(table: TableName, place: string, id: string, log: string, version: string): Promise<ParquetTable> {
    const folder = join(this.#folder, table, place)
    const file = join(folder, `${id}.parquet`)
    await makeFolder(folder).catch((error: unknown) => {
      throw writeFailure(folder, error)
    })
    return new ParquetTable(table, await outputFile(file, log), version)
  }

  async #remove(id: string, place: string): Promise<void> {
    for (const table of tableNames) await rm(join(this.#folder, table, place, `${id}.parquet`), { force: true })
  }
}

/** `date=2026-11-27/agent=AGENT`, by UTC. */
function placeOf({ rows, agentType }: RunIndex): string {
  const at = rows.firstTimestamp ?? NaN
  const day = Math.abs(at) <= maxDate ? new Date(at).toISOString().slice(0, 10) : ''
  return `date=${folderName(day)}/agent=${folderName(rows.agentType ?? agentType ?? '')}`
}

/** The end of the year 9999. */
const maxDate = 253_402_300_799_999

/** Hive's word for null, which engines know. */
function folderName(value: string): string {
  const name = value.toLowerCase().replace(/[^\w-]+/g, '_')
  return name === '' ? '__HIVE_DEFAULT_PARTITION__' : name
}

/** Name, size and time of each file of a session. */
async function filesOf(source: RunOptions): Promise<unknown> {
  const run = await Run.open(source)
  try {
    return run.files.map(({ name, source: { path } }) => {
      const { bytes, modified } = logFactsAt(sessionIn(path)?.database ?? path) ?? {}
      return [name ?? null, bytes ?? null, modified ?? null]
    })
  } finally {
    await run.close()
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
