import { randomUUID } from 'node:crypto'
import type { AgentTaskChange } from '#core/bridge/hook-tasks.ts'
import { taskRows } from '#core/bridge/task-rows.ts'
import type { JsonValue } from '#core/json.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params } from '#contract/methods.ts'
import type { Task, ToolResult } from '#contract/tasks.ts'
import { report } from '../report.ts'
import {
  connect,
  connectAnew,
  type Connecting,
  type Connection,
  databaseError,
  fileAt,
  loadDatabase,
  number
} from './task-database.ts'

/** What is reported of a call that has ended. */
export interface ReportedResult {
  readonly session: string
  /** `tool_use_id` */
  readonly tool: string
  readonly content: string
  readonly isError: boolean
  readonly source: ToolResult['source']
}

/** What has become others since a change. */
export interface TaskChanges {
  /** The last change; the next question begins there. */
  readonly at: number
  readonly tasks: boolean
  /** The calls whose results were reported, at most `maxChanges`, the latest ones. */
  readonly tools: readonly string[]
}

export interface TaskStoreOptions {
  /** Ms since the epoch. */
  readonly now?: () => number
  /** Is told in a sentence that a damaged file was put aside. */
  readonly say?: (sentence: string) => void
  /** So long a call waits for other programs; ten seconds where it is not given. */
  readonly waitMs?: number
}

/** UTF-16 code units of a result; what is longer is cut, which `cut` says. */
export const maxResultLength = 1_000_000
/** The latest results that are kept, of all sessions, and how large they may be together. */
const maxResults = 4000
const maxResultBytes = 128 << 20
/** So many sessions keep their agent's tasks; those that changed longest ago go first. A person's tasks are kept for ever. */
const maxSessions = 5000
/** Of an agent's list; more, and longer ones, are no list that a person reads. */
const maxTodos = 2000
const maxTextLength = 10_000
/** How often, in changes, is looked for what to drop. */
const dropEvery = 64
const maxChanges = 500
/** Of a person's tasks; those of agents begin otherwise. */
const userPrefix = 'user-'

const taskColumns = 'id, session_id, title, status, description, sort_order, source, created_at, updated_at'

/**
 * The tasks and tool results of all sessions, in one SQLite file that any number of programs and threads use at once. Every change is one
 * transaction: whoever is killed in the middle of one leaves what was there before. A call waits for
 * other programs, at most `waitMs`. They throw a HostError 'unavailable' where the file cannot be used, and 'bad-params' for ids that are empty or too long.
 */
export class TaskStore {
  readonly #connecting: Connecting
  readonly #now: () => number
  #db: Connection
  /** Which file the connection is to: another program may have put it aside. null: there is no connection. */
  #file: string | null

  private constructor(connecting: Connecting, now: () => number) {
    this.#connecting = connecting
    this.#now = now
    this.#db = connect(connecting)
    this.#file = fileAt(connecting.path)
  }

  /** Opens the database, or begins it. Throws `unavailable` where there is no SQLite, or the file cannot be used. */
  static async open(path: string, { now, say, waitMs }: TaskStoreOptions = {}): Promise<TaskStore> {
    const connecting: Connecting = {
      Database: await loadDatabase(),
      path,
      waitMs: waitMs ?? 10_000,
      say: say ?? ((sentence) => report(`playhead: ${sentence}`))
    }
    return new TaskStore(connecting, now ?? Date.now)
  }

  close(): void {
    this.#db.close()
  }

  /** Of a session: the agent's in their order, then the person's in theirs. */
  tasks(session: string): Task[] {
    return this.#use((db) => tasksOf(db, stored(session)))
  }

  /**
   * Puts an agent's list in place of the one before (docs/seeds.md#todowrite-bridge: DELETE, then INSERT, in one transaction). Gives whether anything is
   * another now: the same list again changes nothing, not even times. At most 2,000 todos, texts of at most 10,000 characters.
   */
  syncSdkTasks(session: string, todos: readonly JsonValue[]): boolean {
    const id = checkedId(session, 200)
    return this.#change((db) => this.#sync(db, id, todos))
  }

  /**
   * Changes an agent's list by what one of Claude's Task tools did, and stores the list as a sync does: in the order of the tasks' own numbers,
   * those left out of which it is not known what they are. Gives whether anything is another now.
   */
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
    const insert = inserting(db)
    for (const task of after) insert(task)
    this.#touched(db, session)
    return true
  }

  /** A task of a person, behind their others. */
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
      inserting(db)(task)
      this.#touched(db, id)
      return task
    })
  }

  /** What is left out stays. Throws `not-found` where the task is none of a person's. */
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
      this.#touched(db, task.session_id)
      return task
    })
  }

  /** Puts it at a place (from 0) among the person's tasks of its session, at the end where that is beyond it. */
  move({ task: id, place }: Params<'task.move'>): Task {
    return this.#change((db) => {
      const task = userTask(db, id)
      const order = tasksOf(db, task.session_id, 'user').map((each) => each.id)
      order.splice(order.indexOf(task.id), 1)
      order.splice(place, 0, task.id)
      if (inOrder(db, order)) this.#touched(db, task.session_id)
      return userTask(db, id)
    })
  }

  /** Gives what it was. */
  remove(id: string): Task {
    return this.#change((db) => {
      const task = userTask(db, id)
      db.prepare('DELETE FROM tasks WHERE id = ?').run(task.id)
      inOrder(
        db,
        tasksOf(db, task.session_id, 'user').map((each) => each.id)
      )
      this.#touched(db, task.session_id)
      return task
    })
  }

  /** Puts a removed task back where it stood. One that is there stays as it is. */
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
      inserting(db)({
        ...removed,
        id,
        session_id: session,
        title: stored(removed.title),
        description,
        created_at: wholeMs(removed.created_at),
        updated_at: wholeMs(removed.updated_at)
      })
      order.splice(Math.max(0, removed.sort_order), 0, id)
      inOrder(db, order)
      this.#touched(db, session)
      return userTask(db, id)
    })
  }

  /**
   * Keeps the result of a call in place of the one before: the last one counts, but a hook's never replaces the agent's own. Gives whether it is
   * another now. Of all sessions the latest 4,000 are kept, and 128 MiB.
   */
  reportResult(result: ReportedResult): boolean {
    return this.reportResults([result]).length > 0
  }

  /** The same of several, in their order and as one change, which costs little more than one. Gives those that are others now. */
  reportResults(results: readonly ReportedResult[]): readonly ReportedResult[] {
    const rows = results.map((result) => ({ result, row: this.#resultRow(result) }))
    return this.#change((db) => rows.filter(({ row }) => keepResult(db, row)).map(({ result }) => result))
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

  /** null: none was reported. */
  result(session: string, tool: string): ToolResult | null {
    return this.#use((db) => resultOf(db, stored(session), stored(tool)))
  }

  /** Another number when another program, or another store of this one, has changed anything. Costs some microseconds. */
  version(): string {
    return this.#use((db) => `${this.#file} ${number(db, 'data_version')}`)
  }

  /** What of a session is another since a change; without one, only which is the last. */
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

  #touched(db: Connection, session: string): void {
    const change = nextChange(db)
    db.prepare('INSERT OR REPLACE INTO sessions (session_id, tasks_change) VALUES (?, ?)').run(session, change)
    dropNowAndThen(db, change)
  }

  /** One change, whole or not at all. */
  #change<T>(work: (db: Connection) => T): T {
    return this.#use((db) => {
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = work(db)
        db.exec('COMMIT')
        return result
      } catch (error) {
        // Some failures have ended it already.
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
    this.#connect(() => connectAnew(this.#connecting, damaged))
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

function inserting(db: Connection): (task: Task) => void {
  const insert = db.prepare(`INSERT INTO tasks (${taskColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return (task) => {
    const { id, session_id, title, status, description, sort_order, source, created_at, updated_at } = task
    insert.run(id, session_id, title, status, description, sort_order, source, created_at, updated_at)
  }
}

/** Numbers the tasks from 0 in this order; gives whether any has another number now. */
function inOrder(db: Connection, ids: readonly string[]): boolean {
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

/** False where it changes nothing. */
function keepResult(db: Connection, row: ToolResult): boolean {
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
  dropNowAndThen(db, change)
  return true
}

function nextChange(db: Connection): number {
  db.prepare('UPDATE clock SET change = change + 1').run()
  const [clock] = db.prepare('SELECT change FROM clock').all() as { change: number }[]
  return clock?.change ?? 0
}

function dropNowAndThen(db: Connection, change: number): void {
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

/** As the database gives it back: it ends texts at a NUL, and half a surrogate pair is no text to it. */
function stored(text: string): string {
  return text.replaceAll('\0', '\u2400').replace(/[\ud800-\udfff]/gu, '\ufffd')
}

/** What a page says of times is no more than a number. */
function wholeMs(ms: number): number {
  const whole = Math.trunc(ms)
  return Number.isSafeInteger(whole) ? whole : 0
}

function checkedId(id: string, most: number): string {
  if (id.length > 0 && id.length <= most) return stored(id)
  throw new HostError('bad-params', `An id of ${id.length} characters is not valid (1 to ${most}).`)
}

function shortened(text: string): string {
  return stored(text.length > maxTextLength ? `${cutAt(text, maxTextLength - 1)}…` : text)
}

/** Never between the halves of a surrogate pair. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
