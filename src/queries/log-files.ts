import type { AgentEvent } from '#core/events/agent-event.ts'
import type { RecordFacts } from '#core/formats/record-facts.ts'
import { before, type FileContent, type Line, outsideEvent } from '#core/files/file-content.ts'
import { filePatch } from '#core/files/file-patch.ts'
import { confidenceOf, knowledgeOf, staleOf } from '#core/files/file-state.ts'
import { FileVersions } from '#core/files/file-versions.ts'
import { type Doubted, RunFiles } from '#core/files/run-files.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { forkState } from '#core/state/fork-state.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params, Result } from '#contract/methods.ts'

/** Time limit of one answer, as the thread also serves the timeline. */
const sliceMs = 25
/** Rows between two clock reads. */
const someRows = 500
const maxPatch = 1_000_000
/** Characters of all lines of one answer. */
const maxCharacters = 2_000_000

type ReadRecord = (shown: RunIndex, row: number) => Promise<{ event: AgentEvent | null; facts: RecordFacts }>
type Asked<M extends 'log.files' | 'log.fileAt' | 'log.fileSteps' | 'log.fileDiff'> = Omit<Params<M>, 'log'>

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
    { seq, from, count }: Asked<'log.files'>
  ): Promise<Result<'log.files'>> {
    return await this.#answer(shown, settled, async ({ files }, progress) => {
      const touched = files
        .counts(shown, seq)
        .flatMap((counts, file) => (counts === null ? [] : [{ file, path: files.paths[file] ?? '', ...counts }]))
      return {
        ...progress,
        folder: files.sessionFolder,
        total: touched.length,
        further: files.further,
        files: touched.slice(from, from + count).map(({ firstSeq, lastSeq, ...counts }) => ({
          ...counts,
          rowFirst: shown.rows.rowOf(firstSeq),
          rowLast: shown.rows.rowOf(lastSeq)
        }))
      }
    })
  }

  async at(
    shown: RunIndex,
    settled: RunIndex,
    { file, seq, from, count }: Asked<'log.fileAt'>
  ): Promise<Result<'log.fileAt'>> {
    return await this.#answer(shown, settled, async ({ files, versions }, progress, isOver) => {
      const path = pathOf(files, file, progress)
      const { content, done, of } = await versions.at(file, seq, isOver)
      const doubts = files.doubtsOf(shown, file, seq)
      return {
        ...progress,
        making: content === null ? { done, of } : null,
        ...(content === null ? nothing : told(content, doubts, path, { from, count }, shown))
      }
    })
  }

  async steps(
    shown: RunIndex,
    settled: RunIndex,
    { file, from, count }: Asked<'log.fileSteps'>
  ): Promise<Result<'log.fileSteps'>> {
    return await this.#answer(shown, settled, async ({ files }, progress) => {
      pathOf(files, file, progress)
      const steps = files.stepsOf(shown, file, Infinity)
      return {
        ...progress,
        total: steps.length,
        steps: steps.slice(from, from + count).map(({ row, what }) => ({ row, what }))
      }
    })
  }

  async diff(
    shown: RunIndex,
    settled: RunIndex,
    { file, a, b }: Asked<'log.fileDiff'>
  ): Promise<Result<'log.fileDiff'>> {
    return await this.#answer(shown, settled, async ({ files, versions }, progress, isOver) => {
      pathOf(files, file, progress)
      const old = await versions.beforeChange(file, a ?? -1, isOver)
      const now = old.content === null ? old : await versions.at(file, b, isOver)
      if (old.content === null || now.content === null)
        return {
          ...progress,
          making: { done: old.done + (old === now ? 0 : now.done), of: old.of + now.of },
          patch: null
        }
      const [first, second] = [sideOf(old.content), sideOf(now.content)]
      const patch = first === undefined || second === undefined ? null : hunksOf(filePatch('f', first, second))
      return { ...progress, making: null, patch: patch !== null && patch.length > maxPatch ? null : patch }
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
  ...{
    knowledge: 'none',
    deleted: false,
    tooLarge: false,
    total: null,
    length: 0,
    known: 0,
    unplaced: null,
    stale: null
  },
  lines: []
}

function told(
  content: FileContent,
  doubts: readonly Doubted[],
  path: string,
  { from, count }: { readonly from: number; readonly count: number },
  { rows }: RunIndex
): typeof nothing {
  const stale = staleOf(content, doubts)
  let room = maxCharacters
  const lines: Result<'log.fileAt'>['lines'] = []
  for (const line of content.lines.slice(from, from + count)) {
    room -= line?.text.length ?? 0
    if (room < 0 && lines.length > 0) break
    lines.push(line === null ? null : lineOf(line, path, doubts, rows))
  }
  return {
    knowledge: knowledgeOf(content),
    deleted: content.deleted,
    tooLarge: content.tooLarge,
    total: content.total,
    length: content.lines.length,
    known: content.knownLines,
    unplaced: content.unplaced === null ? null : rows.rowOf(content.unplaced),
    stale: stale === null ? null : { row: rows.rowOf(stale.seq), effect: stale.effect },
    lines
  }
}

function lineOf(
  line: Line,
  path: string,
  doubts: readonly Doubted[],
  rows: RunIndex['rows']
): Result<'log.fileAt'>['lines'][number] {
  const outside = outsideEvent(line.author)
  const author =
    outside !== null
      ? { outsideBefore: rows.rowOf(outside) }
      : line.author === before
        ? ('before' as const)
        : rows.rowOf(line.author)
  return { text: line.text, author, confidence: confidenceOf(line, path, doubts) }
}

/** The text; null: there is no file. Undefined: not fully known. */
function sideOf(content: FileContent): string | null | undefined {
  // Nothing was told of it yet, so it was created by what follows, or it is not known.
  return content.deleted ? null : (content.text ?? undefined)
}

function hunksOf(patch: string): string {
  const at = patch.search(/^@@/m)
  return at < 0 ? '' : patch.slice(at)
}
