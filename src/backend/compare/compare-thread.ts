import { basename } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { LogComparison } from '#contract/compare.ts'
import { type ErrorCode, HostError } from '#contract/host-error.ts'
import type { RunComparison } from '#core/compare/compare-runs.ts'
import { isDifference, resultClasses, stepClasses } from '#core/compare/compare-sessions.ts'
import type { RunOptions } from '../sources/run.ts'
import { compareRead, type ReadSession, readComparedRun } from './read-compared-run.ts'

/** `workerData` of a thread that compares two sessions once. */
export interface CompareTask {
  readonly role: 'compare'
  readonly a: RunOptions
  readonly b: RunOptions
}

/** Thread to host. */
export type CompareReport =
  | { readonly kind: 'progress'; readonly read: number; readonly all: number }
  | { readonly kind: 'done'; readonly result: LogComparison }
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly message: string }

/** Between two reports of progress. */
const reportMs = 100
/** As in `LogComparison.files`. */
const maxFiles = 1000

/** Reads both sessions, aligns them, and reports the result. */
export function serveComparing(task: CompareTask, port: MessagePort): void {
  compare(task, (report) => port.postMessage(report)).then(
    (result) => {
      const { seqA, seqB, class: classes, result: results, other, differs } = result
      port.postMessage({ kind: 'done', result } satisfies CompareReport, [
        ...[seqA, seqB, classes, results, other, differs]
      ])
    },
    (error: unknown) => {
      const failure =
        error instanceof HostError ? error : new HostError('internal', 'Comparing failed inside Playhead.')
      port.postMessage({ kind: 'error', code: failure.code, message: failure.message } satisfies CompareReport)
    }
  )
}

async function compare(
  { a, b }: CompareTask,
  report: (progress: CompareReport & { kind: 'progress' }) => void
): Promise<LogComparison> {
  let next = 0
  const read = { a: 0, b: 0 }
  const all = { a: 0, b: 0 }
  const onRead = (side: 'a' | 'b') => (bytes: number, total: number) => {
    read[side] = bytes
    all[side] = total
    if (performance.now() < next) return
    next = performance.now() + reportMs
    report({ kind: 'progress', read: read.a + read.b, all: all.a + all.b })
  }
  const first = await readComparedRun(a, onRead('a'))
  const second = await readComparedRun(b, onRead('b'))
  const comparison = await compareRead(first, second, { a: onRead('a'), b: onRead('b') })
  return answerOf(comparison, [...notesOf(first), ...notesOf(second)])
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
    a: { ...a },
    b: { ...b },
    files: files
      .slice(0, maxFiles)
      .map((file) => ({ path: file.path, a: file.a && [...file.a], b: file.b && [...file.b] })),
    moreFiles: Math.max(0, files.length - maxFiles),
    todos: todos.map((item) => ({ ...item })),
    lastAnswer: { ...lastAnswer },
    notes: [...notes]
  }
}
