import { before, FileContent, outsideBefore } from '#core/files/file-content.ts'
import { type FormerContent, RunContents } from '#core/files/run-contents.ts'
import { type Doubted, worstOf } from '#core/files/run-files.ts'
import { isUnplaced } from '#core/paths/log-path.ts'
import { QueriedLog } from '#backend/query/queried-log.ts'
import { corpusPath } from './corpus.ts'
import type { FileVersions } from './file-oracles.ts'
import { searchHere } from './log-here.ts'

/** A look of a log at a file of which something was known: what it shows against what was told before. */
export interface Look {
  readonly log: string
  readonly seq: number
  readonly line: number
  readonly path: string
  readonly exact: boolean
  /** The whole file was shown and known. */
  readonly whole: boolean
  /** Compared lines that were told as seen or written, and not stale. */
  readonly sureLines: number
  readonly wrongSureLines: number
  /** Compared lines are all of source seen or written. */
  readonly sure: boolean
  readonly lines: number
  /** The worst that may have happened since the compared lines were confirmed. */
  readonly doubt: Doubted | null
  readonly difference: string
}

export interface LogTruth {
  readonly looks: readonly Look[]
  /** Each file at the end, and before its first change; undefined: it was not changed. */
  readonly ends: readonly {
    readonly path: string
    readonly content: FileContent
    readonly former: FormerContent | undefined
  }[]
  /** Files that were fully known from some event on, up to the last one that left them so. */
  readonly versions: readonly FileVersions[]
  readonly steps: number
  readonly folder: string | null
  readonly touched: number
}

/** Every look of a log, in order, and what is known at its end. */
export async function truthOf(log: string): Promise<LogTruth> {
  const queried = await QueriedLog.open({ path: corpusPath(log), format: null, single: false }, searchHere, () => {})
  try {
    const { index } = queried
    const { rows } = index
    const run = new RunContents()
    const { files, contents } = run
    const looks: Look[] = []
    const versions: (FileVersions | undefined)[] = []
    const ended = new Set<number>()
    while (files.rows < rows.rows) {
      const row = files.rows
      const { event, facts } = run.needsEvent(index) ? await queried.readRecord(row) : { event: null, facts: {} }
      const seq = rows.seqOf(row)
      const touched = new Map<number, number | null>()
      run.add(index, event, facts, (effect, content) => {
        const path = files.paths[effect.file] ?? ''
        touched.set(
          effect.file,
          effect.what === 'shown' || effect.what === 'confirmed' ? (touched.get(effect.file) ?? null) : seq
        )
        if (effect.what !== 'shown') return
        const look = lookAt(content, effect, files.doubtsOf(index, effect.file, seq - 1), !isUnplaced(path))
        if (look !== null) looks.push({ log, seq, line: rows.lineAt(row), path, ...look })
      })
      for (const [file, by] of touched) {
        const content = contents[file]
        if (content !== undefined) addVersion(versions, ended, file, content, by, seq)
      }
    }
    const ends = contents.map((content, file) => ({
      path: files.paths[file] ?? '',
      content,
      former: run.former.get(file)
    }))
    const counts = files.counts(index, Infinity).flatMap((count) => count ?? [])
    return {
      looks,
      ends,
      versions: versions.filter((one) => one !== undefined),
      steps: files.steps,
      folder: files.sessionFolder,
      touched: counts.length
    }
  } finally {
    await queried.close()
  }
}

/** A copy that takes the look tells how what was known compares with it. */
function lookAt(
  content: FileContent,
  effect: Extract<Parameters<FileContent['apply']>[1], { what: 'shown' }>,
  doubts: readonly Doubted[],
  isPlaced: boolean
): Omit<Look, 'log' | 'seq' | 'line' | 'path'> | null {
  if (content.knownLines === 0) return null
  const after = content.copy()
  after.apply(0, effect)
  const at: number[] = []
  const trim = effect.trimmed === true
  for (const [i] of after.lines.entries()) {
    if (after.lines[i]?.confirmed === 0 || (after.lines[i] !== null && content.lines[i] !== after.lines[i])) at.push(i)
  }
  const compared = at.filter((i) => (content.lines[i] ?? null) !== null)
  if (compared.length === 0) return null
  let wrong = 0
  let [sureLines, wrongSureLines] = [0, 0]
  let oldest = Infinity
  let sure = isPlaced
  let difference = ''
  const sizeDiffers = content.total !== null && after.total !== null && content.total !== after.total && !trim
  for (const i of compared) {
    const line = content.lines[i]
    if (line === null || line === undefined) continue
    oldest = Math.min(oldest, line.confirmed)
    const isRight = after.lines[i]?.text === line.text
    if (line.source === 'derived') sure = false
    else if (isPlaced && worstOf(doubts, line.confirmed) === null) {
      sureLines++
      if (!isRight) wrongSureLines++
    }
    if (isRight) continue
    wrong++
    if (difference === '')
      difference = `line ${i + 1}: ${JSON.stringify(line.text.slice(0, 60))} was ${JSON.stringify((after.lines[i]?.text ?? '').slice(0, 60))}`
  }
  if (wrong === 0 && sizeDiffers) difference = `${content.total} → ${after.total} lines`
  return {
    exact: wrong === 0 && !sizeDiffers,
    whole: content.isFull && after.isFull,
    sureLines,
    wrongSureLines,
    sure,
    lines: compared.length,
    doubt: worstOf(doubts, oldest),
    difference
  }
}

/** A new text is a version of the event that made it, of nobody, or what was there before. */
function addVersion(
  all: (FileVersions | undefined)[],
  ended: Set<number>,
  file: number,
  content: FileContent,
  by: number | null,
  seq: number
): void {
  const own = all[file]
  const { text } = content
  if (text === null || content.deleted) {
    if (own !== undefined) ended.add(file)
    return
  }
  if (ended.has(file)) return
  const authors = content.lines.map((line) => line?.author ?? before)
  if (own === undefined) {
    // A first version whose lines have several authors has a history that git cannot be told.
    if (new Set(authors).size > 1) ended.add(file)
    else all[file] = { versions: [{ text, author: authors[0] ?? before }], authors }
    return
  }
  own.authors = authors
  if (own.versions.at(-1)?.text !== text) own.versions.push({ text, author: by ?? outsideBefore(seq) })
}
