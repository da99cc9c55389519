import { randomUUID } from 'node:crypto'
import type { AgentTaskChange } from '#core/formats/claude/hook-tasks.ts'
import { taskRows } from '#core/bridge/task-rows.ts'
import type { JsonValue } from '#core/json.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params } from '#contract/methods.ts'
import type { Task, ToolResult } from '#contract/tasks.ts'
import { report } from '../report.ts'
import {
  connect,
  reconnect,
  type ConnectOptions,
  type Connection,
  databaseError,
  fileAt,
  loadDatabase,
  number
} from './task-database.ts'

export interface ReportedResult {
  readonly session: string
  /** `tool_use_id` */
  readonly tool: string
  readonly content: string
  readonly isError: boolean
  readonly source: ToolResult['source']
}

/** The changes of a session since an earlier change. */
export interface TaskChanges {
  /** The last change. */
  readonly at: number
  readonly tasks: boolean
  /** Calls with new results: the latest `maxChanges`. */
  readonly tools: readonly string[]
}

export interface TaskStoreOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** As in `ConnectOptions`. */
  readonly warn?: (sentence: string) => void
  /** 10,000 by default. */
  readonly waitMs?: number
}

/** In UTF-16 code units; longer results are truncated and marked `cut`. */
export const maxResultLength = 1_000_000
/** The latest results are kept, of all sessions together. */
const maxResults = 4000
const maxResultBytes = 128 << 20
/** Agents' tasks of the latest sessions are kept. Tasks of people are never deleted. */
const maxSessions = 5000
/** Of one agent's list. */
const maxTodos = 2000
const maxTextLength = 10_000
/** Old rows are deleted once per this number of changes. */
const dropEvery = 64
const maxChanges = 500
/** Of the ids of a person's tasks. */
const userPrefix = 'user-'

const taskColumns = 'id, session_id, title, status, description, sort_order, source, created_at, updated_at'

/**
 * The tasks and tool results of all sessions, in one SQLite file shared by processes and threads. Each change is one
 * transaction. Methods throw `unavailable` if the file cannot be used, and `bad-params` for invalid ids.
 */
export class TaskStore {
  readonly #connecting: ConnectOptions
  readonly #now: () => number
  #db: Connection
  /** The connected file, as another process may move it; null: not connected. */
  #file: string | null

  private constructor(connecting: ConnectOptions, now: () => number) {
    this.#connecting = connecting
    this.#now = now
    this.#db = connect(connecting)
    this.#file = fileAt(connecting.path)
  }

  /** Throws `unavailable` without SQLite, or if the file cannot be used. */
  static async open(path: string, { now, warn, waitMs }: TaskStoreOptions = {}): Promise<TaskStore> {
    const connecting: ConnectOptions = {
      Database: await loadDatabase(),
      path,
      waitMs: waitMs ?? 10_000,
      warn: warn ?? ((sentence) => report(`playhead: ${sentence}`))
    }
    return new TaskStore(connecting, now ?? Date.now)
  }

  close(): void {
    this.#db.close()
  }

  /** The agent's tasks in order, then the person's. */
  tasks(session: string): Task[] {
    return this.#use((db) => tasksOf(db, stored(session)))
  }

  /** Replaces an agent's list (docs/seeds.md#todowrite-bridge), truncated to the limits. False: nothing changed. */
  syncSdkTasks(session: string, todos: readonly JsonValue[]): boolean {
    const id = checkedId(session, 200)
    return this.#change((db) => this.#sync(db, id, todos))
  }

  /** Applies a change of tasks and syncs those with known content, in the order of their numbers. False: no change. */
  changeAgentTasks({ session, set, removed, isWhole }: AgentTaskChange): boolean {
    const id = checkedId(session, 200)
    return this.#change((db) => {
      if (isWhole) db.prepare('DELETE FROM agent_tasks WHERE session_id = ?').run(id)
      const upsert = db.prepare(
        `INSERT INTO agent_tasks (session_id, task_id, content, status, active_form) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET content = coalesce(excluded.content, content),
          status = coalesce(excluded.status, status), active_form = coalesce(excluded.active_form, active_form)`
      )
      for (const task of set.slice(0, maxTodos)) {
        const { content, status, activeForm } = task
        upsert.run(id, shortened(task.id), ...[content, status, activeForm].map((text) => text && shortened(text)))
      }
      const remove = db.prepare('DELETE FROM agent_tasks WHERE session_id = ? AND task_id = ?')
      for (const task of removed) remove.run(id, shortened(task))
      const list = db
        .prepare(
          `SELECT content, status, active_form AS activeForm FROM agent_tasks WHERE session_id = ? AND content IS NOT NULL
          ORDER BY cast(task_id AS INTEGER), task_id LIMIT ?`
        )
        .all(id, maxTodos) as { content: string; status: string | null; activeForm: string | null }[]
      return this.#sync(db, id, list)
    })
  }

  #sync(db: Connection, session: string, todos: readonly JsonValue[]): boolean {
    const before = new Map(tasksOf(db, session, 'sdk').map((task) => [task.id, task]))
    const now = this.#now()
    const after = taskRows(session, todos.slice(0, maxTodos)).map((row): Task => {
      const old = before.get(row.id)
      const fresh = {
        ...row,
        title: shortened(row.title),
        description: row.description === null ? null : shortened(row.description),
        created_at: old?.created_at ?? now,
        updated_at: now
      }
      return old !== undefined && sameTask(old, fresh) ? old : fresh
    })
    if (after.length === before.size && after.every((task) => before.get(task.id) === task)) return false
    db.prepare("DELETE FROM tasks WHERE session_id = ? AND source = 'sdk'").run(session)
    const insert = insertTask(db)
    for (const task of after) insert(task)
    this.#recordChange(db, session)
    return true
  }

  /** Appends a task of a person. */
  add({ session, title }: Params<'task.add'>): Task {
    const id = checkedId(session, 200)
    return this.#change((db) => {
      const now = this.#now()
      const task: Task = {
        id: userPrefix + randomUUID(),
        session_id: id,
        title: stored(title),
        status: 'pending',
        description: null,
        sort_order: tasksOf(db, id, 'user').length,
        source: 'user',
        created_at: now,
        updated_at: now
      }
      insertTask(db)(task)
      this.#recordChange(db, id)
      return task
    })
  }

  /** Absent members stay. Throws `not-found` unless it is a task of a person. */
  edit({ task: id, title, status, description }: Params<'task.edit'>): Task {
    return this.#change((db) => {
      const old = userTask(db, id)
      const task: Task = {
        ...old,
        title: title === undefined ? old.title : stored(title),
        status: status ?? old.status,
        description: description === undefined ? old.description : description === null ? null : stored(description)
      }
      if (sameTask(old, task)) return old
      task.updated_at = this.#now()
      db.prepare('UPDATE tasks SET title = ?, status = ?, description = ?, updated_at = ? WHERE id = ?').run(
        task.title,
        task.status,
        task.description,
        task.updated_at,
        task.id
      )
      this.#recordChange(db, task.session_id)
      return task
    })
  }

  /** `place`: from 0, among the person's tasks of the session; a larger one is the end. */
  move({ task: id, place }: Params<'task.move'>): Task {
    return this.#change((db) => {
      const task = userTask(db, id)
      const order = tasksOf(db, task.session_id, 'user').map((each) => each.id)
      order.splice(order.indexOf(task.id), 1)
      order.splice(place, 0, task.id)
      if (renumber(db, order)) this.#recordChange(db, task.session_id)
      return userTask(db, id)
    })
  }

  /** Returns the removed task. */
  remove(id: string): Task {
    return this.#change((db) => {
      const task = userTask(db, id)
      db.prepare('DELETE FROM tasks WHERE id = ?').run(task.id)
      renumber(
        db,
        tasksOf(db, task.session_id, 'user').map((each) => each.id)
      )
      this.#recordChange(db, task.session_id)
      return task
    })
  }

  /** Inserts a removed task at its old place. An existing task stays unchanged. */
  restore(removed: Task): Task {
    if (removed.source !== 'user' || !removed.id.startsWith(userPrefix)) {
      throw new HostError('bad-params', 'Only tasks that a person added can be restored.')
    }
    const session = checkedId(removed.session_id, 200)
    return this.#change((db) => {
      const id = stored(removed.id)
      const there = taskAt(db, id)
      if (there !== undefined) return there
      const order = tasksOf(db, session, 'user').map((each) => each.id)
      const description = removed.description === null ? null : stored(removed.description)
      insertTask(db)({
        ...removed,
        id,
        session_id: session,
        title: stored(removed.title),
        description,
        created_at: wholeMs(removed.created_at),
        updated_at: wholeMs(removed.updated_at)
      })
      order.splice(Math.max(0, removed.sort_order), 0, id)
      renumber(db, order)
      this.#recordChange(db, session)
      return userTask(db, id)
    })
  }

  /** Replaces the result of a call; a hook's never replaces the agent's own. False: no change. */
  reportResult(result: ReportedResult): boolean {
    return this.reportResults([result]).length > 0
  }

  /** `reportResult` for several in one transaction. Returns those that changed. */
  reportResults(results: readonly ReportedResult[]): readonly ReportedResult[] {
    const rows = results.map((result) => ({ result, row: this.#resultRow(result) }))
    return this.#change((db) => rows.filter(({ row }) => storeResult(db, row)).map(({ result }) => result))
  }

  #resultRow({ session, tool, content, isError, source }: ReportedResult): ToolResult {
    const cut = content.length > maxResultLength
    return {
      session_id: checkedId(session, 200),
      tool_use_id: checkedId(tool, 300),
      content: stored(cut ? cutAt(content, maxResultLength) : content),
      cut,
      is_error: isError,
      source,
      updated_at: this.#now()
    }
  }

  /** Null: none was reported. */
  result(session: string, tool: string): ToolResult | null {
    return this.#use((db) => resultOf(db, stored(session), stored(tool)))
  }

  /** Differs after a change by another connection. Costs some microseconds. */
  version(): string {
    return this.#use((db) => `${this.#file} ${number(db, 'data_version')}`)
  }

  /** `since` null: only the number of the last change. */
  changes(session: string, since: number | null): TaskChanges {
    return this.#use((db) => {
      const [clock] = db.prepare('SELECT change FROM clock').all() as { change: number }[]
      const at = clock?.change ?? 0
      if (since === null) return { at, tasks: false, tools: [] }
      const id = stored(session)
      const tasks = db.prepare('SELECT 1 FROM sessions WHERE session_id = ? AND tasks_change > ?').all(id, since)
      const tools = db
        .prepare(
          'SELECT tool_use_id FROM tool_results WHERE change > ? AND change <= ? AND session_id = ? ORDER BY change DESC LIMIT ?'
        )
        .all(since, at, id, maxChanges) as { tool_use_id: string }[]
      return { at, tasks: tasks.length > 0, tools: tools.map((row) => row.tool_use_id) }
    })
  }

  #recordChange(db: Connection, session: string): void {
    const change = nextChange(db)
    db.prepare('INSERT OR REPLACE INTO sessions (session_id, tasks_change) VALUES (?, ?)').run(session, change)
    dropOld(db, change)
  }

  #change<T>(work: (db: Connection) => T): T {
    return this.#use((db) => {
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = work(db)
        db.exec('COMMIT')
        return result
      } catch (error) {
        // Some errors end the transaction.
        if (db.inTransaction) db.exec('ROLLBACK')
        throw error
      }
    })
  }

  #use<T>(work: (db: Connection) => T): T {
    const { path } = this.#connecting
    if (fileAt(path) !== this.#file) this.#connect(() => connect(this.#connecting))
    try {
      return work(this.#db)
    } catch (error) {
      if (error instanceof HostError) throw error
      const failure = databaseError(error, path)
      if (failure !== null) throw failure
    }
    const damaged = this.#file ?? ''
    this.#connect(() => reconnect(this.#connecting, damaged))
    try {
      return work(this.#db)
    } catch (error) {
      throw databaseError(error, path) ?? new HostError('unavailable', `${path} is damaged repeatedly.`)
    }
  }

  #connect(connection: () => Connection): void {
    this.#file = null
    this.#db.close()
    this.#db = connection()
    this.#file = fileAt(this.#connecting.path)
  }
}

function tasksOf(db: Connection, session: string, source?: Task['source']): Task[] {
  const rows =
    source === undefined
      ? db.prepare(`SELECT ${taskColumns} FROM tasks WHERE session_id = ? ORDER BY source, sort_order, id`).all(session)
      : db
          .prepare(`SELECT ${taskColumns} FROM tasks WHERE session_id = ? AND source = ? ORDER BY sort_order, id`)
          .all(session, source)
  return rows as Task[]
}

function taskAt(db: Connection, id: string): Task | undefined {
  const [task] = db.prepare(`SELECT ${taskColumns} FROM tasks WHERE id = ?`).all(id) as Task[]
  return task
}

function userTask(db: Connection, id: string): Task {
  const task = taskAt(db, stored(id))
  if (task?.source === 'user') return task
  throw new HostError(
    'not-found',
    'This task no longer exists, or it belongs to the agent. Only tasks that a person added can be changed.'
  )
}

function insertTask(db: Connection): (task: Task) => void {
  const insert = db.prepare(`INSERT INTO tasks (${taskColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return (task) => {
    const { id, session_id, title, status, description, sort_order, source, created_at, updated_at } = task
    insert.run(id, session_id, title, status, description, sort_order, source, created_at, updated_at)
  }
}

/** Numbers the tasks from 0. False: no number changed. */
function renumber(db: Connection, ids: readonly string[]): boolean {
  const update = db.prepare('UPDATE tasks SET sort_order = ? WHERE id = ? AND sort_order <> ?')
  return ids.map((id, place) => update.run(place, id, place).changes).some((changes) => changes > 0)
}

function resultOf(db: Connection, session: string, tool: string): ToolResult | null {
  const [row] = db
    .prepare(
      'SELECT session_id, tool_use_id, content, cut, is_error, source, updated_at FROM tool_results WHERE session_id = ? AND tool_use_id = ?'
    )
    .all(session, tool) as (Omit<ToolResult, 'cut' | 'is_error'> & { cut: number; is_error: number })[]
  return row === undefined ? null : { ...row, cut: row.cut === 1, is_error: row.is_error === 1 }
}

/** False: no change. */
function storeResult(db: Connection, row: ToolResult): boolean {
  const { session_id, tool_use_id, content, cut, is_error, source, updated_at } = row
  const old = resultOf(db, session_id, tool_use_id)
  if (old?.source === 'agent' && source === 'hook') return false
  if (old && old.source === source && old.content === content && old.cut === cut && old.is_error === is_error)
    return false
  const change = nextChange(db)
  db.prepare(
    `INSERT OR REPLACE INTO tool_results (session_id, tool_use_id, bytes, change, cut, is_error, source, updated_at, content)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
  ).run(
    session_id,
    tool_use_id,
    Buffer.byteLength(content),
    change,
    Number(cut),
    Number(is_error),
    source,
    updated_at,
    content
  )
  dropOld(db, change)
  return true
}

function nextChange(db: Connection): number {
  db.prepare('UPDATE clock SET change = change + 1').run()
  const [clock] = db.prepare('SELECT change FROM clock').all() as { change: number }[]
  return clock?.change ?? 0
}

function dropOld(db: Connection, change: number): void {
  if (change % dropEvery !== 0) return
  db.prepare(
    `DELETE FROM tool_results WHERE change <= (SELECT max(change) FROM
      (SELECT change, row_number() OVER newest AS place, sum(bytes) OVER newest AS total FROM tool_results
        WINDOW newest AS (ORDER BY change DESC))
      WHERE place > ? OR total > ?)`
  ).run(maxResults, maxResultBytes)
  const old = '(SELECT session_id FROM sessions ORDER BY tasks_change DESC LIMIT -1 OFFSET ?)'
  db.prepare(`DELETE FROM tasks WHERE source = 'sdk' AND session_id IN ${old}`).run(maxSessions)
  db.prepare(`DELETE FROM agent_tasks WHERE session_id IN ${old}`).run(maxSessions)
  db.prepare(`DELETE FROM sessions WHERE session_id IN ${old}`).run(maxSessions)
}

function sameTask(a: Task, b: Task): boolean {
  return (
    a.title === b.title && a.status === b.status && a.description === b.description && a.sort_order === b.sort_order
  )
}

/** The text as SQLite returns it: NUL would end it, and lone surrogates are invalid. */
function stored(text: string): string {
  return text.replaceAll('\0', '\u2400').replace(/[\ud800-\udfff]/gu, '\ufffd')
}

/** Times of a page are untrusted numbers. */
function wholeMs(ms: number): number {
  const whole = Math.trunc(ms)
  return Number.isSafeInteger(whole) ? whole : 0
}

function checkedId(id: string, maxLength: number): string {
  if (id.length > 0 && id.length <= maxLength) return stored(id)
  throw new HostError('bad-params', `An id of ${id.length} characters is not valid (1 to ${maxLength}).`)
}

function shortened(text: string): string {
  return stored(text.length > maxTextLength ? `${cutAt(text, maxTextLength - 1)}…` : text)
}

/** Never splits a surrogate pair. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
