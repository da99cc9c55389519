import type { TodoItem, TodoStatus } from '#core/events/todo.ts'
import type { EventSet } from '#core/export/event-set.ts'
import { oneLine } from '#core/index/one-line.ts'
import { eventSummary } from '#core/index/row-summary.ts'
import { snapshotOf } from '#core/replay/snapshot-of.ts'
import type { TodoChange } from '#core/replay/todo-changes.ts'
import { type KeptSnapshot, TodoHistory } from '#core/replay/todo-history.ts'
import { type LogVisitor, readLog } from '#backend/sources/read-log.ts'
import type { RunOptions } from '#backend/sources/run.ts'
import { sayNotes } from './log-notes.ts'
import { type Command, parseCommandLine, UsageError } from './command.ts'
import type { Environment } from './environment.ts'
import { Output } from '#backend/export/output.ts'
import { keepMemorySteady } from './steady-memory.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'
import { whereDetails, whereOf, whereOptions } from './where-option.ts'

const options = { at: { type: 'string' }, json: { type: 'boolean' }, ...whereOptions, ...logOptions } as const

export const todos: Command = {
  usage: 'todos FILE [--at SEQ | --where QUERY] [--json] [--single] [--format ID]',
  summary: 'list every todo snapshot and its changes, or with --at the lists after one event',
  details: [whereDetails('lists of events'), '', ...fileDetails],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const where = await whereOf(values)
    if (where !== null && values.at !== undefined) throw new UsageError('--at and --where cannot be combined')
    const source = await logOf(positionals, values, environment)
    keepMemorySteady()
    const print = values.json ? jsonLine : textLine
    if (values.at === undefined) {
      const wanted = where === null ? null : await where.events(source, environment)
      return await printAll(source, wanted, print, environment)
    }
    return await printAt(source, values.at, values.json ? jsonLine : textList, environment)
  }
}

/** Ids are null before the first list. */
interface Shown {
  readonly seq: number
  /** Name of another file of the run; absent: the log itself. */
  readonly file?: string
  readonly line: number | null
  readonly timestamp: number | null
  readonly agentId: string | null
  readonly trackId: string | null
  readonly todoId: string | null
  readonly items: readonly TodoItem[]
  readonly changes: readonly TodoChange[]
  readonly former: readonly TodoItem[]
  /** Dropped items of the track so far. */
  readonly dropped: number
  /** Their texts, only with `--at`. */
  readonly droppedItems: readonly string[]
}

/** Returns the exit code. */
async function printAll(
  source: RunOptions,
  wanted: EventSet | null,
  print: Print,
  environment: Environment
): Promise<number> {
  const output = new Output(environment.stdout)
  const history = new TodoHistory()
  const visitor: LogVisitor = {
    event(event, seq, { at }) {
      const snapshot = snapshotOf(event, seq, at)
      const kept = snapshot ? history.at(history.add(snapshot)) : undefined
      if (kept && wanted?.has(seq) !== false) output.line(print(shown(history, kept)))
    },
    pause: async () => {
      await output.flush()
      return true
    }
  }
  const log = await readLog(source, visitor)
  return sayNotes(log, environment)
}

async function printAt(source: RunOptions, at: string, print: Print, environment: Environment): Promise<number> {
  const wanted = seqOf(at)
  const history = new TodoHistory()
  let passed = false
  const visitor: LogVisitor = {
    event(event, seq, { at: place }) {
      passed = wanted !== null && seq >= wanted
      const snapshot = wanted !== null && seq <= wanted ? snapshotOf(event, seq, place) : null
      if (snapshot) history.add(snapshot)
    },
    pause: async () => !passed
  }
  const log = await readLog(source, visitor)
  const exit = sayNotes(log, environment)
  if (wanted === null || wanted >= log.events) {
    const range = log.events === 0 ? 'this log has no events' : `give a number from 0 to ${log.events - 1}`
    throw new UsageError(`--at ${at}: there is no such event; ${range}`)
  }
  const output = new Output(environment.stdout)
  const latest = history.tracksAt(wanted)
  for (const list of latest) {
    output.line(print({ ...shown(history, list), droppedItems: history.droppedItems(list.index) }))
  }
  if (latest.length === 0) output.line(print(noList(wanted)))
  await output.flush()
  return exit
}

/** Null: not a sequence number. */
function seqOf(text: string): number | null {
  const seq = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(seq) ? seq : null
}

function shown(history: TodoHistory, { index, ...snapshot }: KeptSnapshot): Shown {
  const { trackId = null } = snapshot
  const former = history.formerOf(index)?.items ?? []
  const dropped = history.droppedAt(index)
  return { ...snapshot, trackId, changes: history.changes(index), former, dropped, droppedItems: [] }
}

function noList(seq: number): Shown {
  const nothing = { line: null, timestamp: null, agentId: null, trackId: null, todoId: null }
  return { seq, ...nothing, items: [], changes: [], former: [], dropped: 0, droppedItems: [] }
}

type Print = (list: Shown) => string

function jsonLine({ seq, file, line, timestamp, agentId, trackId, todoId, items, changes, dropped }: Shown): string {
  return JSON.stringify({ seq, file, line, timestamp, agentId, trackId, todoId, items, changes, dropped })
}

function textLine(list: Shown): string {
  const { text } = eventSummary({ type: 'todo_list', todoId: '', items: list.items }, list)
  return `${placeText(list)}  ${text}`
}

function textList(list: Shown): string {
  if (list.todoId === null) return `event ${list.seq}  no todo list yet`
  const items = list.items.map((item) => `  ${marks[item.status]} ${oneLine(item.text)}`)
  return [placeText(list), ...items, ...droppedLines(list.droppedItems)].join('\n')
}

/** Further dropped items are counted. */
const maxDropped = 50

function droppedLines(texts: readonly string[]): string[] {
  const lines = texts.slice(0, maxDropped).map((text) => `  dropped: ${oneLine(text)}`)
  return texts.length > maxDropped ? [...lines, `  dropped: ${texts.length - maxDropped} more`] : lines
}

const marks: Record<TodoStatus, string> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  cancelled: '[-]'
}

function placeText({ seq, file, line, trackId, items }: Shown): string {
  const completed = items.filter(({ status }) => status === 'completed').length
  const place = file === undefined ? `line ${line}` : `${oneLine(file)} line ${line}`
  return `event ${seq}  ${place}  ${oneLine(trackId ?? 'main agent', 80)}  ${completed}/${items.length}`
}
