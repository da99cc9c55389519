import type { LogStatus } from '#contract/methods.ts'

/** How large a run is, all of its files together. */
export interface RunSize {
  readonly files: number
  readonly bytes: number
  readonly bytesRead: number
  readonly lines: number
}

/** Of all files together. */
export function runSize({ files, bytes, bytesRead, lines }: LogStatus): RunSize {
  const size = { files: files.length + 1, bytes, bytesRead, lines }
  for (const file of files) {
    size.bytes += file.bytes
    size.bytesRead += file.bytesRead
    size.lines += file.lines
  }
  return size
}

/** How much of it is read, 0 to 1. */
export function readPart({ bytes, bytesRead }: RunSize): number {
  return bytes === 0 ? 0 : Math.min(1, bytesRead / bytes)
}
