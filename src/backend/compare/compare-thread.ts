import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { LogComparison } from '#contract/compare.ts'
import type { RunComparison } from '#core/compare/compare-runs.ts'
import { isDifference, resultClasses, stepClasses } from '#core/compare/compare-sessions.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { RunOptions } from '../sources/run.ts'
import { compareRead, type ReadRun, type ReadSession, readComparedRun } from './read-compared-run.ts'
import { type OnRead, reportOf, reportTo } from './thread-report.ts'

/** `workerData` of a thread that compares two sessions once. */
export interface CompareTask {
  readonly role: 'compare'
  readonly a: RunOptions
  readonly b: RunOptions
}

/** `workerData` of a thread that reads one session to be compared, once. */
export interface CompareReadTask {
  readonly role: 'compare-read'
  readonly source: RunOptions
  readonly folder: string | null
}

/** A thread of its own takes longer to start than it takes to read a shorter file. */
const longBytes = 16e6
/** As in `LogComparison.files`. */
const maxFiles = 1000

/** Reads both sessions, aligns them, and reports the result. `create` starts another thread. */
export function serveComparing({ a, b }: CompareTask, port: MessagePort, create: CreateWorker): void {
  const work = async (onRead: OnRead): Promise<LogComparison> => {
    const bytes = { a: { read: 0, all: 0 }, b: { read: 0, all: 0 } }
    const of =
      (side: 'a' | 'b'): OnRead =>
      (read, all) => {
        bytes[side] = { read, all }
        onRead(bytes.a.read + bytes.b.read, bytes.a.all + bytes.b.all)
      }
    const readA: ReadRun = async (source, folder) => await readComparedRun(source, folder, of('a'))
    const readB: ReadRun = async (source, folder) =>
      (await isLong(source))
        ? await readElsewhere(source, folder, of('b'), create)
        : await readComparedRun(source, folder, of('b'))
    const [first, second] = await Promise.all([readA(a, null), readB(b, null)])
    const comparison = await compareRead(first, second, { a: readA, b: readB })
    return answerOf(comparison, [...notesOf(first), ...notesOf(second)])
  }
  reportTo(port, work, (result) => [
    ...[result.seqA, result.seqB, result.class, result.result, result.other, result.differs]
  ])
}

export function serveReading({ source, folder }: CompareReadTask, port: MessagePort): void {
  reportTo(port, async (onRead) => await readComparedRun(source, folder, onRead))
}

/** False also if it cannot be read, which reading it tells. */
async function isLong({ path }: RunOptions): Promise<boolean> {
  return await stat(path).then(
    ({ size }) => size >= longBytes,
    () => false
  )
}

/** Two long sessions are read at the same time. The thread ends with this one. */
async function readElsewhere(
  source: RunOptions,
  folder: string | null,
  onRead: OnRead,
  create: CreateWorker
): Promise<ReadSession> {
  const task: CompareReadTask = { role: 'compare-read', source, folder }
  const worker = create({ workerData: task, name: 'compare-read' })
  try {
    return await reportOf<ReadSession>(worker, onRead)
  } finally {
    await worker.terminate()
  }
}

function notesOf({ source, note, notes, unread }: ReadSession): readonly string[] {
  const about = note === null ? [] : [`${basename(source.path)}: ${note}`]
  // `notes` already names the first.
  return [...about, ...notes, ...unread.slice(1).map(({ sentence }) => sentence)]
}

function answerOf({ a, b, steps, files, todos, lastAnswer }: RunComparison, notes: readonly string[]): LogComparison {
  const rows = steps.sections.flatMap((section) => section.rows)
  const seqs = (seqOf: (row: (typeof rows)[number]) => number | undefined): ArrayBuffer =>
    Int32Array.from(rows, (row) => seqOf(row) ?? -1).buffer
  return {
    sections: steps.sections.map((section) => ({ a: section.a, b: section.b, rows: section.rows.length })),
    seqA: seqs((row) => row.a?.seq),
    seqB: seqs((row) => row.b?.seq),
    class: Uint8Array.from(rows, (row) => stepClasses.indexOf(row.class)).buffer,
    result: Uint8Array.from(rows, ({ result }) => (result === null ? 0 : resultClasses.indexOf(result) + 1)).buffer,
    other: seqs((row) => row.other?.seq),
    differs: Uint8Array.from(rows, (row) => Number(isDifference(row))).buffer,
    counts: { ...steps.counts },
    a: { ...a, spent: [...a.spent] },
    b: { ...b, spent: [...b.spent] },
    files: files
      .slice(0, maxFiles)
      .map((file) => ({ path: file.path, a: file.a && [...file.a], b: file.b && [...file.b] })),
    moreFiles: Math.max(0, files.length - maxFiles),
    todos: todos.map((item) => ({ ...item })),
    lastAnswer: { ...lastAnswer },
    notes: [...notes]
  }
}
