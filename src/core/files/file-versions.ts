import type { AgentEvent } from '../events/agent-event.ts'
import type { FileEffect } from '../formats/file-effect.ts'
import type { RecordFacts } from '../formats/record-facts.ts'
import type { RunIndex } from '../index/run-index.ts'
import { isOfWindows } from '../paths/log-path.ts'
import { effectsOfCall } from './call-effects.ts'
import { FileContent } from './file-content.ts'
import { FileSteps } from './file-steps.ts'
import { LineHistory } from './line-history.ts'
import { type FileStep, isChangeStep, type RunFiles, withSources } from './run-files.ts'

/** The event of a row, and what its record states beside it. */
export type ReadRecord = (row: number) => Promise<{ readonly event: AgentEvent | null; readonly facts: RecordFacts }>

/** Steps between two states that are kept. */
const stepsBetween = 64
/** Limit of kept states, by a rough size in bytes. */
const maxKept = 32_000_000
/** Roughly, of a state without lines; not too little, as all states are looked through. */
const stateBytes = 2000
/** Roughly, of a line beside its text. */
const lineBytes = 60

/** A file after its first `steps` steps. */
interface KeptState {
  readonly file: number
  readonly steps: number
  readonly content: FileContent
  readonly bytes: number
}

/** A file's content, or how far its making is. */
export interface FileVersion {
  /** Null while `done` is less than `of`. */
  readonly content: FileContent | null
  readonly done: number
  readonly of: number
}

/**
 * Contents of the files of an index, made from its steps, whose rows are read again. Some states are kept, so what lies
 * near one that was asked for is made from it. The answer is the same for any order of questions.
 */
export class FileVersions {
  readonly #files: RunFiles
  readonly #index: RunIndex
  readonly #read: ReadRecord
  /** Least recently used first. */
  readonly #kept = new Map<string, KeptState>()
  #bytes = 0
  /** Of the file that was asked last. */
  #history: { readonly file: number; readonly lines: LineHistory; content: FileContent } | null = null

  /** Of the file that was asked last. */
  #steps: FileSteps | null = null
  /** Of the call that was read last. */
  #effects: { readonly row: number; readonly effects: readonly FileEffect[] } | null = null

  constructor(files: RunFiles, index: RunIndex, read: ReadRecord) {
    this.#files = files
    this.#index = index
    this.#read = read
  }

  /** The content after event `seq`. `isOver`: whether the time of this answer is over; ask again then. */
  async at(file: number, seq: number, isOver: () => boolean = () => false): Promise<FileVersion> {
    const steps = this.#stepsOf(file)
    return await this.#after(steps, steps.upTo(seq), isOver)
  }

  /** The content just before the first change after event `seq`; if there is none, after all steps. */
  async beforeChange(file: number, seq: number, isOver: () => boolean = () => false): Promise<FileVersion> {
    const steps = this.#stepsOf(file)
    let count = steps.upTo(seq)
    let change = steps.at(count)
    while (change !== undefined && !isChangeStep(change)) change = steps.at(++count)
    const version = await this.#after(steps, count, isOver)
    const { content } = version
    // What is created was not there, which nothing shows.
    if (content !== null && content.knownLines === 0 && change?.created === true) content.deleted = true
    return version
  }

  /** What happened to the lines of a file up to event `seq`; null while `done` is less than `of`. */
  async historyOf(
    file: number,
    seq: number,
    isOver: () => boolean = () => false
  ): Promise<{ readonly lines: LineHistory | null; readonly done: number; readonly of: number }> {
    const steps = this.#stepsOf(file)
    const of = steps.upTo(seq)
    if (this.#history?.file !== file) this.#history = { file, lines: new LineHistory(), content: new FileContent() }
    const history = this.#history
    const { lines } = history
    while (lines.steps < of) {
      const { steps: at } = lines
      const step = steps.at(at)
      if (step === undefined || isOver()) return { lines: null, done: at, of }
      const content = history.content.copy()
      await this.#apply(content, step)
      // Another answer may have come here meanwhile.
      if (lines.steps !== at) continue
      history.content = content
      lines.add(step, this.#index.rows.seqOf(step.row), content)
    }
    return { lines, done: of, of }
  }

  #stepsOf(file: number): FileSteps {
    if (this.#steps?.file !== file) this.#steps = new FileSteps(this.#files, this.#index, file)
    return this.#steps
  }

  async #after(steps: FileSteps, count: number, isOver: () => boolean): Promise<FileVersion> {
    const { file } = steps
    let done = this.#keptBefore(file, count)
    const content = done === 0 ? new FileContent() : this.#use(file, done).copy()
    for (; done < count; done++) {
      const step = steps.at(done)
      if (step === undefined) break
      if (isOver()) {
        this.#keep(file, done, content)
        return { content: null, done, of: count }
      }
      await this.#apply(content, step)
      if ((done + 1) % stepsBetween === 0) this.#keep(file, done + 1, content)
    }
    this.#keep(file, count, content)
    return { content, done: count, of: count }
  }

  /** The most steps, up to `count`, after which a state of the file is kept; 0: none. */
  #keptBefore(file: number, count: number): number {
    let most = 0
    for (const state of this.#kept.values())
      if (state.file === file && state.steps <= count && state.steps > most) most = state.steps
    return most
  }

  async #apply(content: FileContent, step: FileStep): Promise<void> {
    const seq = this.#index.rows.seqOf(step.row)
    if (step.ordinal === null) return content.apply(seq, { what: 'changed' })
    const effect = (await this.#effectsOf(step.row))?.[step.ordinal]
    if (effect === undefined) return content.apply(seq, { what: 'changed' })
    const source = effect.what === 'moved' ? this.#files.sourceOf(step) : -1
    const from = source < 0 ? null : await this.#before(source, step.row)
    content.apply(seq, effect, from)
  }

  /** Of the call that a row answers; null: the log has changed. One call may have thousands. */
  async #effectsOf(row: number): Promise<readonly FileEffect[] | null> {
    if (this.#effects?.row === row) return this.#effects.effects
    const result = await this.#read(row)
    const callRow = this.#index.rows.callOf(row)
    const call = callRow < 0 ? null : await this.#read(callRow)
    if (result.event?.type !== 'tool.completed' || call?.event?.type !== 'tool.started') return null
    const { effects } = effectsOfCall({
      agent: result.event.agentType,
      inWindows: isOfWindows(this.#files.sessionFolder),
      call: call.event,
      callFacts: call.facts,
      result: result.event,
      facts: result.facts
    })
    this.#effects = { row, effects: withSources(effects) }
    return this.#effects.effects
  }

  /** The content of a file before a row. */
  async #before(file: number, row: number): Promise<FileContent | null> {
    const steps = new FileSteps(this.#files, this.#index, file)
    return (await this.#after(steps, steps.before(row), () => false)).content
  }

  #use(file: number, steps: number): FileContent {
    const key = `${file} ${steps}`
    const state = this.#kept.get(key)
    if (state === undefined) return new FileContent()
    this.#kept.delete(key)
    this.#kept.set(key, state)
    return state.content
  }

  #keep(file: number, steps: number, content: FileContent): void {
    const key = `${file} ${steps}`
    if (steps === 0 || this.#kept.has(key)) return
    let bytes: number = stateBytes
    for (const line of content.lines) bytes += lineBytes + 2 * (line?.text.length ?? 0)
    this.#kept.set(key, { file, steps, content: content.copy(), bytes })
    this.#bytes += bytes
    for (const [oldest, state] of this.#kept) {
      if (this.#bytes <= maxKept || this.#kept.size === 1) break
      this.#kept.delete(oldest)
      this.#bytes -= state.bytes
    }
  }
}
