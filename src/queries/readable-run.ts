import type { Framing, LogFormat } from '#core/formats/log-format.ts'

/** Random access to bytes. */
export interface ByteSource {
  /** Bytes `offset` … `offset + length`, fewer at the end. */
  read(offset: number, length: number): Promise<Uint8Array>
}

/** A run whose indexed lines can be read again. */
export interface ReadableRun {
  readonly format: LogFormat
  /** The main file first, with the name undefined; others as in `LinePosition`. */
  readonly files: readonly { readonly name: string | undefined; readonly source: ByteSource }[]
  framingOf(file: string | undefined): Framing
}
