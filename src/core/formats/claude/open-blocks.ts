import type { EventDraft } from '../log-format.ts'
import type { SpokenBlock } from './decoded.ts'

interface OpenBlock {
  readonly index: number
  readonly block: SpokenBlock
  readonly pieces: string[]
}

interface OpenMessage {
  readonly id: string | undefined
  blocks: OpenBlock[]
}

/**
 * What was streamed and is not yet said by a whole record: docs/formats/claude-stream-json.md#partial-messages-wait-for-the-whole-one.
 * One message is open on each track at a time, so this holds no more than what the models are saying right now.
 */
export class OpenBlocks {
  private readonly messages = new Map<string, OpenMessage>()

  /** A new message begins on the track; gives what the one before it left unsaid. */
  start(track: string, messageId: string | undefined): readonly EventDraft[] {
    const left = this.drain(track)
    this.messages.set(track, { id: messageId, blocks: [] })
    return left
  }

  append(track: string, index: number, block: SpokenBlock, text: string): void {
    let message = this.messages.get(track)
    if (message === undefined) this.messages.set(track, (message = { id: undefined, blocks: [] }))
    const open = message.blocks.find((candidate) => candidate.index === index && candidate.block === block)
    if (open === undefined) message.blocks.push({ index, block, pieces: [text] })
    else if (text !== '') open.pieces.push(text)
  }

  /** A whole record of the message arrived: its blocks need no streamed text any more. */
  said(track: string, messageId: string | undefined, blocks: readonly SpokenBlock[]): void {
    const message = this.messages.get(track)
    if (message === undefined) return
    if (message.id !== undefined && messageId !== undefined && message.id !== messageId) return
    for (const block of blocks) {
      const first = message.blocks.findIndex((open) => open.block === block)
      if (first !== -1) message.blocks.splice(first, 1)
    }
  }

  /** The streamed text of the track that no whole record has said, in order; it is forgotten here. */
  drain(track: string): readonly EventDraft[] {
    const message = this.messages.get(track)
    if (message === undefined) return []
    this.messages.delete(track)
    const drafts: EventDraft[] = []
    for (const { block, pieces } of message.blocks) {
      const text = pieces.join('')
      const category = block === 'thinking' ? 'reasoning' : 'assistant-message'
      if (text !== '') drafts.push({ type: 'text', text, role: 'assistant', category })
    }
    return drafts
  }

  /** The tracks with something unsaid. */
  tracks(): readonly string[] {
    return [...this.messages.keys()]
  }
}
