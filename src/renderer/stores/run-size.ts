import type { LogStatus } from '#contract/methods.ts'

/** The size of a session, with all of its files. */
export interface RunSize {
  readonly files: number
  readonly bytes: number
  readonly bytesRead: number
  readonly lines: number
}

export function runSize({
  files,
  bytes,
  bytesRead,
  lines
}: Pick<LogStatus, 'files' | 'bytes' | 'bytesRead' | 'lines'>): RunSize {
  const size = { files: files.length + 1, bytes, bytesRead, lines }
  for (const file of files) {
    size.bytes += file.bytes
    size.bytesRead += file.bytesRead
    size.lines += file.lines
  }
  return size
}

/** Share that is read, 0 to 1. */
export function readPart({ bytes, bytesRead }: RunSize): number {
  return bytes === 0 ? 0 : Math.min(1, bytesRead / bytes)
}
