import { dialogueFile } from '../../dialogue/sent-note.ts'
import { EventSequence } from '../event-sequence.ts'
import type { Fold, FoldContext, FoldResult, LinePosition, MissingLogs } from '../log-format.ts'
import { ChatAsks } from './chat-asks.ts'
import { ChatCalls } from './chat-calls.ts'
import type { ChatDecoded } from './chat-decoded.ts'
import { ChatFile } from './chat-file.ts'

/** docs/formats/gemini-chat.md#a-message-is-written-again-with-its-calls. Each file has its own conversation. */
export class ChatFold implements Fold<ChatDecoded> {
  private readonly context: FoldContext
  private readonly calls = new ChatCalls()
  private readonly main: ChatFile
  private readonly files = new Map<string, ChatFile>()
  private readonly asks = new ChatAsks()
  /** Of the file beside the chat, so that the chat's events stay as they are. */
  private readonly besideChat: EventSequence

  constructor(context: FoldContext) {
    this.context = context
    this.main = new ChatFile(context, this.calls, undefined)
    this.besideChat = new EventSequence(context)
  }

  add(at: LinePosition, decoded: ChatDecoded): FoldResult {
    const { kind } = decoded.record
    if (at.file === dialogueFile || kind === 'ask' || kind === 'decision') {
      if (at.file !== dialogueFile) return this.fileOf(at.file).addAsk(at, decoded, this.asks)
      return this.asks.add(this.besideChat, at, decoded, this.main.sessionId)
    }
    return this.fileOf(at.file).add(at, decoded)
  }

  end(): FoldResult {
    return this.main.end()
  }

  missing(): MissingLogs {
    return this.calls.missing
  }

  private fileOf(name: string | undefined): ChatFile {
    if (name === undefined) return this.main
    let file = this.files.get(name)
    if (file === undefined) {
      file = new ChatFile(this.context, this.calls, name)
      this.files.set(name, file)
    }
    return file
  }
}
