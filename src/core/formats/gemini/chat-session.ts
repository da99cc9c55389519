import { ByteOffsets } from '../../byte-offsets.ts'
import { Column } from '../../column.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import { textHash } from '../text-hash.ts'
import { WrittenList } from '../written-list.ts'

/** A run may have many sessions, most of them short. */
const chunkBits = 8
/** What a message has said, as bits. */
const said = { text: 1, tokens: 2 } as const

/**
 * The conversation of one session: which messages it consists of, by id, in order. What has been said once is remembered even
 * when it is no part of the conversation any more. Every step costs what it adds and drops. Messages are numbers, and what is known of
 * them stands in columns: about 50 bytes a message.
 */
export class ChatSession {
  /** Tells it from the other sessions of its run. */
  readonly number: number
  /** Undefined as long as no record has said it: a document may do so after its messages. */
  id: string | undefined
  /** What `write_todos` wrote. */
  readonly todos = new WrittenList()
  /** No message since the session's program started: what a checkpoint brings now is how it starts. */
  starting = true
  private readonly keys = new HashNumbers(chunkBits)
  /** The message of each key, by the key's number. */
  private readonly ofKeys = new Column('uint32', chunkBits)
  /** By message: its place in the conversation, -1 while it is not part of it. */
  private readonly places = new Column('int32', chunkBits)
  /** By message: the last checkpoint that it was part of. */
  private readonly checkpointOf = new Column('uint32', chunkBits)
  private readonly thoughts = new Column('uint32', chunkBits)
  private readonly saying = new Column('uint8', chunkBits)
  /** By message: the last of its lines + 1; 0 for none. Lines that hold many messages belong to none of them. */
  private readonly lastLines = new Column('uint32', chunkBits)
  private readonly lineStarts = new ByteOffsets(chunkBits)
  /** By line: the one before it, of the same message, + 1; 0 for none. */
  private readonly formerLines = new Column('uint32', chunkBits)
  /** The messages of the conversation. */
  private readonly order = new Column('uint32', chunkBits)
  private checkpoints = 0

  constructor(number: number, id: string | undefined) {
    this.number = number
    this.id = id
  }

  knows(key: string): boolean {
    return this.keys.numberOf(textHash(key)) >= 0
  }

  /** The message of this key: it is part of the conversation from now on, where it was or at the end. */
  message(key: string): number {
    const message = this.known(key) ?? this.begin(key)
    if (this.places.at(message) >= 0) return message
    this.places.set(message, this.order.length)
    this.order.push(message)
    return message
  }

  /** A line of the message's own begins at `offset`. */
  addLine(message: number, offset: number): void {
    this.lineStarts.push(offset)
    this.formerLines.push(this.lastLines.at(message))
    this.lastLines.set(message, this.lineStarts.length)
  }

  /** Where the lines of the message begin, ascending; they are forgotten. */
  takeLines(message: number): number[] {
    const starts: number[] = []
    for (let line = this.lastLines.at(message); line > 0; line = this.formerLines.at(line - 1)) {
      starts.push(this.lineStarts.at(line - 1))
    }
    this.lastLines.set(message, 0)
    return starts.reverse()
  }

  /** How many thoughts of the message have been said. */
  thoughtsOf(message: number): number {
    return this.thoughts.at(message)
  }

  setThoughts(message: number, count: number): void {
    this.thoughts.set(message, count)
  }

  /** Whether the message has said its text, or its tokens. */
  hasSaid(message: number, what: keyof typeof said): boolean {
    return (this.saying.at(message) & said[what]) !== 0
  }

  says(message: number, what: keyof typeof said): void {
    this.saying.set(message, this.saying.at(message) | said[what])
  }

  /** Drops the message of this key and all after it; all there are where nobody knows it. */
  rewind(key: string): readonly number[] {
    const message = this.known(key)
    const dropped = this.takeFrom(message === undefined ? 0 : Math.max(0, this.places.at(message)))
    for (const each of dropped) {
      // Should it come back, it is part of the conversation again, and its rows that said so are not.
      this.saying.set(each, this.saying.at(each) & ~said.text)
      this.thoughts.set(each, 0)
    }
    return dropped
  }

  /** The conversation consists of these messages now; gives those that are dropped. */
  replace(keys: readonly string[]): readonly number[] {
    const before = this.takeFrom(0)
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
    // Where there is no room for a key, each record of it is a message of its own.
    if (number !== null && number >= 0) this.ofKeys.push(message)
    this.places.push(-1)
    this.checkpointOf.push(0)
    this.thoughts.push(0)
    this.saying.push(0)
    this.lastLines.push(0)
    return message
  }

  /** Takes the messages from a place on out of the conversation. */
  private takeFrom(place: number): readonly number[] {
    const taken: number[] = []
    for (let i = place; i < this.order.length; i++) taken.push(this.order.at(i))
    for (const message of taken) this.places.set(message, -1)
    this.order.truncate(Math.min(place, this.order.length))
    return taken
  }
}
