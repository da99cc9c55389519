import { HostError } from '#contract/host-error.ts'
import type { LineRun } from '#contract/files.ts'
import type { Host, Result } from '#contract/methods.ts'

type FileAt = Result<'log.fileAt'>

/** Lines of one request. */
const pageLines = 20_000
/** Pause between requests while a content is made. */
const pauseMs = 10

/** Which version of a file: after event `seq`, or just before the first change after it. */
export interface FileVersion {
  readonly file: number
  readonly seq: number
  readonly beforeChange?: boolean
}

/** What is known of a file's content. */
export interface FileText extends Omit<FileAt, 'read' | 'rows' | 'problem' | 'making' | 'count'> {
  /** The start of each line in `text`, and behind the last one the end. */
  readonly starts: Uint32Array
}

/** How far the content is: events looked at, and then changes made. */
export type OnFileProgress = (done: number, of: number) => void

/** Reads a content piece by piece. Null if `isOver` says so meanwhile. Rejects with the read error. */
export async function readFileText(
  host: Host,
  log: string,
  version: FileVersion,
  { isOver, onProgress }: { readonly isOver: () => boolean; readonly onProgress: OnFileProgress }
): Promise<FileText | null> {
  const texts: string[] = []
  const runs: LineRun[] = []
  let lines = 0
  for (;;) {
    const page = await host.call('log.fileAt', { log, ...version, from: lines, count: pageLines })
    if (isOver()) return null
    if (page.problem !== null) throw new HostError('unavailable', page.problem)
    if (page.read < page.rows || page.making !== null) {
      if (page.read < page.rows) onProgress(page.read, page.rows)
      else if (page.making !== null) onProgress(page.making.done, page.making.of)
      await new Promise((resume) => setTimeout(resume, pauseMs))
      continue
    }
    if (page.count > 0) texts.push(page.text)
    runs.push(...page.runs)
    lines += page.count
    if (lines < page.length && page.count > 0) continue
    const { read: _read, rows: _rows, problem: _problem, making: _making, count: _count, ...known } = page
    const text = texts.join('\n')
    return { ...known, text, runs: joined(runs), starts: startsOf(text, lines) }
  }
}

/** Runs at the edge of two pages may be one. */
function joined(runs: readonly LineRun[]): LineRun[] {
  const all: LineRun[] = []
  for (const run of runs) {
    const last = all.at(-1)
    if (last !== undefined && JSON.stringify(last.known) === JSON.stringify(run.known)) last.count += run.count
    else all.push({ ...run })
  }
  return all
}

function startsOf(text: string, lines: number): Uint32Array {
  const starts = new Uint32Array(lines + 1)
  let at = 0
  for (let line = 1; line < lines; line++) {
    at = text.indexOf('\n', at) + 1
    starts[line] = at
  }
  // As if a line end followed.
  starts[lines] = text.length + 1
  return starts
}

/** The text of lines `from` … `to` (from 0, exclusive). */
export function linesOf({ text, starts }: Pick<FileText, 'text' | 'starts'>, from: number, to: number): string {
  const last = starts.length - 1
  if (from >= Math.min(to, last)) return ''
  return text.slice(starts[from] ?? 0, (starts[Math.min(to, last)] ?? text.length + 1) - 1)
}
