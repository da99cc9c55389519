import type { EventDraft } from '../log-format.ts'
import type { TextBlockKind } from './decoded.ts'

interface OpenBlock {
  readonly index: number
  readonly block: TextBlockKind
  readonly pieces: string[]
}

interface OpenMessage {
  readonly id: string | undefined
  blocks: OpenBlock[]
}

/** Streamed text by track: docs/formats/claude-stream-json.md#partial-messages-wait-for-the-whole-one. */
export class OpenBlocks {
  private readonly messages = new Map<string, OpenMessage>()

  /** Starts a message on the track. Returns what the previous one left. */
  start(track: string, messageId: string | undefined): readonly EventDraft[] {
    const left = this.drain(track)
    this.messages.set(track, { id: messageId, blocks: [] })
    return left
  }

  append(track: string, index: number, block: TextBlockKind, text: string): void {
    let message = this.messages.get(track)
    if (message === undefined) this.messages.set(track, (message = { id: undefined, blocks: [] }))
    const open = message.blocks.find((candidate) => candidate.index === index && candidate.block === block)
    if (open === undefined) message.blocks.push({ index, block, pieces: [text] })
    else if (text !== '') open.pieces.push(text)
  }

  /** A whole record arrived: drops the streamed text of its blocks. */
  complete(track: string, messageId: string | undefined, blocks: readonly TextBlockKind[]): void {
    const message = this.messages.get(track)
    if (message === undefined) return
    if (message.id !== undefined && messageId !== undefined && message.id !== messageId) return
    for (const block of blocks) {
      const first = message.blocks.findIndex((open) => open.block === block)
      if (first !== -1) message.blocks.splice(first, 1)
    }
  }

  /** Drains the track's streamed text, in order. */
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

  /** Tracks with streamed text. */
  tracks(): readonly string[] {
    return [...this.messages.keys()]
  }
}
