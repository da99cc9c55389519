import type { AgentEvent } from '#core/events/agent-event.ts'
import type { RecordFacts } from '#core/formats/record-facts.ts'
import { before, type FileContent, type Line, outsideEvent } from '#core/files/file-content.ts'
import { confidenceOf, knowledgeOf, staleOf } from '#core/files/file-state.ts'
import { FileVersions } from '#core/files/file-versions.ts'
import type { LineEvent } from '#core/files/line-history.ts'
import { type Doubted, RunFiles, worstOf } from '#core/files/run-files.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { forkState } from '#core/state/fork-state.ts'
import type { LineAuthor, LineRun } from '#contract/files.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params, Result } from '#contract/methods.ts'

/** Time limit of one answer, as the thread also serves the timeline. */
const sliceMs = 25
/** Rows between two clock reads. */
const someRows = 500
/** Characters of all lines of one answer, and of all paths. */
const maxCharacters = 2_000_000
/** Of one answer. */
const maxEvents = 1000

type ReadRecord = (shown: RunIndex, row: number) => Promise<{ event: AgentEvent | null; facts: RecordFacts }>
type Asked<M extends 'log.files' | 'log.fileAt' | 'log.fileLines'> = Omit<Params<M>, 'log'>

interface Progress {
  readonly read: number
  readonly rows: number
  readonly problem: string | null
}

/** An index of files, and contents made from it. */
interface Known {
  readonly shown: RunIndex
  readonly files: RunFiles
  readonly versions: FileVersions
}

/**
 * Tells what files of a log held. The index of files is made in steps, when somebody asks, from lines that are read again;
 * it continues while the log grows. Unsettled rows are looked at in a copy.
 */
export class LogFiles {
  readonly #read: ReadRecord
  readonly #settled = new RunFiles()
  /** Of `shown`, with the rows that are not settled. */
  #known: Known | null = null
  /** Serializes answers, so lines are read once. */
  #last: Promise<unknown> = Promise.resolve()

  /** `read`: reads a row's event again, and what its record states. */
  constructor(read: ReadRecord) {
    this.#read = read
  }

  /** `settled`: the final part of `shown`; the same if nothing can be retracted. */
  async files(
    shown: RunIndex,
    settled: RunIndex,
    { file, step, doubt, count }: Asked<'log.files'>
  ): Promise<Result<'log.files'>> {
    return await this.#answer(shown, settled, async ({ files }, progress) => {
      const counted = (of: RunFiles) => ({ files: of.paths.length, steps: of.steps, doubts: of.doubts })
      const total = counted(files)
      const steps = files.columnsOfSteps(step, Math.max(0, Math.min(count, total.steps - step)))
      const doubts = files.columnsOfDoubts(doubt, Math.max(0, Math.min(count, total.doubts - doubt)))
      let room = maxCharacters
      return {
        ...progress,
        ...{ folder: files.sessionFolder, further: files.further, total, settled: counted(this.#settled) },
        paths: files.paths.slice(file).filter((path, at) => (room -= path.length) >= 0 || at === 0),
        ...{ stepFile: steps.file, stepRow: steps.row, stepKind: steps.kind },
        ...doubts
      }
    })
  }

  async at(
    shown: RunIndex,
    settled: RunIndex,
    { file, seq, beforeChange = false, from, count }: Asked<'log.fileAt'>
  ): Promise<Result<'log.fileAt'>> {
    return await this.#answer(shown, settled, async ({ files, versions }, progress, isOver) => {
      const path = pathOf(files, file, progress)
      const version = beforeChange
        ? await versions.beforeChange(file, seq, isOver)
        : await versions.at(file, seq, isOver)
      const { content, done, of } = version
      const doubts = files.doubtsOf(shown, file, seq)
      return {
        ...progress,
        making: content === null ? { done, of } : null,
        ...(content === null ? nothing : told(content, doubts, path, { from, count }, shown))
      }
    })
  }

  async lines(
    shown: RunIndex,
    settled: RunIndex,
    { file, seq, from, to }: Asked<'log.fileLines'>
  ): Promise<Result<'log.fileLines'>> {
    return await this.#answer(shown, settled, async ({ files, versions }, progress, isOver) => {
      pathOf(files, file, progress)
      const { lines, done, of } = await versions.historyOf(file, seq, isOver)
      const { content } = lines === null ? { content: null } : await versions.at(file, seq, isOver)
      if (lines === null || content === null)
        return { ...progress, making: { done, of: Math.max(of, done + 1) }, further: 0, events: null }
      let confirmed = Infinity
      for (const line of content.lines.slice(from, to))
        if (line !== null) confirmed = Math.min(confirmed, line.confirmed)
      const doubts = files
        .doubtsOf(shown, file, seq)
        .filter((doubt) => doubt.seq >= confirmed)
        .map((doubt): LineEvent => ({ row: shown.rows.rowOf(doubt.seq), did: 'doubted' }))
      // Of an event that also wrote the lines, that counts.
      const own = lines.eventsOf({ from, to }, of)
      const rows = new Set(own.map(({ row }) => row))
      const others = new Map(doubts.filter(({ row }) => !rows.has(row)).map((event) => [event.row, event]))
      const events = [...own, ...others.values()].sort((a, b) => a.row - b.row)
      return {
        ...progress,
        ...{
          making: null,
          further: lines.dropped + Math.max(0, events.length - maxEvents),
          events: events.slice(-maxEvents)
        }
      }
    })
  }

  async #answer<T>(
    shown: RunIndex,
    settled: RunIndex,
    tell: (known: Known, progress: Progress, isOver: () => boolean) => Promise<T>
  ): Promise<T> {
    const answer = this.#last.then(async () => {
      const until = performance.now() + sliceMs
      const { known, problem } = await this.#goOn(shown, settled, until)
      const progress = { read: known.files.rows, rows: shown.rows.rows, problem }
      let asked = 0
      // At least one step a call, however long the index took.
      return await tell(known, progress, () => asked++ > 0 && performance.now() >= until)
    })
    this.#last = answer.catch(() => null)
    return await answer
  }

  async #goOn(shown: RunIndex, settled: RunIndex, until: number): Promise<{ known: Known; problem: string | null }> {
    const end = Math.min(settled.rows.rows, shown.rows.rows)
    let problem = await this.#addRows(this.#settled, shown, end, until)
    const isWhole = shown === settled || this.#settled.rows < end
    if (isWhole) {
      if (this.#known?.shown !== shown || this.#known.files !== this.#settled)
        this.#known = this.#knownOf(shown, this.#settled)
    } else {
      // A copy of an older state lacks what was settled since.
      if (this.#known?.shown !== shown || this.#known.files === this.#settled)
        this.#known = this.#knownOf(shown, forkState(this.#settled))
      problem = await this.#addRows(this.#known.files, shown, shown.rows.rows, until)
    }
    return { known: this.#known, problem }
  }

  #knownOf(shown: RunIndex, files: RunFiles): Known {
    return { shown, files, versions: new FileVersions(files, shown, async (row) => await this.#read(shown, row)) }
  }

  /** Adds rows up to `end`, or until a time. Returns why a line could not be read, for people; else null. */
  async #addRows(files: RunFiles, shown: RunIndex, end: number, until: number): Promise<string | null> {
    while (files.rows < end) {
      const isRead = files.needsEvent(shown)
      if ((isRead || files.rows % someRows === 0) && performance.now() >= until) return null
      try {
        const { event, facts } = isRead ? await this.#read(shown, files.rows) : { event: null, facts: {} }
        files.add(shown, event, facts)
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        return error.message
      }
    }
    return null
  }
}

/** Throws a `HostError` for a file that is not in a complete index. */
function pathOf({ paths }: RunFiles, file: number, { read, rows }: Progress): string {
  const path = paths[file]
  if (path === undefined && read >= rows) throw new HostError('bad-params', `There is no file ${file} in this log.`)
  return path ?? ''
}

const nothing: Omit<Result<'log.fileAt'>, 'read' | 'rows' | 'problem' | 'making'> = {
  ...{ knowledge: 'none', deleted: false, tooLarge: false, total: null, length: 0, known: 0 },
  ...{ unplaced: null, stale: null, text: '', count: 0, runs: [] }
}

function told(
  content: FileContent,
  doubts: readonly Doubted[],
  path: string,
  { from, count }: { readonly from: number; readonly count: number },
  { rows }: RunIndex
): typeof nothing {
  const doubtOf = (doubt: Doubted | null) =>
    doubt === null ? null : { row: rows.rowOf(doubt.seq), effect: doubt.effect }
  let room = maxCharacters
  const texts: string[] = []
  const runs: LineRun[] = []
  let last: Line | null | undefined
  for (const line of content.lines.slice(from, from + count)) {
    room -= (line?.text.length ?? 0) + 1
    if (room < 0 && texts.length > 0) break
    texts.push(line?.text ?? '')
    const run = runs.at(-1)
    if (run !== undefined && last !== undefined && isLike(last, line)) run.count++
    else
      runs.push({
        count: 1,
        known:
          line === null
            ? null
            : {
                author: authorOf(line, rows),
                confidence: confidenceOf(line, path, doubts),
                confirmed: rows.rowOf(line.confirmed),
                stale: doubtOf(worstOf(doubts, line.confirmed))
              }
      })
    last = line
  }
  return {
    knowledge: knowledgeOf(content),
    deleted: content.deleted,
    tooLarge: content.tooLarge,
    total: content.total,
    length: content.lines.length,
    known: content.knownLines,
    unplaced: content.unplaced === null ? null : rows.rowOf(content.unplaced),
    stale: doubtOf(staleOf(content, doubts)),
    text: texts.join('\n'),
    count: texts.length,
    runs
  }
}

/** Whether nothing but the texts of two lines differs. */
function isLike(one: Line | null, other: Line | null): boolean {
  if (one === null || other === null) return one === other
  return one.author === other.author && one.source === other.source && one.confirmed === other.confirmed
}

function authorOf(line: Line, rows: RunIndex['rows']): LineAuthor {
  const outside = outsideEvent(line.author)
  if (outside !== null) return { outsideBefore: rows.rowOf(outside) }
  return line.author === before ? 'before' : rows.rowOf(line.author)
}
