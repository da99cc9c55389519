import type { Framing, LogFormat } from '#core/formats/log-format.ts'

/** Bytes that can be read again at any place. */
export interface ByteSource {
  /** Bytes `offset` … `offset + length`, fewer where the source ends. */
  read(offset: number, length: number): Promise<Uint8Array>
}

/** A run whose lines can be read again once they are indexed. */
export interface ReadableRun {
  readonly format: LogFormat
  /** The main file first, whose name is undefined; the others' as in `LinePosition`. */
  readonly files: readonly { readonly name: string | undefined; readonly source: ByteSource }[]
  framingOf(file: string | undefined): Framing
}
