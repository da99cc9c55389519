import type { AgentEvent } from '#core/events/agent-event.ts'
import { jsonText } from '#core/export/normalized-jsonl.ts'
import { decodeLine } from '#core/formats/decode-line.ts'
import type { EventDraft, FoldedEvent, LogFormat } from '#core/formats/log-format.ts'
import { soloIdentity } from '#core/formats/solo-identity.ts'
import { stamp } from '#core/formats/stamp.ts'
import { unrecognized } from '#core/formats/unrecognized.ts'
import type { LineBatch } from './decode-batch.ts'

/** What outlines (`outline.ts`) may leave out of a draft. */
const keys = ['tools', 'text', 'toolName', 'input', 'output', 'error', 'stack']

/** Numbers that tell of one field: offset of its line, which draft of the line, which key, where its JSON begins and ends. */
const numbersOfField = 5
const firstBytes = 1 << 18
const bytesOfUnit = 3

/** What the outlines of a batch leave out: JSON in UTF-8, and where in it each field is, in the order of the lines. */
export interface LeftOut {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly places: Float64Array<ArrayBuffer>
}

/** Writes what is left out, line by line. */
export class LeftOutWriter {
  private bytes = Buffer.from(new ArrayBuffer(firstBytes))
  private filled = 0
  private readonly places: number[] = []

  /** The drafts of the line at `offset`, whole and as its outline has them. */
  add(offset: number, whole: readonly EventDraft[], outlined: readonly EventDraft[]): void {
    for (const [body, draft] of whole.entries()) {
      const outline = outlined[body]
      if (outline !== draft && outline !== undefined) this.addDraft(offset, body, fieldsOf(draft), fieldsOf(outline))
    }
  }

  end(): LeftOut {
    return { bytes: new Uint8Array(this.bytes.buffer, 0, this.filled), places: Float64Array.from(this.places) }
  }

  private addDraft(offset: number, body: number, whole: Fields, outline: Fields): void {
    for (const [index, key] of keys.entries()) {
      const value = whole[key]
      if (value === outline[key]) continue
      const from = this.filled
      if (value !== undefined) this.write(jsonText(value))
      this.places.push(offset, body, index, from, this.filled)
    }
  }

  private write(text: string): void {
    const most = this.filled + text.length * bytesOfUnit
    if (most > this.bytes.length) {
      const larger = Buffer.from(new ArrayBuffer(Math.max(most, this.bytes.length * 2)))
      larger.set(this.bytes.subarray(0, this.filled))
      this.bytes = larger
    }
    this.filled += this.bytes.write(text, this.filled)
  }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(draft: EventDraft): Fields {
  return draft as unknown as Fields
}

/** The JSON of each field that was left out, by its key; empty where the event has no such field. */
export type LeftOutFields = ReadonlyMap<string, Uint8Array>

interface KeptBatch extends LeftOut {
  readonly from: number
  readonly to: number
}

/** So many batches are kept: events mostly come with their line, and seldom long after it. */
const batchesKept = 16

/** What was left out of the events that come next. */
export class LeftOutOfLog {
  private readonly kept: KeptBatch[] = []
  /** What stands before has been dropped. */
  private goneBefore = 0
  private format: LogFormat = unrecognized

  /** To be called before the events of the batch come. */
  add(format: LogFormat, { offset, bytes }: LineBatch, leftOut: LeftOut): void {
    this.format = format
    this.kept.push({ from: offset, to: offset + bytes.length, ...leftOut })
    if (this.kept.length <= batchesKept) return
    this.goneBefore = this.kept.shift()?.to ?? this.goneBefore
  }

  /** What was left out of an event; null: nothing. 'gone': its line has to be read again, for `wholeEvent`. */
  of({ at, body, joinedTo }: FoldedEvent): LeftOutFields | 'gone' | null {
    // What a fold made or put together is whole, and so are the drafts of other files.
    if (body < 0 || joinedTo !== undefined || at.file !== undefined) return null
    if (at.offset < this.goneBefore) return 'gone'
    const batch = this.kept.findLast(({ from, to }) => at.offset >= from && at.offset < to)
    if (batch === undefined) return null
    return fieldsAt(batch, at.offset, body)
  }

  /** The event, given the bytes of its line. */
  wholeEvent(folded: FoldedEvent, bytes: Uint8Array): AgentEvent {
    const { format } = this
    const { decoded } = decodeLine(format, { ...folded.at, bytes, terminated: true })
    const draft = decoded?.drafts[folded.body] ?? folded.draft
    return stamp({ ...folded, draft }, format.agentType, soloIdentity(format.agentType))
  }
}

/** Where the fields of the line at `offset` begin. */
function firstOf(places: Float64Array, offset: number): number {
  let low = 0
  let high = places.length / numbersOfField
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle * numbersOfField] ?? Infinity) < offset) low = middle + 1
    else high = middle
  }
  return low * numbersOfField
}

function fieldsAt({ bytes, places }: LeftOut, offset: number, body: number): LeftOutFields {
  const fields = new Map<string, Uint8Array>()
  for (let at = firstOf(places, offset); places[at] === offset; at += numbersOfField) {
    const key = keys[places[at + 2] ?? NaN]
    if (places[at + 1] !== body || key === undefined) continue
    fields.set(key, bytes.subarray(places[at + 3], places[at + 4]))
  }
  return fields
}
