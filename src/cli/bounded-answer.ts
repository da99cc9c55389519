import { Writable } from 'node:stream'
import { Redactor } from '#core/export/redact.ts'
import { wellFormedHead } from '#core/index/one-line.ts'
import { isJsonObject, type JsonValue } from '#core/json.ts'

/** Characters of an answer, so that it fits what a model reads. */
const maxAnswer = 40_000
/** Characters of a string in a list; more are cut, and counted. */
const maxText = 1000

/** Part of a list. `next`: the offset of the rest; absent: this is the end. */
export interface BoundedList {
  readonly items: readonly JsonValue[]
  readonly next?: number
  readonly note?: string
}

/** Part of a text. */
export interface BoundedText {
  readonly text: string
  /** In characters. */
  readonly from: number
  readonly total: number
  readonly next?: number
}

/** Items from `offset`, as many as fit, without secrets. Long strings are cut and say by how much. */
export function boundedList(
  items: readonly JsonValue[],
  { offset, limit, redacts }: { readonly offset: number; readonly limit: number; readonly redacts: boolean }
): BoundedList {
  const shown: JsonValue[] = []
  let length = 0
  let at = offset
  for (; at < items.length && shown.length < limit; at++) {
    const item = shortened(redacts ? redactedValue(items[at] ?? null) : (items[at] ?? null))
    const size = JSON.stringify(item).length
    if (shown.length > 0 && length + size > maxAnswer) break
    // A single large item is better cut than left out.
    shown.push(size > maxAnswer ? `${wellFormedHead(JSON.stringify(item), maxAnswer)}… (${size} characters)` : item)
    length += size
  }
  return at < items.length ? { items: shown, next: at } : { items: shown }
}

/** The text from `from`, as much as fits. It must be free of secrets: one may lie across the border. */
export function boundedText(text: string, from: number): BoundedText {
  const part = wellFormedHead(text.slice(from), maxAnswer)
  const next = from + part.length
  return { text: part, from, total: text.length, ...(next < text.length && { next }) }
}

export function redactedValue(value: JsonValue): JsonValue {
  const text = JSON.stringify(value)
  return JSON.parse(new Redactor().line(text)) as JsonValue
}

function shortened(value: JsonValue): JsonValue {
  if (typeof value === 'string')
    return value.length > maxText ? `${wellFormedHead(value, maxText)}… (${value.length} characters)` : value
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(shortened)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member ?? null)]))
}

/** Takes what a command prints, up to a limit; then it is a closed pipe, at which commands end. */
export class Captured extends Writable {
  #chunks: Buffer[] = []
  #length = 0
  #isCut = false
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    super()
    this.#maxBytes = maxBytes
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }

  /** There was more than the limit. */
  get isCut(): boolean {
    return this.#isCut
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (this.#length >= this.#maxBytes) {
      this.#isCut = true
      done(Object.assign(new Error('enough'), { code: 'EPIPE' }))
      return
    }
    this.#chunks.push(Buffer.from(chunk))
    this.#length += chunk.length
    done()
  }
}
