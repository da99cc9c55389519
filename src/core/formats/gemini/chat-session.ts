import { ByteOffsets } from '../../byte-offsets.ts'
import { Column } from '../../column.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import { textHash } from '../text-hash.ts'
import { WrittenList } from '../written-list.ts'

/** A run may have many short sessions. */
const chunkBits = 8
/** Emitted parts of a message, as bits. */
const emittedBits = { text: 1, tokens: 2 } as const

/**
 * The conversation of one session: its messages by id, in order. Emitted parts stay known after a message is dropped.
 * Every step costs what it adds and drops; a message costs about 50 bytes.
 */
export class ChatSession {
  /** Unique in its run. */
  readonly number: number
  /** Undefined until stated: a document may state it after its messages. */
  id: string | undefined
  /** The list of `write_todos`. */
  readonly todos = new WrittenList()
  /** No message since the program started, so a checkpoint restores the conversation. */
  starting = true
  private readonly keys = new HashNumbers(chunkBits)
  /** Message by number of its key. */
  private readonly ofKeys = new Column('uint32', chunkBits)
  /** By message: its index in the conversation, -1 if dropped. */
  private readonly places = new Column('int32', chunkBits)
  /** By message: its last checkpoint. */
  private readonly checkpointOf = new Column('uint32', chunkBits)
  private readonly thoughts = new Column('uint32', chunkBits)
  private readonly emitted = new Column('uint8', chunkBits)
  /** By message: its last line + 1, 0 for none. Lines with several messages belong to none. */
  private readonly lastLines = new Column('uint32', chunkBits)
  private readonly lineStarts = new ByteOffsets(chunkBits)
  /** By line: the previous one of the message + 1, 0 for none. */
  private readonly formerLines = new Column('uint32', chunkBits)
  /** The conversation. */
  private readonly order = new Column('uint32', chunkBits)
  private checkpoints = 0

  constructor(number: number, id: string | undefined) {
    this.number = number
    this.id = id
  }

  knows(key: string): boolean {
    return this.keys.numberOf(textHash(key)) >= 0
  }

  /** The message of a key; added to the conversation if missing. */
  message(key: string): number {
    const message = this.known(key) ?? this.begin(key)
    if (this.places.at(message) >= 0) return message
    this.places.set(message, this.order.length)
    this.order.push(message)
    return message
  }

  /** Adds a line of the message. */
  addLine(message: number, offset: number): void {
    this.lineStarts.push(offset)
    this.formerLines.push(this.lastLines.at(message))
    this.lastLines.set(message, this.lineStarts.length)
  }

  /** Drains the offsets of the message's lines, ascending. */
  drainLines(message: number): number[] {
    const starts: number[] = []
    for (let line = this.lastLines.at(message); line > 0; line = this.formerLines.at(line - 1)) {
      starts.push(this.lineStarts.at(line - 1))
    }
    this.lastLines.set(message, 0)
    return starts.reverse()
  }

  /** Number of emitted thoughts. */
  thoughtsOf(message: number): number {
    return this.thoughts.at(message)
  }

  setThoughts(message: number, count: number): void {
    this.thoughts.set(message, count)
  }

  hasEmitted(message: number, what: keyof typeof emittedBits): boolean {
    return (this.emitted.at(message) & emittedBits[what]) !== 0
  }

  setEmitted(message: number, what: keyof typeof emittedBits): void {
    this.emitted.set(message, this.emitted.at(message) | emittedBits[what])
  }

  /** Drops a message and all after it; all messages for an unknown key. */
  rewind(key: string): readonly number[] {
    const message = this.known(key)
    const dropped = this.removeFrom(message === undefined ? 0 : Math.max(0, this.places.at(message)))
    for (const each of dropped) {
      // Its rows are abandoned; if it returns, it is emitted again.
      this.emitted.set(each, this.emitted.at(each) & ~emittedBits.text)
      this.thoughts.set(each, 0)
    }
    return dropped
  }

  /** Replaces the conversation. Returns the dropped messages. */
  replace(keys: readonly string[]): readonly number[] {
    const before = this.removeFrom(0)
    this.checkpoints += 1
    for (const key of keys) this.checkpointOf.set(this.message(key), this.checkpoints)
    return before.filter((message) => this.checkpointOf.at(message) !== this.checkpoints)
  }

  private known(key: string): number | undefined {
    const number = this.keys.numberOf(textHash(key))
    return number < 0 ? undefined : this.ofKeys.at(number)
  }

  private begin(key: string): number {
    const message = this.places.length
    const number = this.keys.add(textHash(key))
    // Without room for a key, each of its records is a message.
    if (number !== null && number >= 0) this.ofKeys.push(message)
    this.places.push(-1)
    this.checkpointOf.push(0)
    this.thoughts.push(0)
    this.emitted.push(0)
    this.lastLines.push(0)
    return message
  }

  /** Removes the messages from an index on. */
  private removeFrom(place: number): readonly number[] {
    const taken: number[] = []
    for (let i = place; i < this.order.length; i++) taken.push(this.order.at(i))
    for (const message of taken) this.places.set(message, -1)
    this.order.truncate(Math.min(place, this.order.length))
    return taken
  }
}
