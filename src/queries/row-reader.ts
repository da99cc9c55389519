import type { AgentEvent } from '#core/events/agent-event.ts'
import type { DecodedLine } from '#core/formats/decode-line.ts'
import { joinedDraft } from '#core/formats/joined-text.ts'
import type { EventDraft, Framing, LogFormat } from '#core/formats/log-format.ts'
import { stamp } from '#core/formats/stamp.ts'
import type { RecordFacts } from '#core/formats/record-facts.ts'
import { recordFacts, rowFacts } from '#core/index/row-facts.ts'
import type { ReadRow } from '#core/query/row-term.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { maxLineBytes } from '#core/lines/line-splitter.ts'
import { HostError } from '#contract/host-error.ts'
import { BlockCache, type RunBytes } from './block-cache.ts'
import { DecodedLines, shortened } from './decoded-lines.ts'
import type { ReadableRun } from './readable-run.ts'
import { SessionFolder } from './session-folder.ts'

/** Reads the rows of an index again from the bytes of their lines. */
export class RowReader {
  readonly bytes: RunBytes
  readonly format: LogFormat
  readonly #framingOf: (file: string | undefined) => Framing
  readonly #lines: DecodedLines
  readonly #folder = new SessionFolder((shown, row) => this.event(shown, row))

  constructor(run: ReadableRun) {
    this.bytes = new BlockCache(new Map(run.files.map(({ name, source }) => [name, source])))
    this.format = run.format
    this.#framingOf = (file) => run.framingOf(file)
    this.#lines = new DecodedLines(this.bytes, run.format, this.#framingOf)
  }

  framingOf(file: string | undefined): Framing {
    return this.#framingOf(file)
  }

  async line(index: RunIndex, row: number): Promise<DecodedLine> {
    const place = index.rows.place(row)
    return await this.#lines.at(place, !index.isCut(place))
  }

  /** Null if the row is not an event. `line`: of the row. `enough`: approximate bytes to read of a text in pieces. */
  async eventOf(index: RunIndex, row: number, line: DecodedLine, enough = Infinity): Promise<AgentEvent | null> {
    const joined = await this.#joinedDraft(index, row, enough)
    const folded = index.rows.eventAt(row, joined ? [joined] : (line.decoded?.drafts ?? []))
    if (folded) return stamp(folded, this.format)
    if (index.rows.seqOf(row) < 0) return null
    // The line had this event at indexing, so its bytes have changed.
    throw new HostError('unavailable', 'The file has changed since it was read. Close the log and open it again.')
  }

  async event(index: RunIndex, row: number): Promise<AgentEvent | null> {
    return await this.eventOf(index, row, await this.line(index, row))
  }

  /** The event of a row and what its record states beside it. */
  async read(index: RunIndex, row: number): Promise<ReadRow> {
    const line = await this.line(index, row)
    const event = await this.eventOf(index, row, line)
    return { event, facts: rowFacts(this.format, event, line.value), folder: await this.folder(index) }
  }

  /** The event of a row, and all that its record states beside it. */
  async readRecord(index: RunIndex, row: number): Promise<{ event: AgentEvent | null; facts: RecordFacts }> {
    const line = await this.line(index, row)
    const event = await this.eventOf(index, row, line)
    return { event, facts: recordFacts(this.format, event, line.value) }
  }

  /** The working folder of the session; null if not stated. */
  async folder(index: RunIndex): Promise<string | null> {
    return await this.#folder.of(index)
  }

  /** Null if the text is on one line. */
  async #joinedDraft({ rows: index }: RunIndex, row: number, enough: number): Promise<EventDraft | null> {
    const end = index.joinedTo(row)
    if (end === undefined) return null
    const { file, offset } = index.place(row)
    // A longer text is not a valid string.
    const length = Math.min(end - offset, enough, maxLineBytes)
    const bytes = await this.bytes.read(file, offset, length)
    if (bytes.length < length) throw shortened()
    return joinedDraft(this.format, this.#framingOf(file), bytes)
  }
}
