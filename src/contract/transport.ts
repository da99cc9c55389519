import type { JsonObject } from '#core/json.ts'

/**
 * What travels between page and host: a JSON object, and bulk columns beside it. Which key of a result a buffer belongs
 * to is listed in the envelope (envelope.ts): a placeholder inside the JSON could be forged by a log that is shown.
 */
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
