/** V8 cannot make a string longer than this (0x1fffffe8 characters); a UTF-8 line of that many bytes always fits. */
export const maxLineBytes = 0x1fffffe8

/** One line of a source. */
export interface Line {
  /** 1-based. */
  readonly line: number
  readonly offset: number
  /** Bytes without the line end (`\n` or `\r\n`). */
  readonly length: number
  /** The line's bytes, valid only until the callback returns; null when the line is longer than `maxBytes`. */
  readonly bytes: Uint8Array | null
  /** False only for a last line without a line end. */
  readonly terminated: boolean
}
