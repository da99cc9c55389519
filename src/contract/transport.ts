import type { JsonObject } from '#core/json.ts'

/** A JSON object with buffers. The envelope has their keys: a log could forge placeholders in the JSON. */
export interface WireMessage {
  readonly body: JsonObject
  readonly buffers: readonly ArrayBuffer[]
}

/** One end of a pipe that keeps messages whole and in order. */
export interface Transport {
  send(message: WireMessage): void
  /** One listener; earlier messages are buffered. */
  onMessage(listener: (message: WireMessage) => void): void
  /** Called once, even if the pipe is closed already. */
  onClose(listener: () => void): void
  close(): void
}
